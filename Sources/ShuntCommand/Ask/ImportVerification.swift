#if Command
import Shunt
import ShuntTools

/// Compares the answers of a server with the rules that were made of its configuration.
struct ImportVerification {
    /// The results of the requests of one rule.
    struct Row {
        /// The line of the source; the file alone for requests that no rule takes.
        var origin: String
        var agreed = 0
        var unseen = 0
        /// The requests that differ, with the answer and the decision.
        var differences: [(request: String, answer: String, decision: String)] = []
    }

    private(set) var rows: [Row] = []
    private let engine: Engine
    private let ruleSet: RuleSet
    private let origins: [Int: String]
    /// The folder of the site of a server that was started for this; nil of another.
    var root: String?
    /// False if the source sets no index files, which Apache then finds by its own defaults.
    private let hasIndex: Bool
    /// True if names of files may decide.
    private let hasNames: Bool
    /// True if requests that name no place are asked of each where the rules listen.
    var asksEveryPlace = false
    /// True if the server escapes the query of a Location once more.
    var escapesTwice = false
    private let answer: (WireRequest, RequestDescription) throws -> WireAnswer?

    /// Prepares it; `answer` is nil where the server does not listen, and gets the files that are there.
    init(
        _ rules: ImportedRules,
        answer: @escaping (WireRequest, RequestDescription) throws -> WireAnswer?
    ) throws(RuleSetError) {
        ruleSet = try RuleSet(text: rules.text)
        engine = Engine(ruleSet)
        origins = rules.origins
        hasNames = rules.text.split(separator: "location ~ ").dropFirst().contains { !$0.hasPrefix("/\\.ht {") }
        hasIndex = rules.text.contains("\n    index ")
        self.answer = answer
    }

    var differenceCount: Int { rows.reduce(0) { $0 + $1.differences.count } }
    var requestCount: Int { rows.reduce(0) { $0 + $1.agreed + $1.unseen + $1.differences.count } }

    /// Sends examples of every rule, and requests that rules just do not match.
    mutating func askExamples(files: [String]) throws {
        var options = ExampleSearch.Options()
        options.hits = 3
        options.misses = 6
        for entry in ExampleSearch(ruleSet, options: options, asOf: .now()).examples() {
            let origin = origins[entry.rule.line]
            for example in entry.hits + entry.misses { try ask(example.request, files: files, about: origin) }
        }
    }

    /// Sends a request, and compares the answer; `origin` is the rule to check, nil for whichever rule decides.
    mutating func ask(_ description: RequestDescription, files: [String], about origin: String?) throws {
        if asksEveryPlace, description.request.listen == nil, case .target = description.request.subject {
            for place in ruleSet.listens.prefix(4) {
                var copy = description
                copy.request.listen = RuleRequest.Endpoint(port: place.port, isSecure: place.isSecure)
                try ask(copy, files: files, about: origin)
            }
            return
        }
        guard let asked = WireRequest(description.request, host: "example.com") else { return }
        // A line feed in a path is neither matched alike nor served, and a name is compared without its last dot here.
        guard !asked.hasControlBytes, asked.host.last != UInt8(ascii: ".") else { return }
        var description = description
        description.files = Array(Set(description.files + files + (root.map { [$0 + "/"] } ?? []))).sorted()
        if !hasIndex { description.files.removeAll { $0.hasSuffix("/index.html") } }
        var decision = decision(description)
        // Only GET and HEAD ask for files alike: of others, what rules answer is compared.
        let isDecided = decision.rule.map { origins[$0.line] != nil } ?? false
        if root != nil, !isDecided, !["GET", "HEAD"].contains(description.request.method) { return }
        let name = origin ?? decision.rule.flatMap { origins[$0.line] } ?? "no rule"
        guard var found = try answer(asked, description) else { return }
        var result = compare(decision, found, asked: asked)
        // Apache compares the name of a file with <Files> only where its folder is.
        if result == .different, decision.status == 403 || hasNames, let root {
            description.files += asked.folders(below: root)
            found = try answer(asked, description) ?? found
            result = compare(decision, found, asked: asked)
        }
        // A server that shows the file does not look whether it exists.
        if result == .different, let file = found.file, decision.status == 403 || decision.status == 404 {
            description.files.append(String(decoding: file, as: UTF8.self))
            decision = self.decision(description)
            let isFolder = file.last == UInt8(ascii: "/")
            result = isFolder ? .unseen : compare(decision, found, asked: asked)
        }
        let index = rows.firstIndex { $0.origin == name } ?? rows.count
        if index == rows.count { rows.append(Row(origin: name)) }
        // A folder without its slash is led to the one with it: by the files, not by rules.
        if root != nil, found.status == 301, found.location == asked.url + [UInt8(ascii: "/")], decision.status != 403 {
            result = .unseen
        }
        switch result {
        case .same: rows[index].agreed += 1
        case .unseen: rows[index].unseen += 1
        case .different:
            // The folder of the site has another name in every run.
            if let root {
                description.files = description.files.map { String($0.trimmingPrefix(root)) }.filter { $0 != "/" }
            }
            rows[index].differences.append(("\(description)", found.shown, ExampleText.decision(decision)))
        }
    }

    private func compare(_ decision: Decision, _ answer: WireAnswer, asked: WireRequest) -> AnswerComparison.Result {
        AnswerComparison.compare(decision, answer, url: asked.url, escapesTwice: escapesTwice)
    }

    private func decision(_ description: RequestDescription) -> Decision {
        guard !description.files.isEmpty else { return engine.decide(description.request) }
        var options = Engine.Options()
        options.fileSystem = description.fileSystem
        return Engine(ruleSet, options: options).decide(description.request)
    }

    var text: String {
        var lines: [String] = []
        for row in rows {
            var line = "\(row.origin): "
            if row.differences.isEmpty {
                line += row.agreed > 0 ? "agreed on \(row.agreed) requests" : "not seen in the answers"
                if row.agreed > 0, row.unseen > 0 { line += ", \(row.unseen) not seen" }
            } else {
                line += "differs in \(row.differences.count) of \(row.agreed + row.differences.count) requests"
            }
            lines.append(ShownBytes.text(line))
            for difference in row.differences.prefix(3) {
                lines.append("    \(difference.request)")
                lines.append("        there  \(difference.answer)")
                lines.append("        here   \(difference.decision)")
            }
        }
        guard requestCount > 0 else {
            return "no requests: the rules have no examples, and nothing was compared; add requests with --log"
        }
        let sum = "\(requestCount) requests: \(differenceCount == 0 ? "no difference" : "\(differenceCount) differ")"
        return (lines + [sum]).joined(separator: "\n")
    }

    var json: JSONObject {
        [
            "requests": requestCount,
            "differences": differenceCount,
            "rules": rows.map { row -> JSONObject in
                [
                    "rule": row.origin, "agreed": row.agreed, "unseen": row.unseen,
                    "differences": row.differences.map { difference -> JSONObject in
                        ["request": difference.request, "there": difference.answer, "here": difference.decision]
                    },
                ]
            },
        ]
    }
}

/// A server that runs on the file that was imported, with its places on loopback.
protocol ImportServer {
    /// Files and folders that are there for every request.
    var files: [String] { get }

    /// Sends it a request; nil where it does not listen for such a request.
    func answer(_ request: WireRequest, files: [String]) throws -> WireAnswer?
}

extension WireAnswer {
    /// The names of the headers in which a server shows what it was about to do.
    static let headers = ["X-Shunt-Path", "X-Shunt-Arguments", "X-Shunt-Upstream", "X-Shunt-Root"]

    /// An answer of a server that shows where a request goes; `folder` has the folders of sites.
    init(_ head: WireHead, folder: String = "") {
        self.init(status: head.status, location: head["location"])
        // A path that lost its first slash is invalid here.
        guard var path = head["x-shunt-path"], path.isEmpty || path[0] == UInt8(ascii: "/") else { return }
        if path.isEmpty { path = [UInt8(ascii: "/")] }
        self.path = path
        arguments = head["x-shunt-arguments"] ?? []
        upstream = head["x-shunt-upstream"] ?? []
        let root = Array((head["x-shunt-root"] ?? []).dropFirst(folder.utf8.count))
        if upstream == [], !root.isEmpty { file = root + path }
    }
}
#endif
