import Foundation
import Shunt
import Testing

/// The rules that ship with the project, and what they decide.
struct ExampleRules {
    private let engine: Engine

    /// The folder with the rules.
    static var folder: URL {
        URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("rules")
    }

    /// The files of the rule set with their text, by their paths below the folder.
    static func files() throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".conf") || name.hasPrefix("lists/") {
            files[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        return files
    }

    /// The lines of the file with the sample requests.
    static func samples() throws -> [String] {
        try String(contentsOf: folder.appendingPathComponent("samples/urls.txt"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// Loads rules from text instead of the folder.
    init(_ files: [String: String], isLinear: Bool = false) throws {
        let ruleSet = try RuleSet(
            path: "/rules",
            from: InMemoryFileSystem(Dictionary(uniqueKeysWithValues: files.map { ("/rules/" + $0, $1) }))
        )
        var options = Engine.Options()
        options.isLinear = isLinear
        engine = Engine(ruleSet, options: options)
    }

    /// The warnings about the rules and the routes.
    var warnings: [Diagnostic] { engine.ruleSet.diagnostics }

    /// Decides about a request.
    func decision(about request: RuleRequest) -> Decision { engine.decide(request) }

    /// The decision with a trace.
    func explanation(of request: RuleRequest) -> (decision: Decision, trace: Trace) { engine.explain(request) }
}

/// A sample request, read from its line.
struct ExampleRequest {
    /// The line.
    let line: String
    /// The request that is decided.
    let request: RuleRequest

    /// A request that names no time is made on an ordinary day.
    private static let ordinaryTime = "2026-02-03T04:05:06Z"

    init(_ line: String) throws {
        self.line = line
        var request: RuleRequest
        var time = Self.ordinaryTime
        if line.hasPrefix("{") {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                "\(line)"
            )
            if let url = object["url"] as? String {
                request = RuleRequest(url: url)
            } else {
                let target = try #require(object["target"] as? String, "\(line)")
                request = RuleRequest(target: target, host: object["host"] as? String)
            }
            if let method = object["method"] as? String { request.method = method }
            if let headers = object["headers"] as? [String: String] {
                request.headers = headers.sorted { $0.key < $1.key }.map { RuleRequest.Header($0.key, $0.value) }
            }
            if let input = object["input"] as? [String: String] {
                request.inputs = RequestInputs(input)
            }
            if let address = object["remote_addr"] as? String { request.remoteAddress = address }
            if let port = object["listen"] as? String {
                request.listen = RuleRequest.Endpoint(port: try #require(Int(port), "\(line)"))
            }
            time = object["time"] as? String ?? time
        } else {
            request = RuleRequest(url: line)
        }
        request.time = try Timestamp(time)
        self.request = request
    }
}

extension Decision {
    /// The decision on one line: decision, status, URL, body, rule, headers, route.
    var text: String {
        var words = [kind.rawValue]
        if let status, status != 0 { words.append("\(status)") }
        if let urlBytes { words.append(String(decoding: urlBytes, as: UTF8.self)) }
        if let body {
            words.append("\"\(String(decoding: body, as: UTF8.self).replacing("\n", with: "\\n"))\"")
        }
        if let rule {
            words.append("by \(rule.file.split(separator: "/").last ?? ""):\(rule.line):\(rule.column)")
        }
        for header in headers where header.nameBytes != Array("Content-Type".utf8) {
            let name = header.name
            words.append("\(name):\(header.value)")
        }
        if let route {
            words.append("to \(route)")
            for parameter in parameters { words.append("\(parameter.name)=\(parameter.value)") }
        }
        return words.joined(separator: " ")
    }
}
