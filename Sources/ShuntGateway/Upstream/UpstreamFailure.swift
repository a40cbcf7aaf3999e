#if Gateway
import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Why an upstream did not answer.
struct UpstreamFailure: Error, Sendable {
    /// What went wrong.
    enum Kind: Sendable {
        /// No connection was made, so nothing was sent.
        case unreachable
        /// The connection broke off.
        case lost
        /// It took too long.
        case timeout
        /// It answered with something that is no response.
        case malformed
        /// There is no server to ask: all of its group are out of use.
        case noServer
    }

    let kind: Kind
    let text: String
    /// Whether nothing was sent.
    let isUnsent: Bool

    /// Whether it took too long; otherwise it could not be reached, or broke off.
    var isTimeout: Bool { kind == .timeout }

    /// No server of a group may be asked.
    static let noServer = UpstreamFailure(kind: .noServer, text: "no live servers", isUnsent: true)

    private init(kind: Kind, text: String, isUnsent: Bool) {
        self.kind = kind
        self.text = text
        self.isUnsent = isUnsent
    }

    init(_ error: any Error) {
        text = String(describing: error)
        switch error {
        case let error as HTTPClientError:
            isUnsent = [.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout].contains(error)
            switch error {
            case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout,
                .tlsHandshakeTimeout:
                kind = .timeout
            default: kind = .lost
            }
        case is NIOConnectionError:
            (kind, isUnsent) = (.unreachable, true)
        case let error as IOError:
            isUnsent = error.errnoCode == ECONNREFUSED || error.errnoCode == ENOENT || error.errnoCode == EHOSTUNREACH
            kind = isUnsent ? .unreachable : .lost
        case ResponseGuard.Violation.noResponse:
            (kind, isUnsent) = (.lost, false)
        case is ResponseGuard.Violation, is HTTPParserError:
            (kind, isUnsent) = (.malformed, false)
        default:
            (kind, isUnsent) = (.lost, false)
        }
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
