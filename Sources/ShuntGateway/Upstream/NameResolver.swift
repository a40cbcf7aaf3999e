#if Gateway
import NIOCore
import NIOPosix
import ShuntCore

/// The failure to connect to a name that has no address.
struct UnknownHost: Error, CustomStringConvertible {
    let name: String

    var description: String { "the host \(name) has no address" }
}

/// Looks a name up for one connection, in the table that all event loops share.
final class NameResolver: Resolver, Sendable {
    private let names: NameTable
    private let loop: any EventLoop

    init(_ names: NameTable, on loop: any EventLoop) { (self.names, self.loop) = (names, loop) }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port: port, .inet)
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port: port, .inet6)
    }

    /// Others may wait for the same answer.
    func cancelQueries() {}

    private func addresses(
        of host: String,
        port: Int,
        _ family: NIOBSDSocket.ProtocolFamily
    ) -> EventLoopFuture<[SocketAddress]> {
        let promise = loop.makePromise(of: [SocketAddress].self)
        // The system would take 127.1, 2130706433 and 0x7f.1 for addresses, which no rule on addresses expects.
        guard !Self.endsInNumber(host) else {
            promise.fail(UnknownHost(name: host))
            return promise.futureResult
        }
        names.find(host) { found in
            guard !found.isEmpty else { return promise.fail(UnknownHost(name: host)) }
            let addresses = found.compactMap { try? SocketAddress(ipAddress: $0, port: port) }
            promise.succeed(addresses.filter { $0.protocol == family })
        }
        return promise.futureResult
    }

    /// Returns true for a host whose last label is a number, decimal or hexadecimal: no name of the DNS ends so.
    ///
    /// Source: https://url.spec.whatwg.org/#ends-in-a-number-checker
    static func endsInNumber(_ host: String) -> Bool {
        guard let last = host.split(separator: ".").last?.utf8 else { return false }
        return last.allSatisfy(\.isASCIIDigit)
            || last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy { $0.hexadecimalValue != nil }
    }
}
#endif
