#if Hummingbird && Modules
import Hummingbird
public import HummingbirdCore
public import NIOCore
public import ShuntLinks
public import ShuntInterfaces
public import ShuntRules

/// A bridge at a path of a server: a WebSocket, `POST` for pages that only call, and the client at the path with `.js`.
///
/// ```swift
/// let door = BridgeDoor(bridge, at: "/bridge")
/// let app = Application(responder: door.responder(otherwise: router.buildResponder()), server: door.server())
/// ```
public struct BridgeDoor: Sendable {
    let bridge: Bridge
    let path: String
    let values: @Sendable (RuleRequest) throws -> CallValues
    /// The time between two pings; a page that has sent nothing in between is gone.
    public var pingInterval = TimeAmount.seconds(30)
    /// The time in which a page answers the end of a connection.
    public var closeTime = TimeAmount.seconds(2)

    /// Makes a door at a path.
    ///
    /// The values travel with the calls, such as the session of a cookie of the request that opens the connection. An
    /// error refuses the request with the status of `LinkStatus`.
    public init(
        _ bridge: Bridge,
        at path: String,
        values: @escaping @Sendable (RuleRequest) throws -> CallValues = { _ in CallValues() }
    ) {
        self.bridge = bridge
        self.path = path
        self.values = values
    }

    /// The responder for `POST` and the client; `wrapped` is for all other paths.
    public func responder<Wrapped>(otherwise wrapped: Wrapped) -> BridgeResponder<Wrapped> {
        BridgeResponder(self, otherwise: wrapped)
    }

    /// The server that upgrades connections to WebSockets: a builder, which `.tls` may wrap.
    public func server(_ configuration: HTTP1Channel.Configuration = .init()) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            BridgeChannel(door: self, http: HTTP1Channel(responder: responder, configuration: configuration))
        }
    }
}
#endif
