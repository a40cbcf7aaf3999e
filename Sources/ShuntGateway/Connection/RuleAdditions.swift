#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntCore

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
        if Decision.Forward.isUsual(Int(status.code)) { headers.add(contentsOf: successHeaders) }
    }

    /// Writes the headers for an answer with a status.
    ///
    /// - Returns: Whether there is a date among them.
    func write(for status: HTTPResponseStatus, to output: inout ByteBuffer) -> Bool {
        var hasDate = false
        for (name, value) in headers {
            if name.isSameHeader(as: "date") { hasDate = true }
            output.writeHeader(name, value)
        }
        guard Decision.Forward.isUsual(Int(status.code)) else { return hasDate }
        for (name, value) in successHeaders {
            if name.isSameHeader(as: "date") { hasDate = true }
            output.writeHeader(name, value)
        }
        return hasDate
    }

    /// Adds a header of the rules, whose bytes may be none of UTF-8.
    private static func add(_ name: Span<UInt8>, _ value: Span<UInt8>, to headers: inout HTTPHeaders) {
        if !isFraming(name) { headers.add(name: String(repairing: name), value: String(repairing: value)) }
    }

    /// Whether a header says where a response ends: those are the gateway's, for two answers to that question are none.
    static func isFraming(_ name: Span<UInt8>) -> Bool {
        switch name.count {
        case 10: name.isSameHeader(as: "connection")
        case 14: name.isSameHeader(as: "content-length")
        case 17: name.isSameHeader(as: "transfer-encoding")
        default: false
        }
    }
}
#endif
