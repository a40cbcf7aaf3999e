import ShuntCore
import ShuntPatterns

extension RouteTableBuilder {
    /// Makes a table of the routes.
    ///
    /// - Returns: The table, with the warnings about its routes.
    /// - Throws: `RouteTableError` with everything that is wrong: patterns that cannot be read, duplicates, pairs of
    ///   routes of which neither goes before the other, and limits that are passed.
    /// - Complexity: About in proportion to the text of all patterns.
    public func build() throws(RouteTableError) -> RouteTable {
        var assembly = TableAssembly(self)
        let table = assembly.assemble()
        guard let table, !assembly.diagnostics.contains(where: { $0.severity == .error }) else {
            throw RouteTableError(diagnostics: assembly.diagnostics)
        }
        return table
    }
}

/// The making of one table: reads off the builder, numbers labels and methods, compiles, checks.
struct TableAssembly {
    let builder: RouteTableBuilder
    /// The findings, each with the number of its route.
    var findings: [(route: RouteID, diagnostic: Diagnostic)] = []
    var entries: [RouteTableBuilder.Entry] = []
    private(set) var patterns: [RoutePattern] = []
    private var methodNumbers: [String: Int] = [:]
    private var methodNames = RouteMethodSet.standardNames

    init(_ builder: RouteTableBuilder) {
        self.builder = builder
        for (index, name) in methodNames.enumerated() { methodNumbers[name] = index }
    }

    /// A scheme and host with the routes that have both.
    private struct Namespace {
        var scheme: String?
        var host: HostPattern?
        var key: String
        var routes: [Int] = []
    }

    /// The findings, in the order of the routes.
    var diagnostics: [Diagnostic] {
        findings.enumerated()
            .sorted { ($0.element.route, $0.offset) < ($1.element.route, $1.offset) }
            .map(\.element.diagnostic)
    }

    /// True if no table can be made.
    private var hasErrors: Bool { findings.contains { $0.diagnostic.severity == .error } }

    mutating func assemble() -> RouteTable? {
        readPatterns()
        checkEntries()
        let options = builder.options
        var labels = LabelTable()
        let levels = levels()
        var inputs: [TableCompiler.Input] = []
        inputs.reserveCapacity(entries.count)
        for index in entries.indices {
            let program = RouteProgram(
                patterns[index],
                takesRemainder: options.matchesPrefix || entries[index].isFallback,
                foldsCase: !options.caseSensitive,
                labels: &labels
            )
            inputs.append(TableCompiler.Input(program: program, methods: methods(ofRoute: index), level: levels[index]))
        }
        let namespaces = namespaces()
        let hostLabels = namespaces.map { namespace in
            (namespace.host?.head ?? [])
                .map { label in
                    switch label {
                    case .open: labels.number(of: .component([.wildcard]))
                    case .pieces(let pieces): labels.number(of: .component(pieces.map(LabelPiece.init)))
                    }
                }
        }
        var compiler = TableCompiler(inputs: inputs, labels: labels.labels)
        var records: [NamespaceRecord] = []
        for namespace in namespaces {
            var record = NamespaceRecord(root: compiler.addNamespace(namespace.routes))
            record.fallsBack = fallsBack(namespace)
            records.append(record)
            if compiler.overflowed {
                let message = "the optional groups of these routes overlap in too many ways"
                report(.error, .tableTooComplex, message, entries[namespace.routes.first ?? 0])
                return nil
            }
        }
        for conflict in compiler.conflicts { report(conflict) }
        let expressions = compiler.expressions.map { compile($0) }
        let hasLevels = Set(levels).count > 1
        if hasLevels { compiler.propagateLevels() }
        if hasErrors { return nil }
        if compiler.expressions.count > 1 || compiler.pieces.count > 1 {
            var check = AmbiguityCheck(compiler, expressions: expressions.compactMap(\.self))
            check.run()
            for finding in check.findings { report(finding) }
            if hasErrors { return nil }
        }
        if hasLevels { reportShadows(compiler, zip(namespaces, records).map { ($0.routes, $1.root) }) }

        let traits = RouteAutomaton.Traits(
            keepsEmptyComponents: options.emptyComponents == .kept,
            trailingSlashCounts: options.trailingSlash == .significant,
            foldsCase: !options.caseSensitive,
            hasLevels: hasLevels,
            hasJoins: compiler.hasJoins,
            hasChoices: inputs.contains { $0.program.hasChoices },
            hasPercentLabels: labels.labels.contains { label in
                if case .literal(let bytes) = label { bytes.contains(UInt8(ascii: "%")) } else { false }
            }
        )
        let layout = CellLayout(compiler, roots: records.map(\.root), identifiers: entries.map(\.id))
        guard layout.count < Int(UInt32.max), compiler.labelBytes.count < Int(UInt32.max) else {
            report(.error, .tableTooComplex, "the routes need more memory than a table may have", entries[0])
            return nil
        }
        for index in records.indices { records[index].root = layout.cell(records[index].root) }
        let automaton = RouteAutomaton(
            compiler,
            layout: layout,
            expressions: expressions.compactMap(\.self),
            traits: traits
        )
        checkDefaults(of: patterns, automaton)
        let index = NamespaceIndex(
            zip(namespaces, records).map { (scheme: $0.scheme, host: $0.host, record: $1) },
            labels: hostLabels.map { $0.map { compiler.alternative(forLabel: $0) } }
        )
        return RouteTable(
            options: options,
            routes: routes(),
            tailSlots: inputs.map { TailSlots(tail: $0.program.tailSlot, remainder: $0.program.remainderSlot) },
            automaton: automaton,
            namespaces: index,
            methodNames: methodNames,
            warnings: diagnostics
        )
    }

    private func routes() -> [Route] {
        zip(entries, patterns)
            .map { entry, pattern in
                Route(
                    id: entry.id,
                    name: entry.name,
                    pattern: entry.text,
                    fullPattern: pattern,
                    methods: entry.methods,
                    priority: entry.priority,
                    isFallback: entry.isFallback,
                    defaults: entry.defaults,
                    origin: entry.origin
                )
            }
    }

    private mutating func readPatterns() {
        // Copying an entry takes a while, and most builders have no errors.
        entries = builder.entries
        patterns.reserveCapacity(entries.count)
        for index in entries.indices {
            if case .success(let pattern) = entries[index].pattern { patterns.append(pattern) }
        }
        if patterns.count < entries.count {
            for entry in entries {
                if case .failure(let error) = entry.pattern {
                    findings.append((entry.id, Self.diagnostic(error, entry)))
                }
            }
            entries.removeAll { entry in
                if case .failure = entry.pattern { return true }
                return false
            }
        }
        if entries.count > RoutingLimits.routes, let entry = entries.last {
            report(.error, .tooManyRoutes, "a table has more than \(RoutingLimits.routes) routes", entry)
        }
    }

    static func diagnostic(_ error: RoutePatternError, _ entry: RouteTableBuilder.Entry) -> Diagnostic {
        var location = entry.origin
        // Within a file the pattern's own bytes are there; otherwise the pattern is shown as a separate line.
        location.column =
            entry.hasExactOrigin && entry.text == entry.fullText
            ? location.column + error.offset : entry.hasExactOrigin ? location.column : error.offset + 1
        return Diagnostic(
            .error(.routePattern),
            "\(error.message) in the pattern \"\(entry.fullText)\"",
            at: location,
            length: error.length,
            sourceLine: entry.hasExactOrigin ? "" : entry.fullText,
            suggestion: error.suggestion
        )
    }

    private mutating func methods(ofRoute index: Int) -> UInt64 {
        guard !entries[index].methods.isEmpty else { return UInt64.max }
        var bits: UInt64 = 0
        for name in entries[index].methods {
            if let number = methodNumbers[name] {
                bits |= 1 << UInt64(number)
                continue
            }
            let isToken = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
            guard isToken, methodNames.count < RouteMethodSet.standardNames.count + RoutingLimits.customMethods else {
                let message = "\"\(name)\" cannot be a method, or there are too many of them"
                report(.error, .routeMethod, message, entries[index])
                continue
            }
            methodNumbers[name] = methodNames.count
            bits |= 1 << UInt64(methodNames.count)
            methodNames.append(name)
        }
        return bits
    }

    /// The level of each route: from 0 up in the order of priorities, fallbacks below everything else.
    private func levels() -> [Int32] {
        struct Key: Hashable, Comparable {
            var isFallback: Bool
            var priority: Int
            var order: Int
            static func < (first: Key, second: Key) -> Bool {
                if first.isFallback != second.isFallback { return first.isFallback }
                return (first.priority, first.order) < (second.priority, second.order)
            }
        }
        let byRegistration = builder.options.order == .registration
        let keys = entries.indices.map { index in
            Key(
                isFallback: entries[index].isFallback,
                priority: entries[index].priority,
                order: byRegistration ? -index : 0
            )
        }
        if let first = keys.first, keys.allSatisfy({ $0 == first }) { return Array(repeating: 0, count: keys.count) }
        var levels: [Key: Int32] = [:]
        for (level, key) in Set(keys).sorted().enumerated() { levels[key] = Int32(level) }
        return keys.map { levels[$0] ?? 0 }
    }

    /// The namespaces, those of one bucket side by side and the more specific first.
    private func namespaces() -> [Namespace] {
        var result: [Namespace] = []
        var numbers: [String: Int] = [:]
        var global: Int?
        for index in patterns.indices {
            let isGlobal = patterns[index].scheme == nil && patterns[index].host == nil
            if isGlobal, let global {
                result[global].routes.append(index)
                continue
            }
            if isGlobal { global = result.count }
            let pattern = patterns[index]
            let key = "\(pattern.scheme ?? "")\u{0}\(Self.key(of: pattern.host))"
            if let number = numbers[key] {
                result[number].routes.append(index)
            } else {
                numbers[key] = result.count
                result.append(Namespace(scheme: pattern.scheme, host: pattern.host, key: key, routes: [index]))
            }
        }
        func bucket(_ namespace: Namespace) -> String {
            (namespace.scheme ?? "") + "\u{0}" + String(decoding: NamespaceIndex.key(of: namespace.host), as: UTF8.self)
        }
        return result.map { (bucket: bucket($0), namespace: $0) }
            .sorted { first, second in
                if first.bucket != second.bucket { return first.bucket < second.bucket }
                return Self.precedes(first.namespace, second.namespace)
            }
            .map(\.namespace)
    }

    /// Returns true if the host of the first is more specific: with a port, no `*`, more labels, or more text.
    private static func precedes(_ first: Namespace, _ second: Namespace) -> Bool {
        guard let one = first.host, let two = second.host else { return first.key < second.key }
        if one.port.isEmpty != two.port.isEmpty { return two.port.isEmpty }
        func isOpen(_ host: HostPattern) -> Bool {
            if case .open? = host.head.first { return true }
            return false
        }
        if isOpen(one) != isOpen(two) { return isOpen(two) }
        if one.head.count != two.head.count { return one.head.count > two.head.count }
        for (left, right) in zip(one.head, two.head) {
            guard case .pieces(let left) = left, case .pieces(let right) = right else { continue }
            let ranks = (
                RouteLabel.component(left.map(LabelPiece.init)).rank,
                RouteLabel.component(right.map(LabelPiece.init)).rank
            )
            if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        }
        return first.key < second.key
    }

    /// The host without the names of its parameters.
    private static func key(of host: HostPattern?) -> String {
        guard let host else { return "" }
        let head = host.head.map { label in
            switch label {
            case .open: "*"
            case .pieces(let pieces): "\(pieces.map(LabelPiece.init))"
            }
        }
        let parts = head + [String(decoding: host.suffix, as: UTF8.self), String(decoding: host.port, as: UTF8.self)]
        return parts.joined(separator: "\u{1}")
    }

    private func fallsBack(_ namespace: Namespace) -> Bool {
        var host = ""
        if let pattern = namespace.routes.first.map({ patterns[$0] }), pattern.host != nil {
            let rest = pattern.text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
            host = String(decoding: rest.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self).lowercased()
        }
        let key = RouteTableBuilder.NamespaceKey(scheme: namespace.scheme ?? "", host: host)
        return builder.fallBackChoices[key] ?? builder.options.fallsBack
    }

    private mutating func compile(_ text: [UInt8]) -> RegularExpression? {
        do {
            return try RegularExpression(
                Array("\\A(?:".utf8) + text + Array(")\\z".utf8),
                caseless: !builder.options.caseSensitive
            )
        } catch {
            let isUser = { (pattern: RoutePattern) in
                pattern.parameters.contains { $0.constraint == .expression(text) }
            }
            let index = patterns.firstIndex(where: isUser) ?? 0
            let offset = patterns[index].parameters.first { $0.constraint == .expression(text) }?.offset ?? 0
            let message = "invalid constraint \"\(String(decoding: text, as: UTF8.self))\": \(error.message)"
            let error = RoutePatternError(message, at: offset, length: text.count)
            findings.append((entries[index].id, Self.diagnostic(error, entries[index])))
            return nil
        }
    }
}
