/// The conditions in front of a `RewriteRule`, as tests.
struct ApacheConditions {
    /// A condition as written in the file.
    struct Written {
        var directive: ApacheDirective
        var text: String
        var pattern: String
        var flags: [String]

        /// Reads a `RewriteCond`.
        init(_ directive: ApacheDirective) {
            let words = directive.words
            self.directive = directive
            text = words.first ?? ""
            pattern = words.count > 1 ? words[1] : ""
            flags = directive.flags.map { $0.uppercased() }
        }

        /// The condition of a rule with so many groups: others are empty.
        func withGroups(upTo count: Int) -> Written {
            var copy = self
            copy.text = text.replacing(#/\\.|\$([1-9])/#) { Int($0.1 ?? "") ?? 0 > count ? "" : String($0.0) }
            return copy
        }

        var isOr: Bool { flags.contains("OR") || flags.contains("ORNEXT") }
        var ignoresCase: Bool { flags.contains("NC") || flags.contains("NOCASE") }
    }

    private enum Outcome {
        case test(ImportedTest)
        case constant(Bool)
    }

    /// All of these; of each, one.
    private(set) var tests: [[ImportedTest]] = []
    /// True if the rule applies to no request.
    private(set) var isNever = false
    /// The name of the groups of the last expression; nil without any.
    private(set) var groupName: String?
    /// The condition with that expression, and the number of its groups.
    private(set) var captured: Written?
    private(set) var groupCount = 0
    /// The captures of a condition on `%{HTTPS}`, in the place of those of an expression.
    private(set) var secureCaptures: ApacheSecureCaptures?
    /// True if a name is looked up that Apache ends at the first part that is not a folder.
    private(set) var cutsNames = false
    /// True if a test uses groups of the rule.
    private(set) var usesGroups = false
    /// True if a test needs the path that the request began with.
    private(set) var usesFirstPath = false
    /// True if an empty file is taken for a file as others.
    private(set) var takesEmptyFiles = false
    /// True if the last condition has OR, and so all of its list hold.
    private(set) var hasLastOr = false
    /// The tests that are not exactly those of Apache, as reasons.
    private(set) var differences: [String] = []
    private let context: ApacheContext
    private let shift: Int
    /// True if the condition is one of several that are joined by OR.
    private var isJoined = false

    /// Reads conditions in their order; `shift` is added to the numbers of groups of the rule.
    init(_ written: [Written], usesCaptures: Bool, shift: Int, in context: ApacheContext) throws(Unsaid) {
        self.context = context
        self.shift = shift
        var group: [ImportedTest] = []
        var isPassed = false
        let lastUse = written.lastIndex { $0.text.contains("%") && $0.text.contains(#/%\d/#) } ?? -1
        for (index, condition) in written.enumerated() {
            let later = index < lastUse
            isJoined = condition.isOr && index < written.count - 1 || !group.isEmpty
            switch try outcome(condition, usesCaptures || later) {
            case .constant(true): isPassed = true
            case .constant(false): break
            case .test(let test): group.append(test)
            }
            if condition.isOr, index < written.count - 1 { continue }
            // Apache takes the rule unchanged where the last one of a list has OR.
            if condition.isOr {
                isPassed = true
                hasLastOr = true
                guard !usesCaptures else { throw Unsaid("captures of an OR that joins nothing") }
            }
            if !isPassed {
                if group.isEmpty { isNever = true }
                if group.count > 1, group.contains(where: \.hasNamedGroups) {
                    guard Set(group.map(Self.namedGroupCount)).count == 1 else {
                        throw Unsaid("different captures of conditions that are joined by OR")
                    }
                    // The first that matches has to be the last that sets the groups.
                    group.reverse()
                }
                tests.append(Self.joined(group))
            }
            group = []
            isPassed = false
        }
        tests = Self.merged(tests)
        // The name of a file that is there is whole.
        let isThere = tests.contains {
            $0.count == 1 && $0[0].isOfFiles && !$0[0].isNegated && $0[0].subject == "$request_filename"
        }
        if isThere {
            differences.removeAll { $0 == Self.cut }
            cutsNames = false
        }
        if tests.contains(where: { $0.contains { $0.kind == .equals("-l") } }) {
            throw Unsaid("a test for a link")
        }
    }

    private static let cut = "for /a/x Apache compares the name of /a unless that is a folder; these rules compare /a/x"

    private mutating func outcome(_ condition: Written, _ usesCaptures: Bool) throws(Unsaid) -> Outcome {
        guard condition.text.lowercased() != "expr" else { throw Unsaid("an expression of Apache") }
        var pattern = condition.pattern
        let isNegated = pattern.hasPrefix("!") && pattern != "!"
        if isNegated { pattern.removeFirst() }
        var text = try ApacheText(condition.text, environment: context.environment)
        usesGroups = usesGroups || !text.groups.isEmpty
        let captures = ApacheCaptures(shift: shift, condition: groupName)
        if let secureCaptures { text = try secureCaptures.resolved(text) }
        text = try context.maps.resolved(text, captures)
        if context.folder == nil, condition.text.contains(#/%\{(?:REQUEST|SCRIPT)_FILENAME\}/#.ignoresCase()) {
            differences.append("outside of <Directory> REQUEST_FILENAME is the path, and not the name of a file")
        }
        // Numbers follow their sign without a blank, too.
        if pattern.count <= 3 || Self.numberSigns.contains(where: pattern.hasPrefix), let kind = try fileTest(pattern) {
            let path = try text.string(captures)
            let subject = path == "$document_root$uri" ? "$request_filename" : path
            cutsNames =
                cutsNames || subject.hasPrefix("$request_filename") && subject != "$request_filename"
                || subject.hasPrefix("${request_filename}")
            return .test(ImportedTest(subject, kind, isNegated: isNegated))
        }
        if let outcome = try constant(text, pattern: pattern, condition: condition, isNegated: isNegated) {
            if !isNegated, try Self.compared(pattern) == nil {
                try keepCaptures(of: text, pattern: pattern, condition: condition, areUsed: usesCaptures)
            }
            return outcome
        }
        let test = ImportedTest(try text.string(captures), .equals(""), isNegated: isNegated)
        return .test(try comparison(test, pattern: pattern, condition: condition, usesCaptures: usesCaptures))
    }

    /// The text that a value is compared with; nil for an expression.
    private static func compared(_ pattern: String) throws(Unsaid) -> String? {
        // A sign alone is an expression.
        guard pattern.count > 1, let sign = pattern.first, "<>=".contains(sign) else { return nil }
        guard sign == "=" else { throw Unsaid("a comparison of texts by order") }
        return pattern.dropFirst() == "\"\"" ? "" : String(pattern.dropFirst())
    }

    /// Keeps the groups of an expression on a value that is known.
    private mutating func keepCaptures(
        of text: ApacheText,
        pattern: String,
        condition: Written,
        areUsed: Bool
    ) throws(Unsaid) {
        guard areUsed, !text.parts.contains(.redirectStatus) else { return }
        let values = ["on", "off"]
            .map { value in
                let whole = ApacheText(parts: text.parts.map { $0 == .https ? .text(value) : $0 }).constant ?? ""
                return ImportedExpression.captures(pattern, whole, ignoresCase: condition.ignoresCase)
            }
        guard let first = values[0] ?? values[1] else { return }
        guard !isJoined || first.count < 2 else { throw Unsaid("captures of conditions that are joined by OR") }
        secureCaptures = ApacheSecureCaptures(on: first, off: values[1] ?? first)
        groupName = nil
    }

    private static let numberSigns = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]

    private mutating func fileTest(_ pattern: String) throws(Unsaid) -> ImportedTest.Kind? {
        switch pattern {
        case "-F":
            differences.append("-F checks access as well, and here only the file counts")
            return .file
        case "-f": return .file
        case "-d": return .directory
        case "-s":
            takesEmptyFiles = true
            return .file
        case "-l", "-L", "-h": return .equals("-l")
        case "-U", "-x": throw Unsaid("the test \(pattern)")
        default:
            guard Self.numberSigns.contains(where: pattern.hasPrefix) else { return nil }
            throw Unsaid("a comparison of numbers")
        }
    }

    /// The outcome of a test of a value that is one of a few: the scheme, and the status before.
    private mutating func constant(
        _ text: ApacheText,
        pattern: String,
        condition: Written,
        isNegated: Bool
    ) throws(Unsaid) -> Outcome? {
        func holds(_ values: [ApacheText.Part: String]) throws(Unsaid) -> Bool? {
            let parts = text.parts.map { part in values[part].map { ApacheText.Part.text($0) } ?? part }
            guard let value = ApacheText(parts: parts).constant else { return nil }
            let result: Bool
            if let other = try Self.compared(pattern) {
                result = condition.ignoresCase ? value.lowercased() == other.lowercased() : value == other
            } else {
                result = ImportedExpression.matches(pattern, value, ignoresCase: condition.ignoresCase)
            }
            return result != isNegated
        }
        if text.constant != nil { return try holds([:]).map { .constant($0) } }
        if text.parts.contains(.https) {
            guard let on = try holds([.https: "on"]), let off = try holds([.https: "off"]) else {
                throw Unsaid("%{HTTPS} together with other variables")
            }
            if on == off { return .constant(on) }
            return .test(ImportedTest("$scheme", .equals(on ? "https" : "http")))
        }
        if text.parts.contains(.redirectStatus) {
            guard let first = try holds([.redirectStatus: ""]), let later = try holds([.redirectStatus: "200"]) else {
                throw Unsaid("%{ENV:REDIRECT_STATUS} together with other variables")
            }
            if first == later { return .constant(first) }
            usesFirstPath = true
            return .test(ImportedTest("$uri", .equals("$first_uri"), isNegated: later))
        }
        return nil
    }

    /// A test with its comparison or its expression.
    private mutating func comparison(
        _ plain: ImportedTest,
        pattern: String,
        condition: Written,
        usesCaptures: Bool
    ) throws(Unsaid) -> ImportedTest {
        var test = plain
        if let other = try Self.compared(pattern) {
            guard !other.contains("$") else { throw Unsaid("a text with a $ in it") }
            let isExact = !condition.ignoresCase || other.isEmpty
            let whole = "^\(ImportedExpression.literal(other))$"
            test.kind = isExact ? .equals(other) : .matches(whole, ignoresCase: true)
            return test
        }
        guard let count = ImportedExpression.groupCount(pattern) else {
            throw Unsaid("an expression that is not one here")
        }
        if test.subject == "$request_filename" {
            differences.append(Self.cut)
        }
        if pattern == "^$" { return test }
        test.kind = .matches(pattern, ignoresCase: condition.ignoresCase)
        guard !test.isNegated else { return test }
        groupName = nil
        (captured, groupCount, secureCaptures) = (condition, count, nil)
        guard usesCaptures, count > 0 else { return test }
        let name = isJoined ? "match" : Self.name(of: test.subject)
        groupName = name
        test.kind = .matches(ImportedExpression.naming(pattern, name), ignoresCase: condition.ignoresCase)
        test.hasNamedGroups = true
        return test
    }

    /// The number of groups with names in the expression of a test.
    private static func namedGroupCount(_ test: ImportedTest) -> Int {
        guard case .matches(let expression, _) = test.kind, test.hasNamedGroups else { return 0 }
        return ImportedExpression.groupCount(expression) ?? 0
    }

    /// The name of the groups of an expression on a value.
    private static func name(of subject: String) -> String {
        guard subject.wholeMatch(of: #/\$\w+/#) != nil else { return "value" }
        let name = String(subject.dropFirst())
        return name.hasPrefix("http_") && name != "http_cookie"
            ? String(name.dropFirst(5)) : ["uri": "path", "http_cookie": "cookies"][name] ?? name
    }

    // MARK: Fewer tests

    /// Alternatives with fewer tests.
    private static func joined(_ group: [ImportedTest]) -> [ImportedTest] {
        var result: [ImportedTest] = []
        for test in group {
            guard let last = result.last, last.subject == test.subject, !last.isNegated, !test.isNegated else {
                result.append(test)
                continue
            }
            if let kind = Self.either(last, test) {
                result[result.count - 1].kind = kind
            } else {
                result.append(test)
            }
        }
        return result
    }

    /// Tests that all have to hold, with fewer of them.
    private static func merged(_ tests: [[ImportedTest]]) -> [[ImportedTest]] {
        var result: [[ImportedTest]] = []
        for group in tests {
            guard group.count == 1, group[0].isNegated,
                let index = result.firstIndex(where: {
                    $0.count == 1 && $0[0].isNegated && $0[0].subject == group[0].subject
                })
            else {
                result.append(group)
                continue
            }
            if let kind = Self.either(result[index][0], group[0]) {
                result[index][0].kind = kind
            } else {
                result.append(group)
            }
        }
        return result
    }

    /// The test that holds where one of two on the same value does, which are both negated or both not; nil for none.
    private static func either(_ one: ImportedTest, _ other: ImportedTest) -> ImportedTest.Kind? {
        switch (one.kind, other.kind) {
        case (.file, .file), (.directory, .directory),
            (_, .equals("-l")) where one.isOfFiles:
            return one.kind
        case (.equals("-l"), .file), (.equals("-l"), .directory): return other.kind
        case (.file, .directory), (.directory, .file): return .fileOrDirectory
        case (.fileOrDirectory, .file), (.fileOrDirectory, .directory): return one.isNegated ? nil : .fileOrDirectory
        case (.matches(let first, let ignoresCase), .matches(let second, let othersIgnoreCase))
        where ignoresCase == othersIgnoreCase && !one.hasNamedGroups && !other.hasNamedGroups:
            return ImportedExpression.either(first, second).map { .matches($0, ignoresCase: ignoresCase) }
        default: return nil
        }
    }
}
