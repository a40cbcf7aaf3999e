#if Gateway
import NIOCore
import NIOHTTP1

/// Refuses what an upstream may not say, before the HTTP client believes it.
///
/// The client takes each head below 200 for an interim one, as it takes 101 for the last: after a status below 100 it ends the
/// process, and after a 101, which nobody asked for, nothing ends the request.
final class ResponseGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// An upstream that does not speak HTTP as it was asked to.
    enum Violation: Error, CustomStringConvertible {
        case status(UInt)
        case tooManyInterimResponses
        case noResponse

        var description: String {
            switch self {
            case .status(let code): "the upstream answered with the status \(code), which it may not send"
            case .tooManyInterimResponses: "the upstream sent more than \(ResponseGuard.interimLimit) interim responses"
            case .noResponse: "the upstream closed a new connection without a response"
            }
        }
    }

    /// How many responses below 200 may come before the one that counts.
    static let interimLimit = 32

    private var interimCount = 0
    private var hasFailed = false
    private var hasAnswered = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasFailed { return }
        if case .head(let head) = unwrapInboundIn(data) {
            switch head.status.code {
            case 200...999:
                interimCount = 0
                hasAnswered = true
            case 100, 102...199:
                interimCount += 1
                if interimCount > Self.interimLimit { return fail(.tooManyInterimResponses, context) }
            default:
                return fail(.status(head.status.code), context)
            }
        }
        context.fireChannelRead(data)
    }

    /// A new connection that is closed is not one that was closed because it was idle, after which a request is made again.
    func channelInactive(context: ChannelHandlerContext) {
        if !hasAnswered, !hasFailed {
            hasFailed = true
            context.fireErrorCaught(Violation.noResponse)
        }
        context.fireChannelInactive()
    }

    private func fail(_ violation: Violation, _ context: ChannelHandlerContext) {
        hasFailed = true
        context.fireErrorCaught(violation)
        context.close(promise: nil)
    }
}
#endif
