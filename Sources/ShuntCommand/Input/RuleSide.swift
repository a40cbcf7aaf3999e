import Shunt

/// One side of a comparison of rules: a path, or a revision of a git repository.
struct RuleSide {
    /// Why the rules of a side cannot be had.
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// The most bytes that a revision may have.
    private static let limit = 512 << 20

    /// What was written: a path, or `git:REVISION[:PATH]`.
    let text: String

    /// Loads the rules.
    func load(trusting trusted: [String], ignoringUnknown: Bool) throws -> LoadedRules {
        guard text.hasPrefix("git:") else {
            return try LoadedRules(path: text, trusting: trusted, ignoringUnknownDirectives: ignoringUnknown)
        }
        let parts = text.dropFirst(4).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let revision = String(parts.first ?? "")
        guard !revision.isEmpty, !revision.hasPrefix("-") else {
            throw Problem(
                description: "git: is followed by a revision, and by a path behind a colon, as in git:main:rules"
            )
        }
        let path = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
        let object = path.map { "\(revision):\($0)" } ?? revision
        let kind = try git(["cat-file", "-t", object])
        if kind.starts(with: "blob".utf8) {
            let name = path?.split(separator: "/").last.map(String.init) ?? "rules.conf"
            let files = RuleArchive(path: name, entries: [name: .file(try git(["cat-file", "blob", object]))])
            return try LoadedRules(path: name, from: files.fileSystem, ignoringUnknownDirectives: ignoringUnknown)
        }
        let name = path?.split(separator: "/").last.map(String.init) ?? "rules"
        let files: InMemoryFileSystem
        let bytes = try git(["archive", "--format=tar", object])
        do throws(TarFile.Problem) {
            files = try TarFile.read(bytes, below: name)
        } catch {
            throw Problem(description: "\(text): \(error)")
        }
        return try LoadedRules(path: name, from: files, ignoringUnknownDirectives: ignoringUnknown)
    }

    private func git(_ arguments: [String]) throws -> [UInt8] {
        do throws(SpawnedProgram.Problem) {
            return try SpawnedProgram.output(of: ["git"] + arguments, limit: Self.limit)
        } catch {
            throw Problem(description: "\(text): \(error)")
        }
    }
}
