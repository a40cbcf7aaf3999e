import ShuntCore

/// An answer of an upstream after which the rules decide about its request again.
///
/// They are asked from the beginning, with all answers so far: an evaluation keeps nothing between two decisions, and reaches
/// the same places with the same request and the same rules.
package struct UpstreamAnswer: Sendable {
    package enum Use: Sendable, Hashable {
        /// The request ends with the status, which an `error_page` may take.
        case error
        /// The request continues at the path in its X-Accel-Redirect.
        case redirect(to: [UInt8])
        /// The answer to the question of an `auth_request`.
        case consent
        /// The request ends with the answer, of which these headers are sent.
        case passed(sent: [RuleRequest.Header])
    }

    package var use: Use
    /// True if the request was the question of an `auth_request`.
    package var isToQuestion: Bool
    /// False if it is that of a file.
    package var isOfUpstream = true
    /// The status; that of the gateway where no upstream answered.
    package var status: Int
    package var headers: [RuleRequest.Header]
    /// The values of variables such as `$upstream_addr`, by their names, of all servers that were tried so far.
    package var variables: [String: [UInt8]] = [:]
    /// The bytes of the request's body, if it came in chunks to its end; nil for any other.
    package var requestLength: Int?

    package init(_ use: Use, isToQuestion: Bool = false, status: Int, headers: [RuleRequest.Header] = []) {
        self.use = use
        self.isToQuestion = isToQuestion
        self.status = status
        self.headers = headers
    }

    /// The headers that an answer in place of this one keeps, in lower case; the type apart.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_ignore_headers
    static let kept = ["set-cookie", "content-disposition", "cache-control", "expires", "accept-ranges"]
        .map { Array($0.utf8) }

    /// The value of a header, by its name in lower case; nil if there is none.
    func first(_ name: [UInt8]) -> [UInt8]? {
        headers.first { $0.nameBytes.lazy.map(\.asciiLowercased).elementsEqual(name) }?.valueBytes
    }

    private static let cookieHeader = Array("set-cookie".utf8)

    /// The value of the first cookie with a name, in any case, that the answer sets; nil if it sets none.
    func cookie(_ name: [UInt8]) -> [UInt8]? {
        for header in headers where header.nameBytes.lazy.map(\.asciiLowercased).elementsEqual(Self.cookieHeader) {
            guard header.valueBytes.starts(with: name, by: { $0.asciiLowercased == $1.asciiLowercased }) else {
                continue
            }
            let rest = header.valueBytes.dropFirst(name.count).drop { $0 == 0x20 }
            guard rest.first == UInt8(ascii: "=") else { continue }
            return Array(rest.dropFirst().drop { $0 == 0x20 }.prefix { $0 != UInt8(ascii: ";") })
        }
        return nil
    }
}

/// The answers of upstreams to a request that is decided about again, and the answers that an evaluation has reached.
struct UpstreamAnswers {
    private let answers: [UpstreamAnswer]
    private var taken = 0
    /// The answers to the request, or to a question about it: variables such as `$upstream_http_NAME` are of the last one.
    var current: [UpstreamAnswer] = []

    init(_ answers: [UpstreamAnswer] = []) { self.answers = answers }

    /// True if there is an answer that the evaluation has not reached.
    var hasNext: Bool { taken < answers.count }

    /// The answer that the client gets.
    private(set) var passed: (answer: UpstreamAnswer, sent: [RuleRequest.Header])?

    /// Takes the answer that the client gets, where that comes next.
    mutating func takePassed() {
        guard hasNext, case .passed(let sent) = answers[taken].use else { return }
        passed = (take(), sent)
    }

    /// Returns the next answer, which becomes a current one; nil where no upstream has answered yet, or the client gets what it answered.
    mutating func next() -> UpstreamAnswer? {
        guard hasNext else { return nil }
        if case .passed = answers[taken].use { return nil }
        return take()
    }

    private mutating func take() -> UpstreamAnswer {
        defer { taken += 1 }
        if answers[taken].isOfUpstream { current.append(answers[taken]) }
        return answers[taken]
    }
}
