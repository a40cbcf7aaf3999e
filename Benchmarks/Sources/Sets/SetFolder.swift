import Foundation
import Shunt
import ShuntTools
import Workloads

/// A folder with `rules/` and `urls.txt`, one request a line as `shunt run` reads it.
///
/// There may also be `title`, `without.conf` with rules to compare with or `beside` with the name of a set, and
/// `nginx.conf` with `nginx-answer`.
struct SetFolder {
    var path: String

    var name: String { URL(fileURLWithPath: path).lastPathComponent }
    var title: String { text("title") ?? name }
    var rules: String { "\(path)/rules" }
    var isForLoading: Bool { text("for-loading") != nil }
    var without: String? { text("without.conf") }
    private var beside: SetFolder? {
        text("beside").map { SetFolder(path: "\(URL(fileURLWithPath: path).deletingLastPathComponent().path)/\($0)") }
    }
    /// The directives of nginx's `http` block, and the server without rules.
    var server: (rules: String, answer: String)? {
        guard let rules = text("nginx.conf"), let answer = text("nginx-answer") else { return nil }
        return (rules, answer)
    }

    private func text(_ file: String) -> String? {
        try? String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    }

    /// Reads the lines with the requests.
    func lines() throws -> [String] {
        try String(contentsOfFile: "\(path)/urls.txt", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Reads the requests.
    func requests() throws -> [RuleRequest] {
        try lines().map { try RequestDescription(line: Array($0.utf8)).request }
    }

    /// The lookups of another set, or of the same requests by other rules, to be measured in turns with the set's own.
    func others() throws -> Lookups? {
        if let without { return Lookups(engine: Engine(try RuleSet(text: without)), requests: try requests()) }
        return try beside.map { Lookups(engine: Engine(try RuleSet(path: $0.rules)), requests: try $0.requests()) }
    }

    /// Writes the sets that are made from a seed, and the rules that ship with the project, which come first.
    ///
    /// - Parameter folder: Where; made if it is not there.
    /// - Returns: The folders.
    /// - Throws: The error of the file system.
    static func write(to folder: String) throws -> [SetFolder] {
        let manager = FileManager.default
        let shipped = "\(folder)/shipped"
        try manager.createDirectory(atPath: shipped, withIntermediateDirectories: true)
        if !manager.fileExists(atPath: "\(shipped)/rules") {
            try manager.copyItem(atPath: "rules", toPath: "\(shipped)/rules")
            try manager.copyItem(atPath: "rules/samples/urls.txt", toPath: "\(shipped)/urls.txt")
            try write("the rules that ship with Shunt", to: "\(shipped)/title")
        }
        let made = try RuleFolder.makers.map { make in
            let set = make()
            let place = "\(folder)/\(set.name)"
            for (name, text) in set.files { try write(text, to: "\(place)/rules/\(name)") }
            try write(set.requests.map { $0 + "\n" }.joined(), to: "\(place)/urls.txt")
            try write(set.title, to: "\(place)/title")
            if let without = set.without { try write(without, to: "\(place)/without.conf") }
            if let beside = set.beside { try write(beside, to: "\(place)/beside") }
            if set.isForLoading { try write("", to: "\(place)/for-loading") }
            if let server = set.server {
                try write(server.rules, to: "\(place)/nginx.conf")
                try write(server.answer, to: "\(place)/nginx-answer")
            }
            return SetFolder(path: place)
        }
        return [SetFolder(path: shipped)] + made
    }

    private static func write(_ text: String, to path: String) throws {
        let file = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// The folders with a set in a folder of the user, in the order of their names.
    static func all(in folder: String) throws -> [SetFolder] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/urls.txt") }
            .map { SetFolder(path: "\(folder)/\($0)") }
    }
}
