import ShuntCore

/// Rules that an earlier one has taken all URLs from.
///
/// Only what tables show is reported: the same matcher again, and a host or a prefix within one that decides before.
/// Only proofs show that one expression is within another.
extension MistakeCheck {
    /// Goes through the rules of a block, which the URLs in `taken` do not reach.
    mutating func checkSequence(_ directives: [CheckedDirective], after taken: TakenURLs = TakenURLs()) {
        var taken = taken
        // A rule that sees one spelling takes no others from rules that see all.
        if directives.contains(where: { $0.keyword == .matchSpelling }) { taken = TakenURLs() }
        for directive in directives {
            switch directive.keyword {
            case .block, .degrade:
                check(directive, decides: true, against: &taken)
            case .rewriteURL:
                let flags = directive.arguments.dropFirst(2).first?.text
                let decides = flags != nil && flags != "last"
                check(directive, decides: decides || flags == "last", against: &taken)
                // What it leaves may be any URL.
                if !decides, flags != "last" { taken = TakenURLs() }
            case .renameHost: checkRename(directive, &taken)
            case .match, .if, .else:
                checkSequence(directive.block, after: taken)
                if Self.changesURL(directive.block) { taken = TakenURLs() }
            case .set, .decode, .encode, .removeArguments: if Self.changesURL([directive]) { taken = TakenURLs() }
            default: break
            }
        }
    }

    /// Returns true if rules may leave another URL than they see.
    private static func changesURL(_ directives: [CheckedDirective]) -> Bool {
        directives.contains { directive in
            switch directive.keyword {
            case .renameHost, .rewriteURL, .removeArguments: true
            case .set, .decode, .encode:
                ["$url", "$scheme", "$host", "$port", "$uri", "$args"].contains(directive.arguments.first?.text)
            case .match, .if, .else: changesURL(directive.block)
            default: false
            }
        }
    }

    private mutating func check(_ directive: CheckedDirective, decides: Bool, against taken: inout TakenURLs) {
        guard let matcher = WrittenMatcher(of: directive) else { return }
        if matcher.kind == "host" {
            for word in matcher.values { checkHost(word, against: &taken) }
            return
        }
        guard let word = matcher.values.first else { return }
        checkText(word, matcher.kind, decides: decides, against: &taken)
    }

    private mutating func checkText(_ word: Word, _ kind: String, decides: Bool, against taken: inout TakenURLs) {
        if let earlier = taken.taker(of: word.bytes, kind: kind) {
            reportTaken(word, by: earlier)
        } else if decides {
            taken.add(word, kind: kind)
        }
    }

    private mutating func checkHost(_ word: Word, against taken: inout TakenURLs) {
        guard word.bytes.first != UInt8(ascii: "~") else {
            return checkText(word, "host", decides: true, against: &taken)
        }
        guard let name = HostNamePattern(InternetAddress.canonicalHost(word.bytes)) else { return }
        if let earlier = taken.taker(of: name) {
            reportTaken(word, by: earlier)
        } else {
            taken.add(name, word)
        }
    }

    private mutating func checkRename(_ directive: CheckedDirective, _ taken: inout TakenURLs) {
        guard let from = directive.arguments.first, directive.arguments.count == 2,
            let name = HostNamePattern(InternetAddress.canonicalHost(from.bytes))
        else {
            taken = TakenURLs()
            return
        }
        if let earlier = taken.taker(of: name) {
            reportTaken(from, by: earlier)
            return
        }
        let to = HostNamePattern(directive.arguments[1].bytes)
        taken.release(to)
        // Renamed to itself, as in another case, a host is still there.
        if name != to, to != nil { taken.add(name, from) }
    }

    private mutating func reportTaken(_ word: Word, by earlier: Word) {
        let message = "no URL that \(word.shownText) matches reaches this"
        let advice = earlier.bytes == word.bytes ? "remove one of the two rules" : "remove it, or put it first"
        let note = source.diagnostic(.note(.neverReached), "this decides them", at: earlier)
        source.report(.warning(.neverReached), message, at: word, suggestion: advice, notes: [note])
    }
}

/// The URLs that earlier rules of a sequence have decided or renamed, so that they do not reach later ones.
struct TakenURLs {
    private var exact: [[UInt8]: Word] = [:]
    /// By the literal part: `*.NAME` and `.NAME`, and `NAME.*`.
    private var below: [[UInt8]: Word] = [:]
    private var starting: [[UInt8]: Word] = [:]
    /// Expressions, by matcher and text.
    private var expressions: [String: [[UInt8]: Word]] = [:]
    private var urls: [[UInt8]: Word] = [:]
    /// Prefixes of URLs, by length.
    private var prefixes: [Int: [[UInt8]: Word]] = [:]

    /// The rule that has taken all hosts that a name stands for; nil where there is none.
    func taker(of name: HostNamePattern) -> Word? {
        let literal = name.literal
        switch name.kind {
        case .exact: if let word = exact[literal] { return word }
        case .subdomains, .domain:
            let isWhole = name.kind == .subdomains || exact[literal] != nil
            if isWhole, let word = below[literal] { return word }
        case .prefix: return starting[literal]
        }
        // Wider wildcards: each suffix after a dot.
        for index in literal.indices where literal[index] == UInt8(ascii: ".") {
            if let word = below[Array(literal[(index + 1)...])] { return word }
        }
        guard name.kind == .exact else { return nil }
        for index in literal.indices where literal[index] == UInt8(ascii: ".") {
            if let word = starting[Array(literal[..<index])] { return word }
        }
        return nil
    }

    mutating func add(_ name: HostNamePattern, _ word: Word) {
        switch name.kind {
        case .exact: exact[name.literal] = word
        case .subdomains: below[name.literal] = word
        case .domain:
            exact[name.literal] = word
            below[name.literal] = word
        case .prefix: starting[name.literal] = word
        }
    }

    /// Takes back what a rule sets a name to.
    mutating func release(_ name: HostNamePattern?) {
        guard let name, name.kind == .exact else {
            self = TakenURLs()
            return
        }
        exact[name.literal] = nil
        if taker(of: name) != nil {
            below.removeAll()
            starting.removeAll()
        }
        // The new URL may match anything that reads the whole of it.
        expressions.removeAll()
        urls.removeAll()
        prefixes.removeAll()
    }

    /// The rule that has taken all URLs of a matcher other than by names.
    func taker(of value: [UInt8], kind: String) -> Word? {
        switch kind {
        case "=": return urls[value] ?? prefix(of: value)
        case "^~": return prefix(of: value)
        default: return expressions[kind]?[value]
        }
    }

    private func prefix(of value: [UInt8]) -> Word? {
        for (length, words) in prefixes where length <= value.count {
            if let word = words[Array(value.prefix(length))] { return word }
        }
        return nil
    }

    mutating func add(_ word: Word, kind: String) {
        switch kind {
        case "=": urls[word.bytes] = word
        case "^~": prefixes[word.bytes.count, default: [:]][word.bytes] = word
        default: expressions[kind, default: [:]][word.bytes] = word
        }
    }
}
