import Shunt

#if Command && Fleet
import ShuntFleet
#endif

/// One side of a comparison of rules: a path, a revision of a git repository, or a running gateway.
struct RuleSide {
    /// The most bytes that a revision may have.
    private static let limit = 512 << 20

    /// The text: a path, `git:REVISION[:PATH]`, or the URL of an admin listener.
    let text: String

    func load(trusting trusted: [String], ignoringUnknown: Bool) throws -> LoadedRules {
        #if Command && Fleet
        if text.hasPrefix("release:") { return try released(ignoringUnknown) }
        #endif
        if text.hasPrefix("http://") || text.hasPrefix("https://") { return try served(ignoringUnknown) }
        guard text.hasPrefix("git:") else {
            return try LoadedRules(path: text, trusting: trusted, ignoringUnknownDirectives: ignoringUnknown)
        }
        let parts = text.dropFirst(4).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let revision = String(parts.first ?? "")
        guard !revision.isEmpty, !revision.hasPrefix("-") else {
            throw Problem("git: is followed by a revision, a colon and a path, as in git:main:rules")
        }
        let path = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
        let object = path.map { "\(revision):\($0)" } ?? revision
        let kind = try output(of: ["git", "cat-file", "-t", object])
        if kind.starts(with: "blob".utf8) {
            let name = path?.split(separator: "/").last.map(String.init) ?? "rules.conf"
            let bytes = try output(of: ["git", "cat-file", "blob", object])
            let files = RuleArchive(path: name, entries: [name: .file(bytes)])
            return try LoadedRules(path: name, from: files.fileSystem, ignoringUnknownDirectives: ignoringUnknown)
        }
        let name = path?.split(separator: "/").last.map(String.init) ?? "rules"
        let files: InMemoryFileSystem
        let bytes = try output(of: ["git", "archive", "--format=tar", object])
        do throws(Problem) {
            files = try TarFile.read(bytes, below: name)
        } catch {
            throw Problem("\(text): \(error)")
        }
        return try LoadedRules(path: name, from: files, ignoringUnknownDirectives: ignoringUnknown)
    }

    #if Command && Fleet
    /// The rules of a release, as `release:NUMBER@STORE`.
    private func released(_ ignoringUnknown: Bool) throws -> LoadedRules {
        let parts = text.dropFirst(8).split(separator: "@", maxSplits: 1).map(String.init)
        guard parts.count == 2, let sequence = Int(parts[0]) else {
            throw Problem("release: is followed by a number and a store, as in release:41@releases")
        }
        guard let keys = FleetRun.environment("SHUNT_FLEET_KEYS") else {
            throw Problem("\(text): name the key file of the nodes with SHUNT_FLEET_KEYS in the environment")
        }
        let (store, trusted) = (try FleetPlace.store(parts[1]), try KeyPaths.keyFile(keys))
        let archive = try FleetRun.result {
            try await store.archive(of: try await FleetReleases.release(sequence, in: store, trusted))
        }
        return try LoadedRules(compiling: archive, ignoringUnknownDirectives: ignoringUnknown)
    }
    #endif

    /// The rules in use of a gateway, which its admin listener returns.
    private func served(_ ignoringUnknown: Bool) throws -> LoadedRules {
        let url = (text.hasSuffix("/") ? String(text.dropLast()) : text) + "/archive"
        let bytes = try output(of: ["curl", "--silent", "--show-error", "--fail", "--max-time", "60", "--", url])
        do {
            let archive = try LastKnownGoodFormat(decoding: bytes).archive
            return try LoadedRules(compiling: archive, ignoringUnknownDirectives: ignoringUnknown)
        } catch let error as LastKnownGoodFormat.DecodingError {
            throw Problem("\(url) has no rules of a gateway: \(error)")
        }
    }

    /// All that a program writes about the side.
    func output(of command: [String], limit: Int = limit) throws -> [UInt8] {
        do throws(Problem) {
            return try SpawnedProgram.output(of: command, limit: limit)
        } catch {
            throw Problem("\(text): \(error)")
        }
    }
}
