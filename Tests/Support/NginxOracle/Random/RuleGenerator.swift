/// A generated rule set: the tree, and what requests should aim at.
package struct RandomRules: Sendable {
    package var nodes: [RuleNode]
    package var files: [SupportFile] = []
    var targets = RequestTargets()

    package var text: [UInt8] { Array(RuleNode.render(nodes).utf8) }
}

/// The literals of a rule set.
struct RequestTargets: Sendable {
    var paths: [String] = []
    var hosts: [String] = []
    var values: [String] = []
    var listens: [String] = []
}

/// Makes random rule sets over everything that nginx and Shunt share.
///
/// What nginx itself gets wrong is left out: values that mix captures with a map that sets them (its match replaces them
/// while the value is being built), location names over 255 bytes, captures called `args`, and success codes in
/// `try_files` (the request is never answered).
package struct RuleGenerator {
    var random: RandomSource
    /// Begins the names of all variables, so that rule sets in one nginx do not share any.
    let prefix: String
    var targets = RequestTargets()
    var setNames: [String] = []
    var mapNames: [String] = []
    var captureNames: [String] = []
    /// Those of them that maps set.
    var mapCaptureNames = Set<String>()
    var namedLocations: [String] = []
    var errorCodes: [Int] = []
    var files: [SupportFile] = []
    var locationCount = 0
    private var nameCount = 0

    /// Makes the rule set of a seed.
    ///
    /// `index` distinguishes the rule sets of one nginx.
    package static func make(seed: UInt64, index: Int) -> RandomRules {
        var generator = RuleGenerator(random: RandomSource(seed: seed), prefix: "v\(index)")
        return generator.make()
    }

    private init(random: RandomSource, prefix: String) {
        self.random = random
        self.prefix = prefix
    }

    private mutating func make() -> RandomRules {
        if random.chance(30) {
            files = [
                SupportFile(kind: .file, path: "a", content: Array("file a".utf8)),
                SupportFile(kind: .file, path: "b/index.html", content: Array("file b/index.html".utf8)),
                SupportFile(kind: .file, path: "b/x", content: Array("file b/x".utf8)),
                SupportFile(kind: .file, path: "x/a.png", content: Array("file x/a.png".utf8)),
                SupportFile(kind: .folder, path: "ab/1"),
            ]
            targets.paths += ["/a", "/b/", "/b", "/b/x", "/x/a.png", "/ab", "/ab/1", "/ab/1/", "/b/index.html"]
        }
        targets.paths += (0..<4).map { _ in RandomNames.path(&random) }
        var nodes: [RuleNode] = []
        for _ in 0..<random.within(0...3) { nodes.append(definition()) }
        for number in 0..<random.pick([1, 1, 1, 2, 3], else: 1) { nodes.append(server(number)) }
        var rules = RandomRules(nodes: nodes, files: files, targets: targets)
        rules.targets.listens = RuleText(rules.text).listens
        return rules
    }

    /// A new name, without a dollar.
    mutating func newName(_ kind: String) -> String {
        nameCount += 1
        return "\(prefix)\(kind)\(nameCount)"
    }

    mutating func captureName() -> String {
        // A pattern must not use a name twice, so each group gets its own.
        let name = newName("c")
        captureNames.append(name)
        return name
    }

    mutating func pathPattern() -> RandomPattern {
        let literals = targets.paths
        var names: [String] = []
        let base = nameCount
        let prefix = self.prefix
        let pattern = RandomPattern.path(&random, literals: literals) { _ in
            let name = "\(prefix)c\(base + names.count + 1)"
            names.append(name)
            return name
        }
        nameCount += names.count
        captureNames += names
        targets.paths.append(pattern.sample)
        return pattern
    }

    mutating func textPattern(_ literals: [String]) -> RandomPattern {
        var names: [String] = []
        let base = nameCount
        let prefix = self.prefix
        let pattern = RandomPattern.text(&random, literals: literals) { _ in
            let name = "\(prefix)c\(base + names.count + 1)"
            names.append(name)
            return name
        }
        nameCount += names.count
        captureNames += names
        targets.values.append(pattern.sample)
        return pattern
    }
}
