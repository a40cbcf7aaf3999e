/// One `RewriteRule` with its conditions, as a rule.
struct ApacheRewriteRule {
    /// The short names of flags.
    private static let short = [
        "LAST": "L", "FORBIDDEN": "F", "GONE": "G", "NOCASE": "NC", "NOESCAPE": "NE", "QSAPPEND": "QSA",
        "QSDISCARD": "QSD", "ENV": "E", "SKIP": "S", "CHAIN": "C", "REDIRECT": "R", "PROXY": "P", "NEXT": "N",
        "TYPE": "T", "H": "T", "HANDLER": "T",
    ]

    private static let known: Set = [
        "", "L", "END", "F", "G", "NC", "NE", "QSA", "QSD", "R", "P", "T", "NS", "NOSUBREQ", "PT", "PASSTHROUGH", "DPI",
        "DISCARDPATH", "NV", "UNSAFEALLOW3F", "UNSAFEPREFIXSTAT", "BNP", "BCTLS", "BNE", "B",
    ]

    private let directive: ApacheDirective
    let context: ApacheContext
    private var flags: [String: String] = [:]
    /// The texts of `E=`.
    private var assignments: [String] = []

    private(set) var rule: ImportedRule?
    /// The variables of the environment that the rule sets.
    private(set) var environment: [String] = []
    /// The number of rules that are skipped where it applies.
    private(set) var skips = 0
    /// True if the next rule is tried only where this one applies.
    private(set) var isChained = false
    /// The conditions as tests; nil where they are never true.
    private(set) var tests: ApacheConditions?
    /// The reasons why it is not exactly what it was.
    var differences: [String] = []
    /// Remarks about what is imported.
    private(set) var remarks: [String] = []
    /// The path without a query to which the rule leads, if it has no captures.
    private(set) var fixedTarget: String?
    var goesOn: Bool { if case .rewrite(_, .next)? = rule?.action { true } else { false } }

    /// Reads a rule with the conditions before it.
    init(
        _ directive: ApacheDirective,
        conditions: [ApacheConditions.Written],
        in context: ApacheContext
    ) throws(Unsaid) {
        let words = directive.words
        self.directive = directive
        self.context = words.first.map(context.below) ?? context
        guard words.count >= 2 else { throw Unsaid("it has no substitution") }
        for flag in directive.flags { try read(flag) }
        try make(words[0], substitution: words[1], conditions: conditions)
    }

    func has(_ names: String...) -> Bool { names.contains { flags[$0] != nil } }

    private mutating func read(_ flag: String) throws(Unsaid) {
        let written = flag.prefix { $0 != "=" }.uppercased()
        let name = Self.short[written] ?? written
        let value = String(flag.dropFirst(written.count + 1))
        switch name {
        case "E" where value.lowercased().hasPrefix("cache-"):
            remarks.append("the caches that read \(value) are not here")
        case "E": assignments.append(value)
        case "S":
            guard let count = Int(value) else { throw Unsaid("the flag \(flag)") }
            skips = count
        case "C": isChained = true
        case "N": throw Unsaid("the flag N: rules begin again ten times at most here")
        default:
            guard Self.known.contains(name) else { throw Unsaid("the flag \(name)") }
            flags[name] = value
        }
    }

    private mutating func make(
        _ written: String,
        substitution: String,
        conditions: [ApacheConditions.Written]
    ) throws(Unsaid) {
        var pattern = written
        let isNegated = pattern.hasPrefix("!") && pattern.count > 1
        if isNegated { pattern.removeFirst() }
        // What leaves the path unchanged changes nothing.
        let isSame =
            ["$0", "%{REQUEST_URI}"].contains(substitution) && !isNegated
            || substitution == "$1" && pattern.contains("(") && ImportedExpression.isAny(pattern)
        let hasTarget =
            substitution != "-" && !has("F", "G") && !(isSame && has("L", "END") && !has("R", "P", "QSD", "T"))
        var target = hasTarget ? try ApacheText(substitution, environment: context.environment) : ApacheText(parts: [])
        var values = try assignments.map { (text) throws(Unsaid) in
            let name = String(text.prefix { $0 != ":" })
            return (name, try ApacheText(String(text.dropFirst(name.count + 1)), environment: context.environment))
        }
        if target.groups.contains(0) || values.contains(where: { $0.1.groups.contains(0) })
            || conditions.contains(where: { $0.text.contains("$0") })
        {
            guard pattern.firstMatch(of: #/\\\d/#) == nil else {
                throw Unsaid("$0 of an expression with references to its groups")
            }
            pattern = pattern.hasPrefix("^") ? "^(\(pattern.dropFirst()))" : "(\(pattern))"
            shift = 1
        }
        let isCaptured = target.usesConditions || values.contains { $0.1.usesConditions }
        let ownGroups = isNegated ? 0 : (ImportedExpression.groupCount(pattern) ?? 9) - shift
        let written = conditions.map { $0.withGroups(upTo: ownGroups) }
        let tests = try ApacheConditions(written, usesCaptures: isCaptured, shift: shift, in: context)
        if tests.takesEmptyFiles { remarks.append("an empty file is a file as others here") }
        guard !tests.isNever else {
            remarks.append("its conditions are never true")
            return
        }
        self.tests = tests
        if let secure = tests.secureCaptures {
            target = try secure.resolved(target)
            values = try values.map { (name, text) throws(Unsaid) in (name, try secure.resolved(text)) }
        }
        // The usual way to ask whether a map has a value.
        if case .condition(1)? = target.parts.first, let captured = tests.captured,
            ["(.+)", "^(.+)$", "(.*)", "^(.*)$"].contains(captured.pattern),
            let text = try? ApacheText(captured.text, environment: context.environment), text.parts.count == 1,
            case .lookup = text.parts[0]
        {
            target.parts[0] = text.parts[0]
        }
        differences += tests.differences
        if context.hasChangedPath,
            ([substitution] + conditions.map(\.text)).contains(where: { $0.contains("REQUEST_URI") })
        {
            differences.append("REQUEST_URI does not see in Apache that a rule before it changed the path")
        }
        let first = conditions.first?.directive ?? directive
        var rule = ImportedRule(first.lines.lowerBound...directive.lines.upperBound, .set, tests: tests.tests)
        guard let count = ImportedExpression.groupCount(pattern) else {
            throw Unsaid("an expression that is not one here")
        }
        self.pattern = pattern
        // A group that the expression does not have is empty.
        target.drop(groups: count - shift, conditions: tests.groupCount)
        for index in values.indices { values[index].1.drop(groups: count - shift, conditions: tests.groupCount) }
        let isUsed =
            tests.usesGroups
            || ([target] + values.map(\.1)).contains { text in text.groups.contains { $0 <= count - shift } }
        if !ImportedExpression.isAny(pattern) || isUsed && count + shift > 0 {
            let path = context.folder.map { ImportedExpression.below($0, pattern) } ?? pattern
            rule.pattern = ImportedRule.Pattern(expression: path, ignoresCase: has("NC"), isNegated: isNegated)
            if let folder = context.folder, pattern.hasPrefix("^/"), !pattern.hasPrefix("^/?"),
                !pattern.hasPrefix("^/*")
            {
                remarks.append("no path below \(folder) begins with a slash here, so this never matches")
            }
        } else if isNegated {
            remarks.append("no path is outside of its expression")
            return
        }
        let isNamed =
            tests.usesGroups || target.looksGroupsUp || target.usesFound || values.contains { !$0.1.groups.isEmpty }
        if isNamed, let named = rule.pattern {
            rule.pattern?.expression = ImportedExpression.naming(named.expression, "path")
            rule.testsPathFirst = true
        }
        for (name, text) in values { try assign(name, text: text, to: &rule) }
        if has("B"), target.usesConditions || !target.groups.isEmpty {
            differences.append("the flag B: captures are not escaped here")
        }
        if tests.cutsNames,
            pattern.isEmpty || ["x/", "x/y"].contains(where: { ImportedExpression.matches(pattern, $0) })
        {
            differences.append("for /a/x Apache tests the name of /a unless that is a folder; these rules test /a/x")
        }
        try finish(&rule, &target, hasTarget: hasTarget)
    }

    /// The number that is added to the numbers of groups.
    private(set) var shift = 0
    /// The strings for captures; those of the rule have names.
    var captures: ApacheCaptures { ApacheCaptures(shift: shift, condition: tests?.groupName) }
    /// The way on after it changes the path.
    var continuation: ImportedRule.Continuation { has("END") ? .break : has("L") ? .last : .next }
    /// The expression on the path as written, with a group around it for the whole match.
    private(set) var pattern = ""
    /// True if Apache does not apply the rule to what an index looks up.
    var skipsIndex: Bool { has("R", "NS", "NOSUBREQ") }
    /// True if the rules after it are tried on the Location of its redirect.
    var redirectsOn: Bool { if case .redirect? = rule?.action { !has("L", "END") } else { false } }

    private mutating func assign(_ name: String, text: ApacheText, to rule: inout ImportedRule) throws(Unsaid) {
        if name.uppercased() == "HTTP_AUTHORIZATION" || name.uppercased() == "REMOTE_USER" && assignments.count == 1 {
            remarks.append("requests are passed on with their Authorization")
            return
        }
        let isUnset = name.hasPrefix("!")
        let variable = isUnset ? String(name.dropFirst()) : name
        let value = isUnset ? "" : try context.maps.string(text, captures)
        environment.append(variable.uppercased())
        rule.sets.append((String(ApacheText.environmentVariable(variable).dropFirst()), value))
    }

    private mutating func finish(
        _ rule: inout ImportedRule,
        _ target: inout ApacheText,
        hasTarget: Bool
    ) throws(Unsaid) {
        let status = flags["R"].map { $0.isEmpty ? 302 : Self.status($0) ?? 0 }
        if has("F") {
            rule.action = .respond(403)
        } else if has("G") {
            rule.action = .respond(410)
        } else if let status, !(300...399).contains(status) {
            guard (400...599).contains(status) || status == 200 else { throw Unsaid("the status of R") }
            rule.action = .respond(status)
        } else if !hasTarget {
            guard status == nil, !has("P") else { throw Unsaid("a redirect to the same path") }
            if has("L", "END") {
                guard !context.hasChangedPath || has("END") else {
                    throw Unsaid("an end after rules that changed the path, which begins again in Apache")
                }
                rule.action = .stop
            } else if has("T"), !isChained, skips == 0 {
                remarks.append("files keep their types")
                return
            } else if rule.sets.isEmpty, !isChained, skips == 0 {
                return
            }
        } else {
            if has("T") { remarks.append("files keep their types") }
            try setTarget(&rule, in: &target, status: status)
        }
        self.rule = rule
    }

    static func status(_ text: String) -> Int? {
        if let number = Int(text) { return number }
        return ["permanent": 301, "temp": 302, "seeother": 303, "gone": 410][text.lowercased()]
    }

    // MARK: The target

    private mutating func setTarget(
        _ rule: inout ImportedRule,
        in target: inout ApacheText,
        status: Int?
    ) throws(Unsaid) {
        if case .lookup(let map, let key, let other)? = target.parts.first, target.parts.count == 1,
            try setLookup(&rule, map: map, key: key, otherwise: other, status: status)
        {
            return
        }
        if target.parts.contains(where: { if case .lookup = $0 { true } else { false } }) {
            target = try embedded(target)
        }
        if case .variable("$document_root")? = target.parts.first { target.parts.removeFirst() }
        if case .variable("$request_filename")? = target.parts.first { target.parts[0] = .variable("$uri") }
        let start = start(of: target, isRedirect: status != nil)
        if start == .unknown {
            differences.append("its target may begin with a slash or with a server, which is not read here")
        }
        let isAbsolute = start == .server
        let isExternal = isAbsolute && !has("P") || status != nil
        if isExternal, target.parts.contains(.variable("$uri")) { keepPath(&rule, &target) }
        // A rewrite that redirects has the expression again, as its numbered groups are escaped.
        let isNamed = rule.testsPathFirst && !(isExternal && [nil, 301, 302].contains(status))
        var captures = captures
        if !isNamed { captures.prefix = "$" }
        // A table with expressions has its own numbered groups.
        guard isNamed || target.groups.isEmpty || !target.usesFound else {
            throw Unsaid("a variable of SetEnvIf next to a capture")
        }
        var text = try target.string(captures)
        if start == .relative || start == .unknown { text = context.base + text }
        var query: String?
        if let mark = text.firstIndex(of: "?") {
            query = String(text[text.index(after: mark)...])
            text = String(text[..<mark])
        }
        if !isExternal, text.hasPrefix("/") { text = try Self.resolved(withSingleSlashes(text, rule.tests)) }
        if isExternal {
            try redirect(&rule, path: text, query: query, status: status ?? 302)
        } else if has("P") {
            try proxy(&rule, text: text, query: query)
        } else {
            fixedTarget = text.contains("$") ? nil : text
            rule.action = .rewrite(text + ending(query), continuation)
        }
    }

    /// Makes the path of the request a capture, so that it is escaped where it is sent to the client.
    private mutating func keepPath(_ rule: inout ImportedRule, _ target: inout ApacheText) {
        if let pattern = rule.pattern {
            // Its own groups have names then, and the capture is that of the whole path.
            let named =
                target.groups.isEmpty ? pattern.expression : ImportedExpression.naming(pattern.expression, "path")
            rule.tests.insert(
                [
                    ImportedTest(
                        "$uri",
                        .matches(named, ignoresCase: pattern.ignoresCase),
                        isNegated: pattern.isNegated
                    )
                ],
                at: 0
            )
            let captures = captures
            target.parts = target.parts.map { part in
                if case .group(let number) = part { .variable(captures.group(number)) } else { part }
            }
        }
        rule.testsPathFirst = false
        rule.pattern = ImportedRule.Pattern(expression: "^(.*)$")
        shift = 0
        target.parts = target.parts.map { $0 == .variable("$uri") ? .group(1) : $0 }
    }
}
