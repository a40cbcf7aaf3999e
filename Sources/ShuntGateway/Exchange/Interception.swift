#if Gateway
import NIOHTTP1
import Shunt

/// The answers of an upstream, and the failures in their place, after which the rules decide about the request again.
struct Interception {
    /// True if a file answers, and no upstream.
    var isOfFile = false
    /// True if the request is the question of an `auth_request`: no answer to it is passed on.
    var isQuestion = false
    /// The statuses that an `error_page` takes.
    var statuses: [Int] = []
    /// True if something led the request to its path before: a failure has other headers than an answer then.
    var isOfAnotherPath = false
    /// True if it takes those of the upstream's answers too.
    var interceptsErrors = false
    /// True if an answer may lead to another path.
    var followsRedirects = true

    /// The changes to the cookies of an answer that leads to another path.
    var cookies: CookieChanges?

    /// The longest rest of an answer that is read and dropped, so that its connection can be used again; in bytes.
    static let dropLimit = 16_384

    /// True if the rules that decided before decide again: any other ones may for a path that an upstream names.
    var keepsRules: Bool { isQuestion || isOfAnotherPath || !statuses.isEmpty }

    /// Returns the answer for the rules; nil for one that is passed on.
    func answer(_ head: ResponseHead) -> UpstreamAnswer? {
        guard let use = use(of: head) else { return nil }
        let status = Int(head.status.code)
        var answer = UpstreamAnswer(use, isToQuestion: isQuestion, status: status, headers: head.fields.headers)
        answer.isOfUpstream = !isOfFile
        guard let cookies, case .redirect = use else { return answer }
        answer.headers = answer.headers.map { header in
            guard header.nameBytes.span.isSameHeader(as: "set-cookie") else { return header }
            return RuleRequest.Header(
                name: header.nameBytes,
                value: cookies.changed(header.valueBytes.span) ?? header.valueBytes
            )
        }
        return answer
    }

    /// Returns what the rules get in the place of an answer of the gateway; nil for one that goes to the client.
    func answer(_ refusal: IncomingRequest.Refusal) -> UpstreamAnswer? {
        let status = Int(refusal.status.code)
        guard isQuestion || isOfAnotherPath || statuses.contains(status) else { return nil }
        var answer = UpstreamAnswer(.error, isToQuestion: isQuestion, status: status)
        answer.isOfUpstream = !isOfFile
        if let range = refusal.contentRange {
            answer.headers = [RuleRequest.Header(name: Array("Content-Range".utf8), value: Array(range.utf8))]
        }
        return answer
    }

    private func use(of head: ResponseHead) -> UpstreamAnswer.Use? {
        if interceptsErrors, head.status.code >= 300, statuses.contains(Int(head.status.code)) { return .error }
        for field in head.fields.list
        where followsRedirects && field.name.count == 16 && head.fields.isNamed(field, "x-accel-redirect") {
            return .redirect(to: head.fields.with(field.value) { Array(copying: $0) })
        }
        return isQuestion ? .consent : nil
    }
}

extension HeaderFields {
    /// The headers as rules see them.
    var headers: [RuleRequest.Header] {
        list.map { field in
            RuleRequest.Header(
                name: with(field.name) { Array(copying: $0) },
                value: with(field.value) { Array(copying: $0) }
            )
        }
    }
}
#endif
