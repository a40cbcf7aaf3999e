import Foundation
import Shunt

/// Rules of a document with the outcomes that it states.
///
/// An example is one or more blocks with files (```` ```nginx ```` is the rule file `rules.conf`; a second word is another
/// name) and the blocks after them with the outcomes:
///
/// * `requests`: requests and what Shunt decides;
/// * `nginx-requests`: the same requests and what the real nginx answers;
/// * `error`: the rules are refused with this text; `nginx-error`: nginx refuses them;
/// * `warning`: the rules load with this text;
/// * `console`: commands, run where the files are, and what they print. With `repository` after the word they are run
///   at the root of the repository. With `etcd` they need one, and `FleetQuickStartTests` runs them.
///
/// A rule file behind such a block, or below another heading, begins a new example; other files belong to the rules
/// before them.
struct Example {
    var document: String
    var files: [Document.Block] = []
    var outcomes: [Document.Block] = []

    static let outcomeLanguages: Set = ["requests", "nginx-requests", "error", "nginx-error", "warning", "console"]

    /// The examples of a document.
    static func all(in document: Document) -> [Example] {
        var examples: [Example] = []
        var current = Example(document: document.path)
        var section = -1
        func finish() {
            if !current.files.isEmpty || !current.outcomes.isEmpty { examples.append(current) }
            current = Example(document: document.path)
        }
        for block in document.blocks {
            if outcomeLanguages.contains(block.language) {
                current.outcomes.append(block)
            } else if block.language == "nginx" {
                if !current.outcomes.isEmpty || section != block.section { finish() }
                current.files.append(block)
                section = block.section
            } else if block.name != nil {
                current.files.append(block)
            }
        }
        finish()
        return examples
    }

    /// The place where it begins, for messages.
    var place: String { "\(document):\((files.first ?? outcomes.first)?.line ?? 0)" }

    /// The name of a file.
    static func name(_ file: Document.Block) -> String { file.name ?? "rules.conf" }

    /// The files in memory.
    var fileSystem: InMemoryFileSystem {
        var system = InMemoryFileSystem()
        for file in files { system.set(Self.name(file), .file(Array(file.text.utf8))) }
        return system
    }

    /// The path that is loaded: the directory `rules` if a file is in it, else the first file.
    var rulesPath: String {
        let names = files.map(Self.name)
        return names.contains { $0.hasPrefix("rules/") } ? "rules" : names.first ?? "rules.conf"
    }

    func load() throws(RuleSetError) -> RuleSet {
        try RuleSet(path: rulesPath, from: fileSystem)
    }

    /// The engine, which sees the files of the example.
    func engine(_ ruleSet: RuleSet, isLinear: Bool) -> Engine {
        var options = Engine.Options()
        options.fileSystem = fileSystem
        options.isLinear = isLinear
        return Engine(ruleSet, options: options)
    }

    /// True if the type of a body is worth a line.
    var showsTypes: Bool {
        files.contains { $0.text.contains("default_type") || $0.text.contains("types {") }
    }
}
