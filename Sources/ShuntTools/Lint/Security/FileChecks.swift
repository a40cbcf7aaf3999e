import Shunt

extension LintCheck {
    static let aliasTraversal = LintCheck(
        "alias-traversal",
        group: .security,
        severity: .error,
        basis: .witness
    ) { subject in
        captured(subject)
            + subject.model.locations.compactMap { location in
                let settings = location.settings
                guard settings.isAlias, location.modifier.isPrefix, location.name.last != UInt8(ascii: "/"),
                    let alias = settings.root?.constant,
                    case .confirmed(let request) = subject.verdict(.location(location)),
                    case .target(_, let host) = request.request.subject
                else { return nil }
                let endsInSlash = alias.last == UInt8(ascii: "/")
                let tail = endsInSlash ? "../secret" : "a"
                var asked = request.request
                asked.subject = .target(RequestAssembly.encoded(location.name + Array(tail.utf8)), host: host)
                let decision = subject.decide(RequestDescription(asked)).decision
                guard let path = subject.file(askedBy: asked),
                    path.contains(endsInSlash ? "/../" : String(decoding: alias, as: UTF8.self) + "a")
                else { return nil }
                let position = settings.rootPosition ?? location.position
                var finding = LintFound(
                    position,
                    endsInSlash
                        ? "a request can leave the folder of this alias"
                        : "names that begin like the location are looked up next to the folder",
                    advice: "write location \(String(decoding: location.name, as: UTF8.self))/"
                )
                if !endsInSlash { finding.severity = .warning }
                let witness = LintWitness(request: RequestDescription(asked), decision: decision)
                return finding.shown(by: [witness])
                    .remarking("confirmed: \(RequestDescription(asked)) requests the file \(path)")
            }
    }

    /// Locations by an expression whose capture leads out of the folder.
    private static func captured(_ subject: LintSubject) -> [LintFound] {
        let probe = TargetProbe(subject)
        return subject.model.locations.compactMap { location in
            let settings = location.settings
            guard settings.isAlias, let root = settings.root, location.modifier.isRegex,
                let choice = probe.choices(of: root).first, !choice.before.isEmpty
            else { return nil }
            var path = ""
            func witness(_ capture: String, asking wanted: String) -> LintWitness? {
                probe.witness(giving: choice.part, Array(capture.utf8), to: .location(location)) { witness in
                    path = subject.file(askedBy: witness.request.request) ?? ""
                    return path.contains(wanted)
                }
            }
            let position = settings.rootPosition ?? location.position
            let folder = String(decoding: choice.before, as: UTF8.self)
            if choice.before.hasSuffix("/") {
                guard let found = witness("../secret", asking: "/../") else { return nil }
                return LintFound(
                    position,
                    "a request can leave the folder of this alias",
                    advice: "write a slash before the group, in the expression and in the alias"
                )
                .shown(by: [found]).remarking("confirmed: \(found.request) requests the file \(path)")
            }
            // A group that may have a slash is for what is in the folder.
            guard witness("a/b", asking: folder + "a/b") != nil, let found = witness("a", asking: folder + "a") else {
                return nil
            }
            var finding = LintFound(
                position,
                "names that begin like the location are looked up next to the folder",
                advice: "write a slash before the group, in the expression and in the alias"
            )
            finding.severity = .warning
            return finding.shown(by: [found]).remarking("confirmed: \(found.request) requests the file \(path)")
        }
    }

    static let filesystemRootExposure = LintCheck(
        "filesystem-root-exposure",
        group: .security,
        severity: .error,
        basis: .structure
    ) { subject in
        ["root", "alias"].flatMap { subject.tree.named[$0] ?? [] }.sorted()
            .compactMap { node in
                guard let word = subject.tree.nodes[node].arguments.first, word.bytes.first == UInt8(ascii: "/") else {
                    return nil
                }
                var depth = 0
                for part in word.text.split(separator: "/") where part != "." {
                    depth = part == ".." ? max(0, depth - 1) : depth + 1
                }
                return depth == 0
                    ? LintFound(word, "this is the root of the file system", advice: "name the folder that is meant")
                    : nil
            }
    }

    static let secretInRules = LintCheck(
        "secret-in-rules",
        group: .security,
        severity: .note,
        basis: .structure
    ) { subject in
        var found: [LintFound] = []
        for node in subject.tree.nodes {
            if node.name == "secure_link_secret", let word = node.arguments.first {
                found.append(
                    LintFound(
                        word,
                        "the secret of the links is in a rule file",
                        advice: "use secure_link with a key that few can read"
                    )
                )
            }
            for word in node.arguments where hasPassword(word.text) {
                found.append(
                    LintFound(word, "this URL contains a password", advice: "send it in a header from another place")
                )
            }
        }
        return found
    }

    /// Returns true if a URL has a user with a password.
    private static func hasPassword(_ text: String) -> Bool {
        guard let mark = text.firstRange(of: "://") else { return false }
        let authority = text[mark.upperBound...].prefix { !"/?# ".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return false
        }
        let password = authority[authority.index(after: colon)..<at]
        return !password.isEmpty && password.allSatisfy { $0.isLetter || $0.isNumber || "-_.!~".contains($0) }
            && authority[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }
}

extension LintSubject {
    /// The first file that a request asks for.
    func file(askedBy request: RuleRequest) -> String? {
        let recorder = RecordingFiles()
        var options = Engine.Options()
        options.fileSystem = recorder
        _ = Engine(ruleSet, options: options).decide(request)
        return recorder.firstMissing
    }
}
