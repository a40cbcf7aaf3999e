#if Gateway
import NIOHTTP1
import Shunt
import ShuntHummingbird

/// What rules add to an answer.
struct RuleAdditions {
    /// The status in place of the answer's own; nil where it stays.
    private(set) var status: HTTPResponseStatus?
    private(set) var headers = HTTPHeaders()
    /// Those for the usual statuses only.
    private(set) var successHeaders = HTTPHeaders()

    init() {}

    init(_ decision: borrowing DecisionView) {
        // A status below 200 cannot end an exchange.
        if let code = decision.status, (200...999).contains(code) { status = HTTPResponseStatus(statusCode: code) }
        var headers = HTTPHeaders()
        decision.withHeaders { Self.add($0, $1, to: &headers) }
        self.headers = headers
        var successHeaders = HTTPHeaders()
        decision.withSuccessHeaders { Self.add($0, $1, to: &successHeaders) }
        self.successHeaders = successHeaders
    }

    /// Adds the headers for an answer with a status.
    func add(to headers: inout HTTPHeaders, for status: HTTPResponseStatus) {
        headers.add(contentsOf: self.headers)
        if ForwardTarget.usualStatuses.contains(Int(status.code)) { headers.add(contentsOf: successHeaders) }
    }

    /// Adds a header of the rules, whose bytes may be none of UTF-8.
    ///
    /// Those that say where a response ends are the gateway's: two answers to that question are none.
    private static func add(_ name: Span<UInt8>, _ value: Span<UInt8>, to headers: inout HTTPHeaders) {
        let name = String(repairing: name)
        if framing.contains(name.lowercased()) { return }
        headers.add(name: name, value: String(repairing: value))
    }

    private static let framing: Set<String> = ["connection", "content-length", "transfer-encoding"]
}
#endif
