#if Gateway
/// The problem of a response that cannot be trusted.
enum ResponseFailure: Error, Hashable, CustomStringConvertible {
    case statusLine
    case status(Int)
    case headerLine
    case tooManyHeaders
    case length
    case transferCoding
    case twoLengths
    case chunk
    case tooManyInterimResponses
    /// The connection was closed in the middle of a response.
    case brokenOff

    var description: String {
        switch self {
        case .statusLine: "the upstream sent no status line of HTTP/1.0 or HTTP/1.1"
        case .status(let code): "the upstream answered with the status \(code), which it may not send"
        case .headerLine: "the upstream sent an invalid header line"
        case .tooManyHeaders:
            "the upstream sent more than \(ResponseParser.fieldLimit) headers, or \(ResponseParser.headLimit) bytes of them"
        case .length: "the upstream sent an invalid Content-Length"
        case .transferCoding: "the upstream sent a transfer coding other than chunked"
        case .twoLengths: "the upstream sent two lengths for its response"
        case .chunk: "the upstream sent an invalid chunk"
        case .tooManyInterimResponses: "the upstream sent more than \(ResponseParser.interimLimit) interim responses"
        case .brokenOff: "the upstream closed the connection in the middle of a response"
        }
    }
}
#endif
