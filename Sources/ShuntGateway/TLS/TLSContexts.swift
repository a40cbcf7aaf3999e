#if Gateway
import Logging
import NIOPosix
import NIOSSL
import ServiceLifecycle
import Shunt
import Synchronization

/// The certificates and keys that the rules name, read and ready for handshakes.
///
/// They are read when rules are loaded, and again when their files change; where reading fails, what was read before stays.
final class TLSContexts: Sendable {
    private struct Entry {
        var context: NIOSSLContext
        /// The end of the first certificate, in Unix time.
        var end: Int
        /// The contents of the files.
        var contents: Contents
    }

    /// The contents of the files of a server.
    private struct Contents: Equatable {
        var certificate: [UInt8]
        var key: [UInt8]
        var passwords: [UInt8]?
    }

    private let entries = Mutex<[TLSSettings: Entry]>([:])
    private let files: TLSFiles
    let upstreams: UpstreamTLS

    init(directory: String, files: any FileSystem = LocalFileSystem()) {
        self.files = TLSFiles(directory: directory, files: files)
        upstreams = UpstreamTLS(self.files)
    }

    /// Makes an empty table for the rules at a path.
    ///
    /// - Parameter rules: The directory or file of the rules; paths are relative to the directory.
    convenience init(rules: String) { self.init(directory: Self.directory(ofRules: rules)) }

    /// The directory of the rules at a path, which relative paths in them begin at.
    static func directory(ofRules rules: String) -> String {
        let isDirectory = (try? LocalFileSystem().attributes(rules))?.kind == .directory
        return isDirectory ? rules : rules.lastIndex(of: "/").map { String(rules[..<$0]) } ?? "."
    }

    /// Reads what a rule set needs and is not there yet.
    ///
    /// - Parameters:
    ///   - ruleSet: The rules.
    ///   - listeners: Where requests will come in.
    /// - Throws: What is wrong with the first certificate or key, or where there is none.
    func prepare(_ ruleSet: RuleSet, for listeners: [Listener]) throws(TLSError) {
        try upstreams.prepare(ruleSet)
        for listener in listeners where listener.isSecure {
            if listener.isForQUIC {
                let advice = "clients need TCP, too: add a \"listen\" with \"ssl\" for the same port"
                throw .unsupported(listener.origin ?? "\(listener)", "the gateway does not speak QUIC; \(advice)")
            }
            let settings = ruleSet.tlsSettings(for: nil, at: listener.rulesEndpoint)
            guard settings?.rejectsHandshakes == true || settings?.certificates.isEmpty == false else {
                throw .unsupported("\(listener)", "the default server has no ssl_certificate")
            }
        }
        guard listeners.contains(where: \.isSecure) else { return }
        for settings in ruleSet.tlsSettings where !settings.certificates.isEmpty {
            if entries.withLock({ $0[settings] != nil }) { continue }
            let entry = try makeEntry(settings, try contents(settings, in: ruleSet), in: ruleSet)
            entries.withLock { $0[settings] = entry }
        }
    }

    /// Forgets what no server of a rule set needs any more, and reads again what has changed, which is logged.
    ///
    /// - Returns: What could not be read.
    func refresh(_ ruleSet: RuleSet, _ logger: Logger) -> [TLSError] {
        let needed = Set(ruleSet.tlsSettings)
        var failures = upstreams.refresh(ruleSet)
        var renewed: Set<[UInt8]> = []
        for (settings, entry) in entries.withLock({ $0 }) {
            guard needed.contains(settings) else {
                entries.withLock { $0[settings] = nil }
                continue
            }
            do throws(TLSError) {
                let contents = try contents(settings, in: ruleSet)
                guard contents != entry.contents else { continue }
                let entry = try makeEntry(settings, contents, in: ruleSet)
                entries.withLock { $0[settings] = entry }
                renewed.insert(settings.certificates[0])
            } catch {
                failures.append(error)
            }
        }
        for file in renewed { logger.notice("the new \(String(decoding: file, as: UTF8.self)) is in use") }
        return failures
    }

    /// The context for a handshake.
    ///
    /// - Parameters:
    ///   - name: The name that the client asks for.
    ///   - endpoint: Where it asks.
    ///   - ruleSet: The rules in use.
    /// - Returns: The context of the server that the client asks for.
    /// - Throws: Why there is none.
    func context(
        for name: String?,
        at endpoint: RuleRequest.Endpoint?,
        _ ruleSet: RuleSet
    ) throws(TLSError) -> NIOSSLContext {
        let named = ruleSet.tlsSettings(for: name, at: endpoint)
        if named?.rejectsHandshakes == true { throw .rejected }
        // As in nginx, a server without a certificate shows that of the default server.
        let hasOwn = named?.certificates.isEmpty == false
        guard let settings = hasOwn ? named : ruleSet.tlsSettings(for: nil, at: endpoint),
            let entry = entries.withLock({ $0[settings] })
        else { throw .noCertificate }
        return entry.context
    }

    /// The ends of the certificates in use, in Unix time, by the paths in the rules.
    var expirations: [String: Int] {
        entries.withLock { entries in
            Dictionary(
                entries.map { (String(decoding: $0.key.certificates.first ?? [], as: UTF8.self), $0.value.end) },
                uniquingKeysWith: min
            )
        }
    }

    // MARK: Reading

    private func contents(_ settings: TLSSettings, in ruleSet: RuleSet) throws(TLSError) -> Contents {
        let place = place(settings, in: ruleSet)
        guard settings.certificates.count == 1, settings.keys.count == 1 else {
            throw .unsupported(place, "a server has one ssl_certificate and one ssl_certificate_key")
        }
        return Contents(
            certificate: try files.read(settings.certificates[0], at: place),
            key: try files.read(settings.keys[0], at: place),
            passwords: try settings.passwordFile.map { (path) throws(TLSError) in try files.read(path, at: place) }
        )
    }

    private func makeEntry(
        _ settings: TLSSettings,
        _ contents: Contents,
        in ruleSet: RuleSet
    ) throws(TLSError) -> Entry {
        let place = place(settings, in: ruleSet)
        let versions = settings.versions.sorted().compactMap(\.supported)
        guard let first = versions.first, let last = versions.last else {
            throw .unsupported(place, "ssl_protocols names no version that is still spoken")
        }
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(contents.certificate)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try TLSFiles.key(contents.key, passwords: contents.passwords))
            )
            configuration.minimumTLSVersion = first
            configuration.maximumTLSVersion = last
            configuration.applicationProtocols = ["http/1.1"]
            return Entry(
                context: try NIOSSLContext(configuration: configuration),
                end: chain.first.map { Int($0.notValidAfter) } ?? 0,
                contents: contents
            )
        } catch {
            let certificate = String(decoding: settings.certificates[0], as: UTF8.self)
            let key = String(decoding: settings.keys[0], as: UTF8.self)
            throw .unreadable(place, "\(certificate) with the key \(key)", TLSFiles.words(for: error))
        }
    }

    private func place(_ settings: TLSSettings, in ruleSet: RuleSet) -> String {
        ruleSet.location(of: settings.position).map { "\($0)" } ?? ""
    }
}

extension TLSSettings.Version {
    /// The version as the library has it; nil for those that it does not speak any more.
    var supported: TLSVersion? {
        switch self {
        case .ssl2, .ssl3: nil
        case .tls10: .tlsv1
        case .tls11: .tlsv11
        case .tls12: .tlsv12
        case .tls13: .tlsv13
        }
    }
}

/// Reads certificates again after their files have changed, while the gateway runs.
struct CertificateWatch: Service {
    /// The interval between two checks of the files.
    static let interval: Duration = .seconds(10)

    let contexts: TLSContexts
    let store: RuleStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var known: Set<TLSError> = []
            while (try? await Task.sleep(for: Self.interval)) != nil {
                let failures = try? await NIOThreadPool.singleton.runIfActive { [contexts, store, logger] in
                    contexts.refresh(store.snapshot.ruleSet, logger)
                }
                // A file that stays wrong is reported once.
                for failure in failures ?? [] where !known.contains(failure) {
                    logger.warning("\(failure); the certificate read before stays in use")
                }
                known = Set(failures ?? [])
            }
        }
    }
}
#endif
