import ShuntCore
import ShuntPatterns

/// `map`, `split_clients` and `input`: variables that rules define.
extension Compiler {
    /// Compiles every definition of the top level.
    mutating func define(_ directives: [Directive]) {
        for directive in directives {
            switch Self.keyword(directive) {
            case .map: defineMap(directive)
            case .splitClients: defineSplit(directive)
            case .geo: defineGeo(directive)
            case .input: defineInput(directive)
            default: break
            }
        }
    }

    // MARK: map

    private struct MapBuilder {
        var literals = ByteTableBuilder(caseless: true)
        var hosts = HostTableBuilder()
        var takesHostNames = false
        var isVolatile = false
        var patterns: [Int32] = []
        var patternValues: [Int32] = []
        var defaultValue: Int32 = -1
        var patternPositions: [SourcePosition] = []
    }

    private mutating func defineMap(_ directive: Directive) {
        guard directive.arguments.count == 2 else { return }
        var builder = MapBuilder()
        let source = template(directive.arguments[0])
        for entry in directive.block ?? [] { addMapEntry(entry, to: &builder) }
        let map = ValueMap(
            source: source,
            literals: builder.literals.build(),
            hosts: builder.takesHostNames ? builder.hosts.build() : nil,
            patterns: PatternIndex(builder.patterns.map { tables.patterns[Int($0)] }),
            patternNumbers: builder.patterns,
            patternValues: builder.patternValues,
            patternPositions: builder.patternPositions,
            defaultValue: builder.defaultValue,
            position: directive.name.position
        )
        define(
            directive.arguments[1],
            source: .map,
            index: tables.maps.adding(map),
            isVolatile: builder.isVolatile
        )
    }

    private mutating func addMapEntry(_ entry: Directive, to builder: inout MapBuilder) {
        let key = entry.name
        if entry.arguments.isEmpty {
            switch key.text {
            case "hostnames":
                builder.takesHostNames = true
                return
            case "volatile":
                builder.isVolatile = true
                return
            default: break
            }
        }
        guard entry.arguments.count == 1, entry.block == nil else {
            return error(
                "invalid-map-entry",
                "an entry of a map is a key and a value",
                at: key,
                suggestion: entry.arguments.count > 1 ? "quote a key or value that has spaces" : "write: KEY VALUE;"
            )
        }
        let value = entry.arguments[0]
        if key.text == "default", !key.isEscaped {
            if builder.defaultValue >= 0 {
                return error(
                    "duplicate-default",
                    "this map has a default already",
                    at: key,
                    suggestion: "take one of them out; a key that is the word itself is written \\default"
                )
            }
            builder.defaultValue = template(value)
            return
        }
        if key.bytes.first == UInt8(ascii: "~") { return addMapPattern(key, value, to: &builder) }
        var bytes = key.bytes
        if bytes.first == UInt8(ascii: "\\") { bytes.removeFirst() }
        let number = template(value)
        let inserted =
            builder.takesHostNames
            ? builder.hosts.add(bytes.span, value: number) : builder.literals.add(bytes.span, value: number)
        switch inserted {
        case .added:
            break
        case .duplicate:
            error(
                "duplicate-key",
                "the key \(key.shownText) is in this map already",
                at: key,
                suggestion: "take one of them out; keys are the same whatever their case"
            )
        case .malformed:
            // With host names an empty key, or one that is no name, is still a literal.
            let isBroken = bytes.contains(UInt8(ascii: "*")) || String(decoding: bytes, as: UTF8.self).contains("..")
            if builder.literals.add(bytes.span, value: number) != .added || isBroken {
                error(
                    "invalid-host",
                    "invalid host name or wildcard \(key.shownText)",
                    at: key,
                    suggestion: Self.wildcardAdvice
                )
            }
        case .full:
            error("too-many-keys", "this map has too many keys", at: key)
        }
    }

    private mutating func addMapPattern(_ key: Word, _ value: Word, to builder: inout MapBuilder) {
        let isCaseless = key.bytes.count > 1 && key.bytes[1] == UInt8(ascii: "*")
        let offset = isCaseless ? 2 : 1
        let bytes = Array(key.bytes.dropFirst(offset))
        guard let number = pattern(bytes, of: key, offset: offset, isCaseless: isCaseless) else { return }
        builder.patterns.append(number)
        builder.patternPositions.append(key.position)
        builder.patternValues.append(withGroups(of: number) { $0.template(value) })
    }

    static let wildcardAdvice = "a wildcard is the whole first or last label: *.example.com or www.*"

    // MARK: split_clients

    private mutating func defineSplit(_ directive: Directive) {
        guard directive.arguments.count == 2 else { return }
        var split = SplitClients(
            source: template(directive.arguments[0]),
            shares: [],
            isComplete: false,
            position: directive.name.position
        )
        var total = 0
        var bound: UInt64 = 0
        for entry in directive.block ?? [] {
            guard entry.arguments.count == 1, entry.block == nil else {
                error(
                    "invalid-share",
                    "an entry of \"split_clients\" is a percentage and a value",
                    at: entry.name,
                    suggestion: "write: 10% VALUE; or * VALUE;"
                )
                continue
            }
            if split.isComplete {
                error(
                    "invalid-share",
                    "\"*\" takes the rest, so it must be the last entry",
                    at: entry.name,
                    suggestion: "put it before the \"*\""
                )
                continue
            }
            let value = constant(entry.arguments[0].bytes)
            if entry.name.text == "*" {
                split.isComplete = true
                split.shares.append(SplitClients.Share(bound: .max, value: value))
                continue
            }
            guard let hundredths = Self.hundredths(entry.name.bytes), hundredths > 0 else {
                error(
                    "invalid-percent",
                    "invalid percent value \"\(entry.name.text)\"",
                    at: entry.name,
                    suggestion: "write a percentage above 0 with at most two decimals, such as 0.5%, or * for the rest"
                )
                continue
            }
            total += hundredths
            guard total <= 10_000 else {
                error(
                    "percent-total",
                    "the percentages add up to more than 100%",
                    at: entry.name,
                    suggestion: "write * for what is left"
                )
                continue
            }
            bound += UInt64(hundredths) * UInt64(UInt32.max) / 10_000
            split.shares.append(SplitClients.Share(bound: UInt32(truncatingIfNeeded: bound), value: value))
        }
        if total == 10_000 { split.isComplete = true }
        define(directive.arguments[1], source: .split, index: tables.splits.adding(split))
    }

    /// The hundredths of a percentage such as `12.34%`; nil when it is none.
    private static func hundredths(_ bytes: [UInt8]) -> Int? {
        guard bytes.last == UInt8(ascii: "%"), bytes.count > 1 else { return nil }
        let parts = bytes.dropLast().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, bytes.count > 2 || parts.count == 1 else { return nil }
        guard let whole = parts[0].isEmpty ? 0 : number(parts[0]), whole <= 100 else { return nil }
        // nginx takes `.5%` and `5.%` too.
        guard parts.count == 2, !parts[1].isEmpty else { return whole * 100 }
        guard parts[1].count <= 2, let fraction = number(parts[1]) else { return nil }
        return whole * 100 + (parts[1].count == 1 ? fraction * 10 : fraction)
    }

    // MARK: input

    private mutating func defineInput(_ directive: Directive) {
        guard let name = directive.arguments.first else { return }
        guard let text = variableName(name) else { return }
        let defaultValue = directive.arguments.count > 1 ? template(directive.arguments[1]) : -1
        let index = tables.inputs.adding(Input(name: text, defaultValue: defaultValue))
        define(name, source: .input, index: index)
    }
}

extension Word {
    /// Whether a backslash keeps the word from being taken for a keyword.
    var isEscaped: Bool { bytes.first == UInt8(ascii: "\\") }
}
