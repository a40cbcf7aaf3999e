#if Gateway
import Shunt
import ShuntCore
import ShuntGateway
import Testing

extension RunningGateway {
    /// Expects that a gateway and nginx with the same rules have the same answers.
    ///
    /// - Parameters:
    ///   - rules: The rules, with a `listen 80;`.
    ///   - change: The change of the gateway's options; by default it reads files.
    ///   - location: The test.
    ///   - answer: Asks at a port.
    /// - Throws: The error of the gateway, of nginx, or of asking.
    static func expectAsNginx<Answer: Equatable & Sendable>(
        _ rules: String,
        options change: Change = Change { $0.engine.fileSystem = LocalFileSystem() },
        at location: Testing.SourceLocation = #_sourceLocation,
        _ answer: @escaping @Sendable (_ port: UInt16) throws -> Answer
    ) async throws {
        try await with(["r.conf": rules], options: change) { (gateway) async throws in
            let port = gateway.port
            let (found, expected) = try await Blocking.run {
                (try answer(port), try RealNginx.with(rules) { try answer($0) })
            }
            #expect(found == expected, sourceLocation: location)
        }
    }
}
#endif
