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
            flags = words.count > 2 ? ApacheFlags.split(words[2...].joined(separator: " ")).map { $0.uppercased() } : []
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
        case test(ImportedRule.Test)
        case constant(Bool)
    }

    /// All of these; of each, one.
    private(set) var tests: [[ImportedRule.Test]] = []
    /// True if the rule applies to no request.
    private(set) var isNever = false
    /// The name of the groups of the last expression; nil without any.
    private(set) var groupName: String?
    /// The condition with that expression, and the number of its groups.
    private(set) var captured: Written?
    private(set) var groupCount = 0
    /// The captures of a condition on `%{HTTPS}`, in the place of those of an expression.
    private(set) var secureCaptures: ApacheSecureCaptures?
    /// True if a name is looked up that Apache ends at the first part that is no folder.
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

    /// Reads conditions.
    ///
    /// - Parameters:
    ///   - written: The conditions, in their order.
    ///   - usesCaptures: True if the rule uses the groups of a condition.
    ///   - shift: The number that is added to the numbers of groups of the rule.
    ///   - context: Where they stand.
    /// - Throws: An error with the reason.
    init(_ written: [Written], usesCaptures: Bool, shift: Int, in context: ApacheContext) throws(ApacheText.Unsaid) {
        self.context = context
        self.shift = shift
        var group: [ImportedRule.Test] = []
        var isPassed = false
        for (index, condition) in written.enumerated() {
            let later = written[(index + 1)...].contains { $0.text.contains("%") && $0.text.contains(#/%\d/#) }
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
                guard !usesCaptures else { throw ApacheText.Unsaid(reason: "captures of an OR that joins nothing") }
            }
            if !isPassed {
                if group.isEmpty { isNever = true }
                if group.count > 1, group.contains(where: \.hasNamedGroups) {
                    guard Set(group.map(Self.namedGroupCount)).count == 1 else {
                        throw ApacheText.Unsaid(reason: "different captures of conditions that are joined by OR")
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
        if tests.contains(where: { $0.contains { $0.kind == .equals("-l") } }) {
            throw ApacheText.Unsaid(reason: "a test for a link")
        }
    }

    private mutating func outcome(_ condition: Written, _ usesCaptures: Bool) throws(ApacheText.Unsaid) -> Outcome {
        guard condition.text.lowercased() != "expr" else { throw ApacheText.Unsaid(reason: "an expression of Apache") }
        var pattern = condition.pattern
        let isNegated = pattern.hasPrefix("!") && pattern != "!"
        if isNegated { pattern.removeFirst() }
        var text = try ApacheText(condition.text, environment: context.environment)
        usesGroups = usesGroups || !text.groups.isEmpty
        let shift = shift
        let group = { (number: Int) -> String in "$path_\(number + shift)" }
        if let secureCaptures { text = try secureCaptures.resolved(text) }
        text = try context.maps.resolved(text, group: group, condition: groupName)
        if context.folder == nil, condition.text.contains(#/%\{(?:REQUEST|SCRIPT)_FILENAME\}/#.ignoresCase()) {
            differences.append("outside of <Directory> REQUEST_FILENAME is the path, and not the name of a file")
        }
        // Numbers follow their sign without a blank, too.
        if pattern.count <= 3 || Self.numberSigns.contains(where: pattern.hasPrefix), let kind = try fileTest(pattern) {
            let path = try text.string(group: group, condition: groupName)
            let subject = path == "$document_root$uri" ? "$request_filename" : path
            cutsNames =
                cutsNames || subject.hasPrefix("$request_filename") && subject != "$request_filename"
                || subject.hasPrefix("${request_filename}")
            return .test(ImportedRule.Test(subject: subject, kind: kind, isNegated: isNegated))
        }
        if let outcome = try constant(text, pattern: pattern, condition: condition, isNegated: isNegated) {
            if !isNegated, pattern.count < 2 || pattern.first.map({ !"<>=".contains($0) }) == true {
                try keepCaptures(of: text, pattern: pattern, condition: condition, areUsed: usesCaptures)
            }
            return outcome
        }
        let subject = try text.string(group: group, condition: groupName)
        return .test(
            try comparison(
                subject,
                pattern: pattern,
                condition: condition,
                isNegated: isNegated,
                usesCaptures: usesCaptures
            )
        )
    }

    /// Keeps the groups of an expression on a value that is known.
    private mutating func keepCaptures(
        of text: ApacheText,
        pattern: String,
        condition: Written,
        areUsed: Bool
    ) throws(ApacheText.Unsaid) {
        guard areUsed, !text.parts.contains(.redirectStatus) else { return }
        let values = ["on", "off"]
            .map { value in
                let whole = ApacheText(parts: text.parts.map { $0 == .https ? .text(value) : $0 }).constant ?? ""
                return ImportedExpression.captures(pattern, whole, ignoresCase: condition.ignoresCase)
            }
        guard let first = values[0] ?? values[1] else { return }
        guard !isJoined || first.count < 2 else {
            throw ApacheText.Unsaid(reason: "captures of conditions that are joined by OR")
        }
        secureCaptures = ApacheSecureCaptures(on: first, off: values[1] ?? first)
        groupName = nil
    }

    private static let numberSigns = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]

    private mutating func fileTest(_ pattern: String) throws(ApacheText.Unsaid) -> ImportedRule.Test.Kind? {
        switch pattern {
        case "-F":
            differences.append("-F looks at access as well, and here only the file counts")
            return .file
        case "-f": return .file
        case "-d": return .directory
        case "-s":
            takesEmptyFiles = true
            return .file
        case "-l", "-L", "-h": return .equals("-l")
        case "-U", "-x": throw ApacheText.Unsaid(reason: "the test \(pattern)")
        default:
            guard Self.numberSigns.contains(where: pattern.hasPrefix) else { return nil }
            throw ApacheText.Unsaid(reason: "a comparison of numbers")
        }
    }

    /// The outcome of a test of a value that is one of a few: the scheme, and the status before.
    private mutating func constant(
        _ text: ApacheText,
        pattern: String,
        condition: Written,
        isNegated: Bool
    ) throws(ApacheText.Unsaid) -> Outcome? {
        func holds(_ values: [ApacheText.Part: String]) throws(ApacheText.Unsaid) -> Bool? {
            let parts = text.parts.map { part in values[part].map { ApacheText.Part.text($0) } ?? part }
            guard let value = ApacheText(parts: parts).constant else { return nil }
            let result: Bool
            // A sign alone is an expression.
            if pattern.hasPrefix("="), pattern.count > 1 {
                let other = pattern.dropFirst() == "\"\"" ? "" : String(pattern.dropFirst())
                result = condition.ignoresCase ? value.lowercased() == other.lowercased() : value == other
            } else if pattern.count > 1, pattern.hasPrefix("<") || pattern.hasPrefix(">") {
                throw ApacheText.Unsaid(reason: "a comparison of texts by order")
            } else {
                result = ImportedExpression.matches(pattern, value, ignoresCase: condition.ignoresCase)
            }
            return result != isNegated
        }
        if text.constant != nil { return try holds([:]).map { .constant($0) } }
        if text.parts.contains(.https) {
            guard let on = try holds([.https: "on"]), let off = try holds([.https: "off"]) else {
                throw ApacheText.Unsaid(reason: "%{HTTPS} together with other variables")
            }
            if on == off { return .constant(on) }
            return .test(ImportedRule.Test(subject: "$scheme", kind: .equals(on ? "https" : "http")))
        }
        if text.parts.contains(.redirectStatus) {
            guard let first = try holds([.redirectStatus: ""]), let later = try holds([.redirectStatus: "200"]) else {
                throw ApacheText.Unsaid(reason: "%{ENV:REDIRECT_STATUS} together with other variables")
            }
            if first == later { return .constant(first) }
            usesFirstPath = true
            return .test(ImportedRule.Test(subject: "$uri", kind: .equals("$first_uri"), isNegated: later))
        }
        return nil
    }

    private mutating func comparison(
        _ subject: String,
        pattern: String,
        condition: Written,
        isNegated: Bool,
        usesCaptures: Bool
    ) throws(ApacheText.Unsaid) -> ImportedRule.Test {
        if pattern.count > 1, let first = pattern.first, "<>=".contains(first) {
            guard first == "=" else { throw ApacheText.Unsaid(reason: "a comparison of texts by order") }
            let other = pattern.dropFirst() == "\"\"" ? "" : String(pattern.dropFirst())
            guard !other.contains("$") else { throw ApacheText.Unsaid(reason: "a text with a $ in it") }
            guard condition.ignoresCase, !other.isEmpty else {
                return ImportedRule.Test(subject: subject, kind: .equals(other), isNegated: isNegated)
            }
            let whole = "^\(ImportedExpression.literal(other))$"
            return ImportedRule.Test(subject: subject, kind: .matches(whole, ignoresCase: true), isNegated: isNegated)
        }
        guard let count = ImportedExpression.groupCount(pattern) else {
            throw ApacheText.Unsaid(reason: "an expression that is not one here")
        }
        if subject == "$request_filename" {
            differences += ["Apache cuts the name of a file where its folder does not exist"]
        }
        if pattern == "^$" { return ImportedRule.Test(subject: subject, kind: .equals(""), isNegated: isNegated) }
        var test = ImportedRule.Test(
            subject: subject,
            kind: .matches(pattern, ignoresCase: condition.ignoresCase),
            isNegated: isNegated
        )
        guard !isNegated else { return test }
        groupName = nil
        (captured, groupCount, secureCaptures) = (condition, count, nil)
        guard usesCaptures, count > 0 else { return test }
        let name = isJoined ? "match" : Self.name(of: subject)
        groupName = name
        test.kind = .matches(ImportedExpression.naming(pattern, name), ignoresCase: condition.ignoresCase)
        test.hasNamedGroups = true
        return test
    }

    /// The number of groups with names in the expression of a test.
    private static func namedGroupCount(_ test: ImportedRule.Test) -> Int {
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
    private static func joined(_ group: [ImportedRule.Test]) -> [ImportedRule.Test] {
        var result: [ImportedRule.Test] = []
        for test in group {
            guard let last = result.last, last.subject == test.subject, !last.isNegated, !test.isNegated else {
                result.append(test)
                continue
            }
            switch (last.kind, test.kind) {
            case (.file, .file), (.directory, .directory), (.file, .equals("-l")), (.directory, .equals("-l")): break
            case (.equals("-l"), .file), (.equals("-l"), .directory): result[result.count - 1] = test
            case (.file, .directory), (.directory, .file), (.fileOrDirectory, .equals("-l")), (.fileOrDirectory, .file),
                (.fileOrDirectory, .directory):
                result[result.count - 1].kind = .fileOrDirectory
            case (.matches(let one, let first), .matches(let other, let second))
            where first == second && !last.hasNamedGroups && !test.hasNamedGroups:
                if let joined = ImportedExpression.either(one, other) {
                    result[result.count - 1].kind = .matches(joined, ignoresCase: first)
                } else {
                    result.append(test)
                }
            default: result.append(test)
            }
        }
        return result
    }

    /// Tests that all have to hold, with fewer of them.
    private static func merged(_ tests: [[ImportedRule.Test]]) -> [[ImportedRule.Test]] {
        var result: [[ImportedRule.Test]] = []
        for group in tests {
            guard group.count == 1, group[0].isNegated,
                let index = result.firstIndex(where: {
                    $0.count == 1 && $0[0].isNegated && $0[0].subject == group[0].subject
                })
            else {
                result.append(group)
                continue
            }
            switch (result[index][0].kind, group[0].kind) {
            case (.file, .file), (.directory, .directory), (.file, .equals("-l")), (.directory, .equals("-l")),
                (.fileOrDirectory, .equals("-l")):
                break
            case (.equals("-l"), .file), (.equals("-l"), .directory): result[index] = group
            case (.file, .directory), (.directory, .file): result[index][0].kind = .fileOrDirectory
            case (.matches(let one, let first), .matches(let other, let second)) where first == second:
                guard let joined = ImportedExpression.either(one, other) else { fallthrough }
                result[index][0].kind = .matches(joined, ignoresCase: first)
            default: result.append(group)
            }
        }
        return result
    }
}
