#if Gateway
import Foundation
import NginxOracle
import Shunt
import TestFolder
import TestSettings
import Testing

@testable import ShuntGateway

/// Random rules, and random requests to a proxy that asks about them and to the gateway, which needs no proxy.
struct BesideRandom: Sendable {
    /// The number of rule sets.
    let sets: Int
    let seed: UInt64
    private let requestsPerSet = 25

    init(sets: Int, seed: UInt64) {
        self.sets = TestSettings.besideSets ?? sets
        self.seed = seed
    }

    /// Sends the same requests to both, and expects the same answers.
    ///
    /// - Parameters:
    ///   - beside: A service that the proxy asks.
    ///   - proxyPort: Where the proxy listens.
    ///   - isTaken: Whether the proxy takes requests of a method.
    ///   - status: The differences of the proxy's answers from the gateway's.
    /// - Returns: How many requests were compared.
    /// - Throws: When a connection fails.
    func compare(
        _ beside: BesideProxy,
        _ proxyPort: UInt16,
        isTaken: @escaping @Sendable (String) -> Bool = { _ in true },
        status: @escaping @Sendable (Int?) -> Int? = { $0 }
    ) async throws -> Int {
        let compared = Tally()
        let change = RunningGateway.Change { options in
            options.upstream = UpstreamAddress(beside.upstream.url)
            options.listeners = [Listener("127.0.0.1:0=0.0.0.0:80")].compactMap(\.self)
        }
        try await RunningGateway.with(["rules.conf": "server { return 200; }"], options: change) { gateway in
            for index in 0..<sets {
                let rules = RuleGenerator.make(seed: seed + UInt64(index), index: index)
                guard rules.files.isEmpty else { continue }
                var isValid = true
                for running in [beside.service, gateway] {
                    try running.directory.replace("rules.conf", String(decoding: rules.text, as: UTF8.self))
                    if await running.gateway.reload().failure != nil { isValid = false }
                }
                guard isValid else { continue }
                var generator = RequestGenerator(seed: seed + UInt64(index), rules: rules)
                let requests = (0..<requestsPerSet).map { _ in generator.make() }
                let (port, name) = (gateway.port, "seed \(seed + UInt64(index))")
                let text = String(decoding: rules.text, as: UTF8.self)
                try await Blocking.run {
                    for request in requests where Self.isPlain(request) {
                        let method = String(decoding: request.method, as: UTF8.self)
                        guard isTaken(method) else { continue }
                        let isHead = method == "HEAD"
                        let bytes = Self.bytes(request)
                        let expected = try BesideProxy.ask(port, bytes, isHead: isHead)
                        let found = try BesideProxy.ask(proxyPort, bytes, isHead: isHead)
                        compared.add()
                        let shown = "\(name)\n\(text)\n\(String(decoding: bytes, as: UTF8.self))"
                        #expect(found?.status == status(expected?.status), "\(shown)")
                        #expect(found?["Location"] == expected?["Location"], "\(shown)")
                        // An error of a proxy itself is its own page.
                        if let expected, expected.status < 300, !isHead {
                            #expect(found?.text == expected.text, "\(shown)")
                        }
                    }
                }
            }
        }
        return compared.count
    }

    /// Returns true if proxies hand a request over unchanged: not those of HTTP/1.0, nor with a host in the target.
    ///
    /// Behind a proxy the port of the Host is the port that the client asked for.
    private static func isPlain(_ request: OracleRequest) -> Bool {
        request.version == Array("HTTP/1.1".utf8) && request.target.first == UInt8(ascii: "/")
            && !request.target.contains(UInt8(ascii: "#"))
            && !request.headers.contains { $0.name == Array("Host".utf8) && $0.value.contains(UInt8(ascii: ":")) }
    }

    private static func bytes(_ request: OracleRequest) -> [UInt8] {
        var bytes = request.method + [0x20] + request.target + Array(" HTTP/1.1\r\n".utf8)
        for header in request.headers { bytes += header.name + [0x3a, 0x20] + header.value + [0x0d, 0x0a] }
        return bytes + [0x0d, 0x0a]
    }
}
#endif
