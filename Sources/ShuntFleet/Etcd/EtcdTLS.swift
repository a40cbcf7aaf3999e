#if Fleet
import NIOSSL
import ShuntCore
import Synchronization

/// The TLS configuration for etcd, from files that may be replaced while it is used.
final class EtcdTLS: Sendable {
    private struct State {
        var files: [[UInt8]] = []
        var configuration: TLSConfiguration?
    }

    private static let longestFile = 1 << 20
    private let paths: [String?]
    private let state = Mutex(State())

    init(_ options: EtcdOptions) { paths = [options.authorities, options.certificate, options.key] }

    /// Returns the configuration for a new connection: the same value as long as the files are the same.
    ///
    /// Files that cannot be read, as while they are being replaced, leave it as it was.
    func configuration() throws(EtcdError) -> TLSConfiguration {
        do {
            return try state.withLock { state throws(EtcdError) in
                var files: [[UInt8]] = []
                for path in paths {
                    files.append(try path.map { path throws(EtcdError) in try Self.read(path) } ?? [])
                }
                if let known = state.configuration, state.files == files { return known }
                let made = try configuration(files)
                (state.files, state.configuration) = (files, made)
                return made
            }
        } catch {
            if let known = state.withLock({ $0.configuration }) { return known }
            throw error
        }
    }

    private func configuration(_ files: [[UInt8]]) throws(EtcdError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        // No h2: its stack ends connections that see many control frames.
        configuration.applicationProtocols = ["http/1.1"]
        func part<Value>(_ index: Int, _ make: ([UInt8]) throws -> Value) throws(EtcdError) -> Value? {
            guard let path = paths[index] else { return nil }
            do {
                return try make(files[index])
            } catch {
                throw EtcdError(.refused, "\(path): it cannot be used for TLS: \(error)")
            }
        }
        if let authorities = try part(0, { try NIOSSLCertificate.fromPEMBytes($0) }) {
            configuration.trustRoots = .certificates(authorities)
        }
        if let chain = try part(1, { try NIOSSLCertificate.fromPEMBytes($0) }) {
            configuration.certificateChain = chain.map { .certificate($0) }
        }
        if let key = try part(2, { try NIOSSLPrivateKey(bytes: $0, format: .pem) }) {
            configuration.privateKey = .privateKey(key)
        }
        return configuration
    }

    private static func read(_ path: String) throws(EtcdError) -> [UInt8] {
        do {
            return try LocalFileStorage().read(path, limit: longestFile)
        } catch {
            throw EtcdError(.refused, "\(path): \(error)")
        }
    }
}
#endif
