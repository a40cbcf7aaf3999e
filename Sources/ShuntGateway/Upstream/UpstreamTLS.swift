#if Gateway
import NIOCore
import NIOSSL
import Shunt
import Synchronization

/// The server at the other end of a connection with TLS; connections for other settings or names are other connections.
final class UpstreamTLSPeer: Sendable, Hashable {
    /// The name that its certificate has to be for, where that is checked.
    let name: String
    let settings: UpstreamTLSSettings

    init(_ name: String, _ settings: UpstreamTLSSettings) {
        self.name = name
        self.settings = settings
    }

    static func == (first: UpstreamTLSPeer, second: UpstreamTLSPeer) -> Bool {
        first === second || first.name == second.name && first.settings == second.settings
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(settings)
    }
}

/// TLS to upstreams, as the `proxy_ssl_` directives require.
///
/// Files are read when rules are loaded, and again when they change; if that fails, the content read before stays in use.
final class UpstreamTLS: Sendable {
    /// The contents of the files of some settings.
    private struct Contents: Equatable {
        var authorities: [UInt8]?
        var certificate: [UInt8]?
        var key: [UInt8]?
        var passwords: [UInt8]?
    }

    private struct Entry {
        var context: NIOSSLContext
        var contents: Contents
    }

    private let files: TLSFiles
    private let entries = Mutex<[UpstreamTLSSettings: Entry]>([:])

    init(_ files: TLSFiles) { self.files = files }

    /// Reads the files of a rule set that are not known yet.
    ///
    /// - Throws: The first thing that is wrong with one of them.
    func prepare(_ ruleSet: RuleSet) throws(TLSError) {
        for (settings, place) in ruleSet.upstreamTLS where entries.withLock({ $0[settings] == nil }) {
            let contents = try contents(settings, at: Self.text(place))
            let entry = try makeEntry(settings, contents, at: Self.text(place))
            entries.withLock { $0[settings] = entry }
        }
    }

    /// Forgets the settings that a rule set does not have, and reads files again that have changed.
    ///
    /// - Returns: The files that could not be read.
    func refresh(_ ruleSet: RuleSet) -> [TLSError] {
        let needed = ruleSet.upstreamTLS
        entries.withLock { entries in
            entries = entries.filter { entry in needed.contains { $0.settings == entry.key } }
        }
        var failures: [TLSError] = []
        for (settings, place) in needed {
            do throws(TLSError) {
                let contents = try contents(settings, at: Self.text(place))
                guard entries.withLock({ $0[settings]?.contents != contents }) else { continue }
                let entry = try makeEntry(settings, contents, at: Self.text(place))
                entries.withLock { $0[settings] = entry }
            } catch {
                failures.append(error)
            }
        }
        return failures
    }

    /// A handler for a connection to a server.
    func handler(for peer: UpstreamTLSPeer) throws -> NIOSSLClientHandler {
        let known = entries.withLock { $0[peer.settings]?.context }
        let context = try known ?? addUsual(peer.settings)
        // The certificate of an address has to name the address that the connection has.
        let isAddress = (try? SocketAddress(ipAddress: peer.name, port: 0)) != nil
        // As in nginx no name is sent where proxy_ssl_name comes out empty, and no certificate has that one.
        let isNamed = peer.settings.sendsName && !peer.name.isEmpty || peer.settings.verifies
        return try NIOSSLClientHandler(context: context, serverHostname: isNamed && !isAddress ? peer.name : nil)
    }

    /// The context of settings that no rule set has prepared: those of `--upstream`, and of rules that serve no more.
    private func addUsual(_ settings: UpstreamTLSSettings) throws(TLSError) -> NIOSSLContext {
        let contents = try contents(settings, at: "")
        let entry = try makeEntry(settings, contents, at: "")
        entries.withLock { $0[settings] = entry }
        return entry.context
    }

    private static func text(_ place: SourceLocation?) -> String { place.map { "\($0)" } ?? "" }

    private func contents(_ settings: UpstreamTLSSettings, at place: String) throws(TLSError) -> Contents {
        guard (settings.certificate == nil) == (settings.key == nil) else {
            throw .unsupported(place, "a proxy_ssl_certificate has a proxy_ssl_certificate_key")
        }
        func read(_ file: [UInt8]?) throws(TLSError) -> [UInt8]? {
            guard let file else { return nil }
            return try files.read(file, at: place)
        }
        return Contents(
            authorities: settings.verifies ? try read(settings.authorities) : nil,
            certificate: try read(settings.certificate),
            key: try read(settings.key),
            passwords: try read(settings.passwordFile)
        )
    }

    private func makeEntry(
        _ settings: UpstreamTLSSettings,
        _ contents: Contents,
        at place: String
    ) throws(TLSError) -> Entry {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = settings.verifies ? .fullVerification : .none
        configuration.applicationProtocols = ["http/1.1"]
        if let versions = settings.versions?.sorted().compactMap(\.supported) {
            guard let first = versions.first, let last = versions.last else {
                throw .unsupported(place, "proxy_ssl_protocols names no version that is still spoken")
            }
            configuration.minimumTLSVersion = first
            configuration.maximumTLSVersion = last
        }
        do {
            if let authorities = contents.authorities {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(authorities))
            }
            if let certificate = contents.certificate, let key = contents.key {
                configuration.certificateChain = try NIOSSLCertificate.fromPEMBytes(certificate)
                    .map { .certificate($0) }
                configuration.privateKey = .privateKey(try TLSFiles.key(key, passwords: contents.passwords))
            }
            return Entry(context: try NIOSSLContext(configuration: configuration), contents: contents)
        } catch {
            let names = [settings.authorities, settings.certificate, settings.key].compactMap { $0 }
            let files = names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
            throw .unreadable(place, files, TLSFiles.words(for: error))
        }
    }
}
#endif
