import ShuntCore

/// The addresses that may come: by `Require`, and by `Order`, `Allow` and `Deny`, as Apache asks both.
struct ApacheAccess {
    /// A line of a list of which the first that fits decides; an empty list lets all come.
    struct Rule {
        var word: String
        var network: String
        var file: String
        var line: Int

        var item: ImportItem { .directive([word, network], line) }
        var words: [String] { [word, network] }
    }

    /// `Order`, `Allow` and `Deny`.
    private struct Lists {
        var order = "deny,allow"
        var allowed: [Rule] = []
        var denied: [Rule] = []
        /// The line of something that would refuse, and has no counterpart.
        var closed: Rule?
        var refusals: [Refusal] = []
        var last: Rule

        var allowsAll: Bool { allowed.contains { $0.network == "all" } }
    }

    /// The meaning of `Require` and its sections.
    private indirect enum Need {
        case granted
        case networks([Rule])
        case not([Rule])
        case unless(Refusal)
        case any([Need])
        case all([Need])
        case unsaid
    }

    /// A variable that refuses all where it has a value.
    struct Refusal {
        var variable: String
        var rule: Rule
    }

    let file: String
    /// The variables of the environment by their names in capitals.
    var environment: [String: [ApacheText.Part]] = [:]
    private var lists: Lists?
    private var needs: [Need] = []
    private var lastNeed: Rule?
    /// The line of a section or a directive that is left out, and refuses something whatever is inside.
    private var closed: Rule?
    /// The line of a `SSLRequireSSL`.
    private(set) var secureOnly: Rule?
    /// The directives that have no counterpart, with the reasons.
    private var problems: [(directive: ApacheDirective, reason: String)] = []

    init(file: String) { self.file = file }

    /// True if nothing was set.
    var isEmpty: Bool { lists == nil && needs.isEmpty && closed == nil && secureOnly == nil }

    /// True if nothing is refused.
    var isOpen: Bool { list.rules.isEmpty && secureOnly == nil && refusals.isEmpty }

    /// The directives without a counterpart since the last time, with the reasons.
    mutating func takeProblems() -> [(directive: ApacheDirective, reason: String)] {
        defer { problems = [] }
        return problems
    }

    // MARK: Reading

    /// Reads a directive; false if it is about anything else.
    mutating func read(_ directive: ApacheDirective) -> Bool {
        let words = directive.words
        let first = words.first?.lowercased() ?? ""
        switch directive.key {
        case "require":
            needs.append(need(directive))
            lastNeed = deny(directive)
        case "order":
            var lists = lists ?? Lists(last: deny(directive))
            lists.order = words.joined().lowercased()
            if !["allow,deny", "deny,allow", "mutual-failure"].contains(lists.order) {
                problems.append((directive, "it is an invalid order: refused"))
                lists.closed = deny(directive)
            }
            self.lists = lists
        case "allow", "deny":
            guard first == "from" else { return false }
            var lists = lists ?? Lists(last: deny(directive))
            let isDenied = directive.key == "deny"
            for word in words.dropFirst() {
                if isDenied, word.hasPrefix("env="), let variable = variable(word.dropFirst(4)) {
                    lists.refusals.append(Refusal(variable: variable, rule: deny(directive)))
                } else if let network = word.lowercased() == "all" ? "all" : Self.network(word) {
                    let rule = rule(directive.key, network: network, directive: directive)
                    if isDenied { lists.denied.append(rule) } else { lists.allowed.append(rule) }
                } else {
                    // No name is one sign.
                    if word == "*", !isDenied { continue }
                    problems.append((directive, "\(word) is not an address\(isDenied ? ": all are refused" : "")"))
                    if isDenied { lists.closed = deny(directive) }
                }
            }
            lists.last = deny(directive)
            self.lists = lists
        case "satisfy":
            if first != "all" { problems.append((directive, "both checks have to pass here")) }
            lists = lists ?? Lists(last: deny(directive))
        case "authmerging":
            if first != "off" { close(directive, "checks of outer folders are not joined here: refused") }
        case "sslrequiressl": secureOnly = deny(directive)
        case "sslrequire": close(directive, "it requires more than an address: refused")
        case "sslverifyclient" where first.hasPrefix("require"):
            close(directive, "certificates of clients need ssl_verify_client: refused")
        case "sslverifyclient": break
        default: return false
        }
        return true
    }

    /// Reads a section of `Require` directives; false if it is another one.
    mutating func read(_ head: ApacheDirective, _ nodes: [ApacheNode]) -> Bool {
        guard let need = need(head, nodes) else { return false }
        needs.append(need)
        lastNeed = deny(head)
        return true
    }

    /// Refuses all, whatever sections inside have.
    mutating func close(_ directive: ApacheDirective, _ reason: String? = nil) {
        closed = closed ?? deny(directive)
        if let reason { problems.append((directive, reason)) }
    }

    private func rule(_ word: String, network: String, directive: ApacheDirective) -> Rule {
        Rule(word: word, network: network, file: file, line: directive.lines.lowerBound)
    }

    private func deny(_ directive: ApacheDirective) -> Rule { rule("deny", network: "all", directive: directive) }

    private mutating func need(_ directive: ApacheDirective) -> Need {
        var words = directive.words.map { $0.lowercased() }[...]
        let isNegated = words.first == "not"
        if isNegated { words.removeFirst() }
        let kind = words.popFirst()
        switch kind {
        case "all" where !isNegated && words.first == "granted": return .granted
        case "all" where !isNegated && words.first == "denied": return .any([])
        case "ip", "local":
            let names = kind == "ip" ? Array(words) : ["127.0.0.0/8", "::1"]
            let networks = names.compactMap(Self.network)
                .map { rule(isNegated ? "deny" : "allow", network: $0, directive: directive) }
            if networks.count < names.count {
                problems.append((directive, "an address that is not one here"))
                if isNegated { return .unsaid }
            }
            return isNegated ? .not(networks) : .networks(networks)
        case "env" where isNegated && words.count == 1 && words.first.flatMap(variable) != nil:
            return .unless(Refusal(variable: words.first.flatMap(variable) ?? "", rule: deny(directive)))
        default:
            problems.append((directive, "it requires more than an address: refused"))
            return .unsaid
        }
    }

    private mutating func need(_ head: ApacheDirective, _ nodes: [ApacheNode]) -> Need? {
        guard ["requireany", "requireall", "requirenone"].contains(head.key) else { return nil }
        var inner: [Need] = []
        for node in nodes {
            switch node {
            case .directive(let directive) where directive.key == "require": inner.append(need(directive))
            case .section(let head, let nodes): inner.append(need(head, nodes) ?? .unsaid)
            case .directive: inner.append(.unsaid)
            case .comment, .blank: continue
            }
        }
        if head.key == "requirenone" {
            problems.append((head, "it has no counterpart: refused"))
            return .unsaid
        }
        return head.key == "requireall" ? .all(inner) : .any(inner)
    }

    /// An address or a network as nginx writes it.
    static func network(_ word: String) -> String? {
        var text = word
        let parts = word.split(separator: ".")
        if !word.contains(":"), !word.contains("/"), (1...3).contains(parts.count),
            parts.allSatisfy({ UInt8($0) != nil })
        {
            text = (parts.map(String.init) + Array(repeating: "0", count: 4 - parts.count)).joined(separator: ".")
            text += "/\(parts.count * 8)"
        }
        return AddressNetwork.parse(Array(text.utf8).span) == nil ? nil : text
    }

    // MARK: Scopes

    /// The access of a place inside another one, whose checks hold where this one has none of their kind.
    func inside(_ outer: Self) -> Self {
        var result = self
        result.lists = lists ?? outer.lists
        if needs.isEmpty { (result.needs, result.lastNeed) = (outer.needs, outer.lastNeed) }
        result.closed = closed ?? outer.closed
        result.secureOnly = secureOnly ?? outer.secureOnly
        return result
    }

    // MARK: The list

    /// The list of both checks; not exact where lists here cannot express it, and more is refused.
    var list: (rules: [Rule], isExact: Bool) {
        if let closed { return ([closed], true) }
        // An address that is allowed would pass in spite of a variable.
        if let lists, let refusal = lists.refusals.first, lists.order == "deny,allow", !lists.allowed.isEmpty,
            !lists.allowsAll
        {
            return ([refusal.rule], false)
        }
        var isExact = true
        var needs = needs
        if needs.count == 1, case .all(let all) = needs[0] {
            needs = [.all(all.filter { if case .unless = $0 { false } else { true } })]
        }
        let required = needs.isEmpty ? [] : list(of: .any(needs), &isExact) ?? lastNeed.map { [$0] } ?? []
        let addresses = lists.map(Self.list) ?? []
        if required.isEmpty || addresses.isEmpty || required.map(\.words) == addresses.map(\.words) {
            return (required + (required.isEmpty ? addresses : []), isExact)
        }
        for list in [required, addresses] where Self.isClosed(list) { return (list, isExact) }
        return (lastNeed.map { [$0] } ?? [], false)
    }

    /// The variables that refuse what the list lets come.
    var refusals: [Refusal] {
        var result = lists.map { $0.order == "deny,allow" && $0.allowsAll ? [] : $0.refusals } ?? []
        if needs.count == 1, case .all(let all) = needs[0] {
            result += all.compactMap { if case .unless(let refusal) = $0 { refusal } else { nil } }
        }
        return result
    }

    /// True if nothing may come.
    static func isClosed(_ list: [Rule]) -> Bool { list.first?.words == ["deny", "all"] }

    private static func list(_ lists: Lists) -> [Rule] {
        if let closed = lists.closed { return [closed] }
        let everyone = lists.denied.first { $0.network == "all" }
        if lists.order == "deny,allow" {
            if lists.allowsAll || lists.denied.isEmpty { return [] }
            return lists.allowed + (everyone.map { [$0] } ?? lists.denied)
        }
        if let everyone { return [everyone] }
        return lists.denied + (lists.allowsAll ? [] : lists.allowed + [lists.last])
    }

    /// The list of what is required; nil if none can express it.
    private func list(of need: Need, _ isExact: inout Bool) -> [Rule]? {
        let end = lastNeed.map { [$0] } ?? []
        switch need {
        case .granted: return []
        case .networks(let rules): return rules + end
        case .unsaid, .not: return nil
        case .unless:
            isExact = false
            return nil
        case .any(let needs):
            var allowed: [Rule] = []
            for need in needs {
                guard let list = list(of: need, &isExact) else { continue }
                if list.isEmpty { return [] }
                if list.last?.network == "all", list.dropLast().allSatisfy({ $0.word == "allow" }) {
                    allowed += list.dropLast()
                } else if needs.count == 1 {
                    return list
                } else {
                    isExact = false
                }
            }
            return allowed + end
        case .all(let needs):
            var denied: [Rule] = []
            var others: [[Rule]] = []
            for need in needs {
                if case .not(let rules) = need {
                    denied += rules
                } else {
                    guard let list = list(of: need, &isExact) else { return end }
                    others.append(list)
                }
            }
            guard !others.isEmpty else { return end }
            others.removeAll(where: \.isEmpty)
            if let closed = others.first(where: Self.isClosed) { return closed }
            if others.count > 1 {
                isExact = false
                return end
            }
            return denied + (others.first ?? [])
        }
    }
}
