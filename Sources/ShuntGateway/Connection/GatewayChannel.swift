#if Gateway
import NIOCore

/// The set-up of a connection of the gateway.
///
/// Decisions are made where requests are parsed, on the event loop and on the request line as it was sent: one handler reads the
/// bytes that come, and writes those that go.
struct GatewayChannel: Sendable {
    let core: GatewayCore
    let listener: Listener

    func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let listener = listener.listener(at: channel.localAddress?.ipAddress)
            let operations = channel.pipeline.syncOperations
            let rules = core.rules(on: channel.eventLoop)
            try operations.addHandler(ConnectionHandler(core: core, rules: rules, listener: listener))
            if listener.isSecure {
                let local = channel.localAddress
                try TLSHandshake.add(
                    to: channel,
                    core,
                    at: listener.endpoint(localAddress: local?.ipAddress, port: local?.port)
                )
            }
            if listener.takesProxyProtocol {
                try operations.addHandler(ProxyPrefaceHandler(logger: core.logger), position: .first)
            }
        }
    }
}
#endif
