#if Hummingbird
import HTTPTypes
public import Hummingbird
public import NIOCore
public import Shunt

extension RuleRequest {
    /// Creates the request that rules decide about of one of Hummingbird.
    ///
    /// It is nil if it is unknown which host is meant: refuse such a request with 400.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - channel: The connection that it came in on, for the addresses; without one rules see the loopback address.
    public init?(_ request: Hummingbird.Request, channel: (any Channel)? = nil) {
        // The Host goes in as a header among the others, so that a second one is seen and refused.
        self.init(target: Array((request.head.path ?? "").utf8), host: nil)
        headers.reserveCapacity(request.headers.count + 1)
        if let authority = request.head.authority {
            let usualPort = request.head.scheme == "https" ? 443 : 80
            guard let host = HostAndPort(Array(authority.utf8).span, usualPort: usualPort) else { return nil }
            headers.append(Header("Host", host.description))
        }
        methodBytes = Array(request.method.rawValue.utf8)
        for field in request.headers { headers.append(Header(field.name.rawName, field.value)) }
        if let channel { take(channel) }
    }

    /// Takes the addresses of a connection; without any of both it is one within the process.
    package mutating func take(_ channel: any Channel) {
        let (client, server) = (channel.remoteAddress, channel.localAddress)
        if client != nil || server != nil { take(client: client) }
        if let server, let text = server.ipAddress, let port = server.port {
            listen = Endpoint(address: text, port: port)
        }
    }

    /// Takes the client's address.
    ///
    /// Without an IP address the client is not on this machine for rules: as in nginx, it is at a Unix socket.
    package mutating func take(client: SocketAddress?) {
        remoteAddress = client?.ipAddress ?? "unix:"
        remotePort = client?.port ?? 0
    }
}
#endif
