#if Gateway
import AsyncHTTPClient
import Glibc
import NIOCore

/// Why an upstream did not answer.
struct UpstreamFailure: Sendable {
    /// Whether it took too long; otherwise it could not be reached, or broke off.
    let isTimeout: Bool
    let text: String

    init(_ error: any Error) {
        switch error as? HTTPClientError {
        case .connectTimeout?, .readTimeout?, .writeTimeout?, .deadlineExceeded?, .getConnectionFromPoolTimeout?,
            .tlsHandshakeTimeout?:
            isTimeout = true
        default:
            isTimeout = false
        }
        text = String(describing: error)
    }

    /// Whether the connection was closed under the request: an idle one that the upstream closed at the same moment is
    /// no failure of the upstream, and asking again on a new one may go well.
    static func isLostConnection(_ error: any Error) -> Bool {
        if let error = error as? HTTPClientError { return error == .remoteConnectionClosed }
        if let error = error as? ChannelError { return error == .ioOnClosedChannel || error == .alreadyClosed }
        if let error = error as? IOError { return error.errnoCode == ECONNRESET || error.errnoCode == EPIPE }
        return false
    }
}
#endif
