import ShuntCore

/// The addresses that may come, by `Require` or by `Order`, `Allow` and `Deny`.
struct ApacheAccess {
    private var order: String?
    private var allowed: [(word: String, line: Int)] = []
    private var denied: [(word: String, line: Int)] = []
    private var line = 0
    /// The directives that have no counterpart, with the reasons.
    private(set) var problems: [(directive: ApacheDirective, reason: String)] = []
    private(set) var count = 0

    /// True if nothing was said.
    var isEmpty: Bool { count == 0 }

    /// Reads a directive; false if it is about anything else.
    mutating func read(_ directive: ApacheDirective) -> Bool {
        let words = directive.words
        let number = directive.lines.lowerBound
        switch directive.key {
        case "require":
            let rule = words.first?.lowercased() ?? ""
            if rule == "all", words.count > 1 {
                if words[1].lowercased() == "denied" {
                    denied.append(("all", number))
                } else {
                    allowed.append(("all", number))
                }
            } else if rule == "ip" {
                add(words.dropFirst(), to: \.allowed, directive)
                if order == nil { order = "require" }
            } else if rule == "local" {
                allowed += [("127.0.0.0/8", number), ("::1", number)]
                if order == nil { order = "require" }
            } else {
                problems.append((directive, "it requires more than an address"))
            }
        case "order": order = words.joined().lowercased().replacing(" ", with: "")
        case "allow", "deny":
            guard words.first?.lowercased() == "from" else { return false }
            add(words.dropFirst(), to: directive.key == "allow" ? \.allowed : \.denied, directive)
        default: return false
        }
        line = number
        count += 1
        return true
    }

    private mutating func add(
        _ words: ArraySlice<String>,
        to list: WritableKeyPath<Self, [(word: String, line: Int)]>,
        _ directive: ApacheDirective
    ) {
        for word in words {
            if word.lowercased() == "all" {
                self[keyPath: list].append(("all", directive.lines.lowerBound))
            } else if let network = Self.network(word) {
                self[keyPath: list].append((network, directive.lines.lowerBound))
            } else {
                problems.append((directive, "\(word) is not an address"))
            }
        }
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

    /// The directives; none where all may come.
    var items: [ImportItem] {
        let allow = allowed.map { ImportItem.directive(["allow", $0.word], $0.line) }
        let deny = denied.map { ImportItem.directive(["deny", $0.word], $0.line) }
        switch order {
        case "allow,deny":
            if denied.isEmpty, allowed.contains(where: { $0.word == "all" }) { return [] }
            return deny + (denied.contains { $0.word == "all" } ? [] : allow + last("deny", in: allowed))
        case "require": return allow + last("deny", in: allowed)
        default:
            if denied.isEmpty { return [] }
            return (allowed.contains { $0.word == "all" } ? [] : allow)
                + (allowed.contains { $0.word == "all" } ? [] : deny)
        }
    }

    private func last(_ name: String, in list: [(word: String, line: Int)]) -> [ImportItem] {
        list.contains { $0.word == "all" } ? [] : [.directive([name, "all"], line)]
    }
}
