#if Gateway
import NIOCore
import NIOHTTP1

/// The end of an answer that an upstream began, as the client sees it.
///
/// Decided by the body that is sent, whatever headers of the upstream are passed on.
enum AnswerFraming: Equatable {
    /// No body follows; the length is the length that another request would get.
    case bodiless(length: Int?)
    case length(Int)
    case chunks
    /// The body ends with the connection.
    case untilEnd

    /// - Parameters:
    ///   - received: The head of the upstream's answer.
    ///   - status: The status that the client gets.
    ///   - head: The client's request.
    ///   - sendsChunks: True if an answer without a length comes in chunks.
    init(
        of received: ResponseHead,
        with status: HTTPResponseStatus,
        to head: borrowing RequestHead,
        sendsChunks: Bool = true
    ) {
        let mayHaveBody = status.mayHaveResponseBody
        guard mayHaveBody, head.method != .HEAD else {
            // The length is that of the same kind of answer, or of none.
            let isSameKind = mayHaveBody == received.status.mayHaveResponseBody
            self = .bodiless(length: isSameKind && status != .noContent ? received.length : nil)
            return
        }
        self =
            switch received.body {
            case .none where received.length != nil: .length(0)
            case .length(let count): .length(count)
            // As in nginx, that a 204 of an upstream is empty does not show where it has another status.
            case .none, .chunks, .untilEnd: head.isOldVersion || !sendsChunks ? .untilEnd : .chunks
            }
    }
}

extension ByteBuffer {
    /// Writes the header for the end of an answer; none for one that the connection ends.
    mutating func writeFraming(_ framing: AnswerFraming) {
        switch framing {
        case .bodiless(let length): if let length { writeContentLength(length) }
        case .length(let count): writeContentLength(count)
        case .chunks: writeStaticString("Transfer-Encoding: chunked\r\n")
        case .untilEnd: break
        }
    }
}
#endif
