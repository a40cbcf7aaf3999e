import Shunt
import ShuntPatterns

/// Requests for the rows and the entries of lists, to be asked of the rules.
struct ListRequests {
    private var candidates: [SourcePosition: [RuleRequest]] = [:]
    /// Hosts that the rules have a server for, and one that they may not have.
    private let hosts: [String]
    /// The host of requests for rows and entries without one.
    static let anyHost = "www.example.com"
    /// The most servers that are tried for an entry.
    private static let mostHosts = 8

    /// Creates the requests for the rows of redirects that are wanted, by their places.
    init(_ model: RuleModel, rows isWanted: (SourcePosition) -> Bool = { _ in true }) {
        let names = model.servers.map { String(decoding: $0.name, as: UTF8.self) }
            .filter { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || ".-".contains($0) } && $0 != "_" }
        hosts = [Self.anyHost] + names.prefix(Self.mostHosts)
        for list in model.redirectLists {
            guard let file = model.ruleSet.file(Int(list.file)) else { continue }
            _ = RedirectListBuilder(file, list.options) { row, bytes in
                let place = SourcePosition(file: list.file, line: row.line, column: row.column)
                if isWanted(place) { add(row, bytes: bytes, list: list, at: place) }
            }
        }
        for rule in model.listRules {
            let list = rule.entries
            guard let file = model.ruleSet.file(Int(list.file)) else { continue }
            if list.kind == .urls {
                addHosts(list, of: model.ruleSet)
                continue
            }
            let reader = EntryReader(file, list.kind, verb: rule.status == 0 ? .allow : .deny)
            for (range, line) in reader.networks {
                add(line, file: list.file) { $0.remoteAddress = "\(range.first)" }
            }
            for (expression, line) in reader.agents {
                let automaton = try? Automaton(expression)
                guard let text = automaton.flatMap({ try? Language.automaton($0).shortestSubject() }) else { continue }
                add(line, file: list.file) {
                    $0.headers = [RuleRequest.Header("User-Agent", String(decoding: text, as: UTF8.self))]
                }
            }
        }
    }

    private mutating func addHosts(_ list: EntryList, of ruleSet: RuleSet) {
        for position in list.positions {
            let host = Self.host(onLine: ruleSet.text(at: position))
            candidates[position, default: []].append(RuleRequest(url: "https://\(host)/"))
        }
    }

    /// A host that a line of a list of hosts is for.
    static func host(onLine line: String) -> Substring {
        let word = line.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("#") }.last ?? ""
        let host = word.replacing("||", with: "").replacing("*.", with: "a.").prefix { $0 != "^" }
        return host.hasPrefix(".") ? host.dropFirst() : host
    }

    /// The requests for a place.
    func requests(at position: SourcePosition) -> [RequestDescription] {
        (candidates[position] ?? []).map { RequestDescription($0) }
    }

    private mutating func add(_ line: Int32, file: Int32, _ change: (inout RuleRequest) -> Void) {
        for host in hosts {
            var request = RuleRequest(url: "https://\(host)/")
            change(&request)
            candidates[SourcePosition(file: file, line: line, column: 1), default: []].append(request)
        }
    }

    private mutating func add(_ row: RedirectRow, bytes: [UInt8], list: RedirectList, at place: SourcePosition) {
        func text(_ range: ByteRange) -> String { String(decoding: bytes[range.indices], as: UTF8.self) }
        let written = text(row.from)
        var from = written.replacing(" ", with: "%20")
        if list.form != .bulk {
            from = from.replacing("{,/**}", with: "/x").replacing("**", with: "x").replacing("*", with: "x")
        }
        if list.form.isOrdered {
            let conditions = text(row.conditions).split { $0 == " " || $0 == "\t" }.joined(separator: "&")
            from = from.replacing(/:[A-Za-z_]\w*(\([^)]*\))?[x+?]?|\(\.[*+]\)/, with: "7")
            if !conditions.isEmpty { from += "?" + conditions.replacing(/=:\w+/, with: "=7") }
        }
        if row.matching == .expression {
            let automaton = (try? RegularExpression(Array(written.utf8), caseless: false))
                .flatMap { try? Automaton($0) }
            let path = automaton.flatMap { try? Language.automaton($0).shortestSubject() }
            from = path.map { RequestAssembly.encoded($0).asText } ?? from
        }
        let own = list.options.ownHosts.map { String(decoding: $0, as: UTF8.self) }.filter { !$0.contains("*") }
        let isPath = from.hasPrefix("/")
        let starts =
            isPath
            ? (own + hosts).prefix(Self.mostHosts).map { "https://\($0)" } : [from.contains("://") ? "" : "https://"]
        // A wildcard stands for several parts, too; columns of Bulk Redirects have what else a row is for.
        let longer = list.form == .bulk || written.hasSuffix("*") ? [from, "\(from)/x", "\(from)?q=1"] : [from]
        for path in longer {
            // Clients send a space and letters beyond ASCII encoded.
            let sent = path.utf8.flatMap { $0 > 0x20 && $0 < 0x7f ? [$0] : $0.percentEncoded }.asText
            for start in starts { candidates[place, default: []].append(RuleRequest(url: start + sent)) }
        }
    }
}
