import ShuntCore
import ShuntPatterns

/// The rules on whole URLs.
extension Compiler {
    /// Compiles the URL phase, if the rule set has one.
    mutating func compileURLPhase(_ directives: [Directive]) {
        guard directives.contains(where: { Self.isURLRule($0) }) else { return }
        tables.urlPhase = nextInstruction
        compileURLRules(directives)
        emit(Instruction(.end), at: .none)
    }

    private static func isURLRule(_ directive: Directive) -> Bool {
        switch keyword(directive) {
        case .renameHost, .rewriteURL, .degrade, .block, .blocklist, .match, .if, .else, .set, .break: true
        default: false
        }
    }

    private mutating func compileURLRules(_ directives: [Directive]) {
        var links: [(instruction: Int32, matcher: Int32)] = []
        var index = 0
        while index < directives.count {
            let directive = directives[index]
            index += 1
            guard Self.isURLRule(directive) else { continue }
            if let link = compileChainable(directive) {
                links.append(link)
                continue
            }
            addURLChain(links)
            links.removeAll()
            switch Self.keyword(directive) {
            case .set: compileSet(directive, inURLPhase: true)
            case .break: emit(Instruction(.stop), at: directive.name.position)
            case .blocklist: compileBlocklist(directive)
            case .if:
                var branches = [directive]
                while index < directives.count, Self.keyword(directives[index]) == .else {
                    branches.append(directives[index])
                    index += 1
                }
                compileBranches(branches)
            default: break
            }
        }
        addURLChain(links)
    }

    /// Compiles a rule that applies to what a matcher selects; nil for other directives and after an error.
    private mutating func compileChainable(_ directive: Directive) -> (instruction: Int32, matcher: Int32)? {
        switch Self.keyword(directive) {
        case .renameHost: compileRename(directive)
        case .rewriteURL: compileURLRewrite(directive)
        case .degrade: compileDegrade(directive)
        case .block: compileBlock(directive)
        case .match: compileMatch(directive)
        default: nil
        }
    }

    // MARK: if and else

    /// Compiles an `if` with its `else if` and `else`.
    private mutating func compileBranches(_ branches: [Directive]) {
        var ends: [Int32] = []
        for (number, branch) in branches.enumerated() {
            var words = branch.arguments
            let isElse = Self.keyword(branch) == .else
            if isElse, words.first?.text == "if" { words.removeFirst() }
            var skips: [Int32] = []
            if !isElse || !words.isEmpty, let condition = expression(words, of: branch) {
                skips = emit(condition, jumpingWhen: false, at: branch.name.position)
            }
            compileURLRules(branch.block ?? [])
            if number + 1 < branches.count {
                ends.append(emit(Instruction(.jump), at: branch.name.position))
            }
            for skip in skips { patch(skip, target: nextInstruction) }
        }
        for end in ends { patch(end, target: nextInstruction) }
    }

    // MARK: Matchers

    /// Reads a matcher at the start of `words` and takes it off: `host NAME...`, `= URL`, `^~ PREFIX`, `~ REGEX`, `~*
    /// REGEX`.
    ///
    /// The names of `host` are all the words that are left. Nil after an error.
    private mutating func matcher(_ words: inout [Word], of directive: Directive) -> Int32? {
        guard let kind = words.first else {
            error("missing-matcher", "\"\(directive.name.text)\" needs a matcher", at: directive.name)
            return nil
        }
        if kind.text == "host", !kind.isQuoted {
            words.removeFirst()
            let names = words
            words.removeAll()
            guard !names.isEmpty else {
                error("missing-matcher", "\"host\" is followed by one or more names", at: kind)
                return nil
            }
            return hostMatcher(names)
        }
        let modifiers: [String: (prefix: String, isCaseless: Bool)] = [
            "=": ("\\A", false), "^~": ("\\A", false), "~": ("", false), "~*": ("", true),
        ]
        guard let modifier = modifiers[kind.text], !kind.isQuoted else {
            error(
                "unknown-matcher",
                "\"\(kind.text)\" is no matcher",
                at: kind,
                suggestion: "write host NAME, = URL, ^~ PREFIX, ~ REGEX or ~* REGEX"
            )
            return nil
        }
        words.removeFirst()
        guard !words.isEmpty else {
            error("missing-matcher", "\"\(kind.text)\" is followed by what it matches", at: kind)
            return nil
        }
        let value = words.removeFirst()
        var bytes = value.bytes
        if !modifier.prefix.isEmpty {
            bytes = Array(modifier.prefix.utf8) + Self.escaped(bytes)
            if kind.text == "=" { bytes += Array("\\z".utf8) }
        }
        guard let number = pattern(bytes, of: value, isCaseless: modifier.isCaseless) else { return nil }
        return tables.matchers.adding(Matcher(kind: .url, names: 0..<0, hostPatterns: 0..<0, pattern: number))
    }

    /// The expression that matches exactly these bytes.
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 || byte == UInt8(ascii: "/")
                || byte == UInt8(ascii: ":")
                ? [byte] : [UInt8(ascii: "\\"), byte]
        }
    }

    private mutating func hostMatcher(_ words: [Word]) -> Int32? {
        let firstName = tables.hostNames.count
        let firstPattern = tables.hostPatterns.count
        var isSound = true
        for word in words {
            if word.bytes.first == UInt8(ascii: "~") {
                guard let number = hostPattern(word) else {
                    isSound = false
                    continue
                }
                tables.hostPatterns.append(number)
            } else if let name = HostNamePattern(InternetAddress.canonicalHost(word.bytes)) {
                tables.hostNames.append(name)
            } else {
                invalidHost(word)
                isSound = false
            }
        }
        guard isSound else { return nil }
        return tables.matchers.adding(
            Matcher(
                kind: .host,
                names: firstName..<tables.hostNames.count,
                hostPatterns: firstPattern..<tables.hostPatterns.count,
                pattern: -1
            )
        )
    }

    /// The expression of `~REGEX` or `~*REGEX` for hosts, which are in lower case; capitals make it caseless, as in
    /// `server_name`.
    private mutating func hostPattern(_ word: Word) -> Int32? {
        var offset = 1
        if word.bytes.count > 1, word.bytes[1] == UInt8(ascii: "*") { offset = 2 }
        let bytes = Array(word.bytes.dropFirst(offset))
        guard !bytes.isEmpty else {
            invalidHost(word)
            return nil
        }
        let isCaseless = offset == 2 || bytes.contains { $0.isASCIIUppercase }
        return pattern(bytes, of: word, offset: offset, isCaseless: isCaseless)
    }

    private mutating func invalidHost(_ word: Word) {
        error(
            "invalid-host",
            "invalid host name or wildcard \"\(word.text)\"",
            at: word,
            suggestion: "a wildcard is the whole first or last label: *.example.com or www.*"
        )
    }

    /// The number of groups that a matcher's expression has, for captures in a target.
    private func groups(of matcher: Int32) -> Int {
        let matcher = tables.matchers[Int(matcher)]
        let patterns = matcher.kind == .url ? [matcher.pattern] : Array(tables.hostPatterns[matcher.hostPatterns])
        return patterns.map { tables.patterns[Int($0)].captureCount }.max() ?? 0
    }

    private mutating func target(_ word: Word, captures matcher: Int32) -> Int32 {
        availableGroups = groups(of: matcher)
        defer { availableGroups = nil }
        return template(word)
    }

    // MARK: Rules

    /// `match MATCHER { ... }`.
    private mutating func compileMatch(_ directive: Directive) -> (instruction: Int32, matcher: Int32)? {
        var words = directive.arguments
        let matcher = matcher(&words, of: directive)
        reportExtra(words)
        let test = emit(Instruction(.match, matcher ?? 0), at: directive.name.position)
        compileURLRules(directive.block ?? [])
        patch(test, target: nextInstruction)
        return matcher.map { (test, $0) }
    }

    private mutating func reportExtra(_ words: [Word]) {
        guard let extra = words.first else { return }
        error("unexpected-argument", "unexpected \"\(extra.text)\"", at: extra)
    }

    /// `rename_host FROM TO`.
    private mutating func compileRename(_ directive: Directive) -> (instruction: Int32, matcher: Int32)? {
        guard directive.arguments.count == 2 else { return nil }
        let from = directive.arguments[0]
        let to = directive.arguments[1]
        guard let matcher = hostMatcher([from]) else { return nil }
        var rename = HostRename(matcher: matcher, name: -1, target: 0)
        let names = tables.matchers[Int(matcher)].names
        if let first = names.first {
            rename.name = Int32(first)
            guard let target = renameTarget(to, for: tables.hostNames[first], from: from) else { return nil }
            rename.target = target
        } else {
            rename.target = target(to, captures: matcher)
        }
        let instruction = emit(Instruction(.renameHost, tables.renames.adding(rename)), at: directive.name.position)
        return (instruction, matcher)
    }

    /// The new name without its wildcard, which must stand where the old one's stands.
    private mutating func renameTarget(_ word: Word, for name: HostNamePattern, from: Word) -> Int32? {
        let isDomain = name.kind == .domain
        let starts: [UInt8] = isDomain ? [UInt8(ascii: ".")] : [UInt8(ascii: "*"), UInt8(ascii: ".")]
        var bytes = word.bytes
        switch name.kind {
        case .exact:
            if bytes.contains(UInt8(ascii: "*")) {
                error(
                    "invalid-host",
                    "\"\(from.text)\" has no wildcard whose labels \"\(word.text)\" could keep",
                    at: word
                )
                return nil
            }
        case .subdomains, .domain:
            if bytes.starts(with: starts) {
                bytes.removeFirst(starts.count)
            } else {
                // A target without a wildcard replaces the whole host; that is what a name without one says.
                return wholeHost(word, for: name)
            }
        case .prefix:
            if bytes.count > 2, bytes.last == UInt8(ascii: "*"), bytes[bytes.count - 2] == UInt8(ascii: ".") {
                bytes.removeLast(2)
            } else {
                return wholeHost(word, for: name)
            }
        }
        return template(bytes, of: word, offset: word.bytes.count - bytes.count)
    }

    private mutating func wholeHost(_ word: Word, for name: HostNamePattern) -> Int32? {
        error(
            "invalid-host",
            "a wildcard is renamed to a wildcard of the same form",
            at: word,
            suggestion: "write \"\(String(decoding: renamed(word.bytes, like: name), as: UTF8.self))\""
                + " to keep the labels, or match with \"~REGEX\" to drop them"
        )
        return nil
    }

    private func renamed(_ bytes: [UInt8], like name: HostNamePattern) -> [UInt8] {
        switch name.kind {
        case .exact: bytes
        case .subdomains: Array("*.".utf8) + bytes
        case .domain: [UInt8(ascii: ".")] + bytes
        case .prefix: bytes + Array(".*".utf8)
        }
    }

    /// `rewrite_url REGEX REPLACEMENT [last | break | redirect | permanent | 301 | 302 | 303 | 307 | 308]`.
    private mutating func compileURLRewrite(_ directive: Directive) -> (instruction: Int32, matcher: Int32)? {
        let words = directive.arguments
        guard words.count >= 2, let number = pattern(words[0].bytes, of: words[0]) else { return nil }
        var rule = URLRewrite(pattern: number, matcher: 0, target: 0, status: 0, flow: .next)
        if words.count > 2 {
            switch words[2].text {
            case "last": rule.flow = .last
            case "break": rule.flow = .stop
            case "redirect": rule.status = 302
            case "permanent": rule.status = 301
            case "301", "302", "303", "307", "308": rule.status = Int32(Self.number(words[2].bytes[...]) ?? 302)
            default:
                let flags = ["last", "break", "redirect", "permanent"]
                let closest = Suggestion.closest(to: words[2].text, among: flags)
                error(
                    "invalid-parameter",
                    "invalid parameter \"\(words[2].text)\"",
                    at: words[2],
                    suggestion: closest.map { "did you mean \"\($0)\"?" }
                        ?? "a flag is last, break, redirect, permanent, or a status such as 308"
                )
            }
        }
        guard !words[1].bytes.isEmpty else {
            error("empty-replacement", "empty replacement", at: words[1])
            return nil
        }
        rule.matcher = tables.matchers.adding(Matcher(kind: .url, names: 0..<0, hostPatterns: 0..<0, pattern: number))
        rule.target = target(words[1], captures: rule.matcher)
        let instruction = emit(Instruction(.rewriteURL, tables.urlRewrites.adding(rule)), at: directive.name.position)
        return (instruction, rule.matcher)
    }

    /// `degrade MATCHER URL`.
    private mutating func compileDegrade(_ directive: Directive) -> (instruction: Int32, matcher: Int32)? {
        var words = directive.arguments
        guard words.count >= 2 else { return nil }
        let url = words.removeLast()
        guard let matcher = matcher(&words, of: directive) else { return nil }
        reportExtra(words)
        if !url.bytes.contains(UInt8(ascii: "$")), (try? URLParser.parse(url.bytes.span)) == nil {
            error(
                "invalid-url",
                "\"\(url.text)\" is no URL",
                at: url,
                suggestion: "a URL begins with a scheme, such as https://"
            )
        }
        let rule = DegradeRule(matcher: matcher, target: target(url, captures: matcher))
        let instruction = emit(Instruction(.degrade, tables.degrades.adding(rule)), at: directive.name.position)
        return (instruction, matcher)
    }

    /// `block MATCHER [STATUS]`.
    private mutating func compileBlock(_ directive: Directive) -> (instruction: Int32, matcher: Int32)? {
        var words = directive.arguments
        let status = takeStatus(&words, keeping: 2)
        guard let matcher = matcher(&words, of: directive) else { return nil }
        reportExtra(words)
        let rule = BlockRule(matcher: matcher, list: -1, status: status)
        let instruction = emit(Instruction(.block, tables.blocks.adding(rule)), at: directive.name.position)
        return (instruction, matcher)
    }

    /// Takes a status off the end of the words, if at least `count` are left before it; 403 without one.
    mutating func takeStatus(_ words: inout [Word], keeping count: Int) -> Int32 {
        guard words.count > count, let last = words.last, last.bytes.count == 3, let code = Self.number(last.bytes[...])
        else { return 403 }
        words.removeLast()
        guard (400...599).contains(code) else {
            error("invalid-code", "a block's status is from 400 to 599, not \(code)", at: last)
            return 403
        }
        return Int32(code)
    }
}
