#if Gateway
import Logging
import NIOCore
import NIOSSL
import NIOTLS
import Shunt

/// Waits for the name that a client asks for, and then puts TLS in front of a connection, with that server's certificate.
enum TLSHandshake {
    /// The name of the handler that waits for the name.
    static let names = "names"

    /// Adds the handler; what it reads before TLS begins reaches no other.
    static func add(to channel: any Channel, _ core: GatewayCore, at endpoint: RuleRequest.Endpoint?) throws {
        let names = ByteToMessageHandler(
            SNIHandler { [weak channel] result in
                guard let channel else { return core.group.next().makeFailedFuture(ChannelError.ioOnClosedChannel) }
                return begin(result, channel: channel, core: core, at: endpoint)
            },
            // Of a client that asks for a name, this is far more than its first message has.
            maximumBufferSize: 65_536
        )
        try channel.pipeline.syncOperations.addHandler(names, name: Self.names, position: .first)
        try channel.pipeline.syncOperations.addHandler(PlainRequestHandler(), position: .first)
    }

    private static func begin(
        _ result: SNIResult,
        channel: any Channel,
        core: GatewayCore,
        at endpoint: RuleRequest.Endpoint?
    ) -> EventLoopFuture<Void> {
        let name: String? = if case .hostname(let name) = result { name } else { nil }
        do {
            let context = try core.tls.context(for: name, at: endpoint, core.store.snapshot.ruleSet)
            let operations = channel.pipeline.syncOperations
            let names = try operations.handler(type: ByteToMessageHandler<SNIHandler>.self)
            let handler = NIOSSLServerHandler(context: context)
            try operations.addHandler(handler, position: .after(names))
            try operations.addHandler(TLSSessionHandler(name: name, handler), position: .after(handler))
            return channel.eventLoop.makeSucceededVoidFuture()
        } catch {
            core.logger.debug("a handshake was refused", metadata: ["name": "\(name ?? "")", "error": "\(error)"])
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }
}
#endif
