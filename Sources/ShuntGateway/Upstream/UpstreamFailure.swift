#if Gateway
import NIOCore
import NIOSSL

/// The reason why an upstream did not answer.
struct UpstreamFailure: Error, Sendable {
    enum Kind: Sendable {
        /// No connection was opened, so nothing was sent.
        case unreachable
        /// The connection broke off.
        case lost
        /// It took too long.
        case timeout
        /// It answered with something that is not a response.
        case malformed
        /// There is no server to try: all of its group are out of use.
        case noServer
    }

    let kind: Kind
    let text: String
    /// True if nothing was sent.
    let isUnsent: Bool
    /// True if TLS could not be agreed on.
    var isHandshake = false

    /// True if it took too long; otherwise it could not be reached, or broke off.
    var isTimeout: Bool { kind == .timeout }

    /// No server of a group may be tried.
    static let noServer = UpstreamFailure(kind: .noServer, text: "no live servers", isUnsent: true)
    /// All connections that there may be are in use.
    static let noConnection = UpstreamFailure(
        kind: .timeout,
        text: "no connection to the upstream became free in time",
        isUnsent: true
    )
    /// It did not take the request, or did not answer, in time.
    static let timeout = UpstreamFailure(kind: .timeout, text: "the upstream timed out", isUnsent: false)
    /// It closed the connection before it answered.
    static let closed = UpstreamFailure(
        kind: .lost,
        text: "the upstream closed the connection without a response",
        isUnsent: false
    )

    private init(kind: Kind, text: String, isUnsent: Bool) {
        self.kind = kind
        self.text = text
        self.isUnsent = isUnsent
    }

    /// It answered with a status after which another server is tried.
    init(status: UInt) {
        self.init(kind: .lost, text: "the upstream answered with the status \(status)", isUnsent: false)
    }

    /// No connection could be made.
    init(connecting error: any Error) {
        text = String(describing: error)
        isUnsent = true
        if let error = error as? ChannelError, case .connectTimeout = error {
            kind = .timeout
        } else {
            kind = .unreachable
        }
    }

    /// A connection ended by an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - isSecured: Whether nothing is between the request and the upstream any more, as a handshake of TLS would.
    init(_ error: any Error, isSecured: Bool) {
        text = String(describing: error)
        isUnsent = !isSecured
        isHandshake = !isSecured
        kind =
            switch error {
            case ResponseFailure.brokenOff: .lost
            case is ResponseFailure: .malformed
            default: isSecured ? .lost : .unreachable
            }
    }
}
#endif
