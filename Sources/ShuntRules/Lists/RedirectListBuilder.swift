package import ShuntCore
import ShuntPatterns

/// Makes the table of a list of redirects, and finds the rows that cannot be used.
package struct RedirectListBuilder {
    package struct Finding: Sendable {
        package var row: Int
        package var problem: RowProblem
        /// The other row of the problem: the earlier of two, or the last of a chain; -1 without one.
        package var other = -1
        /// The next row of a chain; -1 for other problems.
        package var next = -1
    }

    let options: RedirectListOptions
    package let form: RedirectForm
    let ignoresSlash: Bool
    var query: RedirectListOptions.Query
    /// The rows of the list, with those that are left out.
    package internal(set) var rows: [RedirectList.Row] = []
    var targets: [UInt8] = []
    package internal(set) var findings: [Finding] = []
    /// True if the file cannot be read at all.
    package private(set) var mistake: (problem: String, offset: Int)?
    /// The keys of rows without wildcards, by the parts that they have.
    private var keys: [RedirectList.Parts: ByteTableBuilder] = [:]
    private var patterns: [RedirectList.Parts: [(row: Int, expression: RegularExpression)]] = [:]
    /// The measures of how specific each row of Bulk Redirects is.
    private var weights: [Int] = []
    /// The ranks of the rows of Bulk Redirects, the most specific first; empty for other forms.
    var ranks: [Int32] = []
    /// The rows that also apply where there is a file.
    var forced: Set<Int32> = []
    /// The conditions of rows on the client.
    var conditions: [Int32: [RedirectCondition]] = [:]
    /// The values of `country=`, `language=` and `role=`, by the kinds of conditions.
    var templates: [TemplateIndex] = []
    private var patternKeys: [[UInt8]: Int] = [:]
    /// The hosts of rows whose targets are paths, other than that of `host=`.
    var hosts: [Int: [UInt8]] = [:]
    /// The rows as statements, where they are wanted.
    var statements: [RedirectStatement] = []
    private let keepsStatements: Bool
    let arena = ByteArena()
    let scratch = MatchScratch()

    /// Reads a list, and calls `visit` with each row as written and with the bytes of its ranges.
    package init(
        _ file: RuleFile,
        _ options: RedirectListOptions,
        keepsStatements: Bool = false,
        visit: (RedirectRow, [UInt8]) -> Void = { _, _ in }
    ) {
        var reader = RedirectReader(file, options)
        self.options = options
        self.keepsStatements = keepsStatements
        form = reader.form
        ignoresSlash = options.ignoresSlash ?? (reader.form == .pages)
        query = options.query ?? (reader.form == .bulk ? .drop : .keep)
        mistake = reader.mistake
        while let row = reader.next() {
            visit(row, reader.bytes)
            add(row, reader.bytes)
        }
    }

    // MARK: Rows

    private mutating func add(_ row: RedirectRow, _ bytes: [UInt8]) {
        let number = rows.count
        rows.append(RedirectList.Row(line: row.line, column: row.column, status: -1))
        if form == .bulk { weights.append(0) }
        if let problem = row.problem ?? use(row, bytes: bytes, number: number) {
            findings.append(Finding(row: number, problem: problem))
        }
    }

    /// Takes a row in; returns its problem, or nil where it is in use or was found to be in the list already.
    private mutating func use(_ row: RedirectRow, bytes: [UInt8], number: Int) -> RowProblem? {
        let status = row.status != 0 ? row.status : options.status != 0 ? options.status : 301
        let isError = (400...599).contains(status)
        guard isError || status == 200 || [301, 302, 303, 307, 308].contains(status) else { return .invalidStatus }
        guard !row.from.isEmpty else { return .notPath }
        guard max(row.from.count, row.to.count) <= RuleLimits.wordBytes else { return .full }
        guard !row.to.isEmpty || isError else { return .noTarget }
        guard row.to.isEmpty || !isError else { return .statusPage }
        arena.removeAll()
        let isPath = row.matching == .whole && !row.isCaseless
        var key = RedirectKey(
            isPath ? bytes[row.from.indices] : [UInt8(ascii: "/")],
            form: form,
            host: options.host,
            in: arena
        )
        if let problem = key.problem { return problem }
        if form == .bulk, key.parts.contains(.query) { return .invalidSource }
        let audience = RedirectCondition.read(bytes[row.audience.indices])
        guard let audience, audience.allSatisfy({ options.variables[$0.kind] != nil }) else { return .condition }
        let text = bytes[row.to.indices]
        var source: RedirectSource?
        if !isPath {
            source = RedirectSource(bytes[row.from.indices], matching: row.matching, isCaseless: row.isCaseless)
            guard let source else { return .expression }
            if let problem = source.problem { return problem }
        } else if key.hasWildcards || row.matchesSubpaths || row.includesSubdomains || !row.conditions.isEmpty
            || !audience.isEmpty
        {
            guard audience.isEmpty || !key.parts.contains(.query) else { return .wildcard }
            var read = RedirectSource(key.path, form, ignoresSlash: ignoresSlash)
            if let problem = read.problem { return problem }
            if row.matchesSubpaths {
                let pathEnd = text.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.endIndex
                read.addSubpaths(targetEndsWithSlash: text[..<pathEnd].last == UInt8(ascii: "/"))
            }
            if !row.conditions.isEmpty {
                read.addConditions(bytes[row.conditions.indices])
                key.parts.insert(.query)
            }
            // A file does not come before a row without a wildcard.
            if !audience.isEmpty, !read.hasWildcards { forced.insert(Int32(number)) }
            if !audience.isEmpty { read.separate() }
            source = read
        }
        if form == .bulk {
            // The most specific applies: by path, a host before those below one, by host, by scheme.
            weights[number] =
                (key.pathLength << 17) + (row.includesSubdomains ? 0 : 1 << 16) + (min(key.host.count, 0x3FFF) << 1)
                + (key.parts.contains(.scheme) ? 1 : 0)
        }
        var entry = RedirectList.Row(line: row.line, column: row.column, status: Int16(status))
        if !isError {
            let target = RedirectTarget(
                text,
                source: source,
                form: form,
                appendsRest: row.matchesSubpaths && row.keepsSuffix
            )
            if let problem = target.problem { return problem }
            if status == 200, !target.isPath { return .outsideRewrite }
            var made = target.bytes
            if target.isPath, key.parts.contains(.host), !arena.holds(options.host, at: key.host) {
                hosts[number] = arena.array(key.host)
            }
            entry.isPath = target.isPath && (options.base.isEmpty || status == 200)
            if target.isPath, status != 200 { made = options.base + made }
            entry.target = ByteRange(targets.count, targets.count + made.count)
            targets += made
            entry.keepsQuery = !key.parts.contains(.query) && (row.keepsQuery ?? (query != .drop))
        }
        if keepsStatements {
            statements.append(statement(row, key: key, source: source, entry: entry, number: number))
        }
        if let source {
            if row.isForced { forced.insert(Int32(number)) }
            if !audience.isEmpty { conditions[Int32(number)] = audience }
            let words = bytes[row.audience.indices]
            return addPattern(source, key: key, row: row, entry: entry, number: number, audience: words)
        }
        return addKey(key, entry: entry, number: number)
    }

    private mutating func addKey(_ key: RedirectKey, entry: RedirectList.Row, number: Int) -> RowProblem? {
        let range = key.text(ignoringSlash: ignoresSlash, in: arena)
        let isCaseless = options.isCaseless
        let inserted = arena.withBytes(range) { bytes in
            keys[key.parts, default: ByteTableBuilder(caseless: isCaseless)].add(bytes, value: Int32(number))
        }
        switch inserted {
        case .added: rows[number] = entry
        case .duplicate(let first): repeated(entry, number: number, first: Int(first))
        case .full, .malformed: return .full
        }
        return nil
    }

    private mutating func repeated(_ entry: RedirectList.Row, number: Int, first: Int) {
        let isSame =
            rows[first].status == entry.status
            && targets[rows[first].target.indices] == targets[entry.target.indices]
        targets.removeLast(entry.target.count)
        findings.append(Finding(row: number, problem: isSame ? .duplicate : .contradiction, other: first))
    }

    private mutating func addPattern(
        _ source: RedirectSource,
        key: RedirectKey,
        row: RedirectRow,
        entry: RedirectList.Row,
        number: Int,
        audience: ArraySlice<UInt8>
    ) -> RowProblem? {
        var text = Array("^".utf8)
        if key.parts.contains(.scheme) { text += RedirectSource.escaped(Array(key.scheme)) }
        if row.includesSubdomains { text += "(?:[^/]*\\.)?".utf8 }
        text += RedirectSource.escaped(arena.array(key.host)) + source.expression + [UInt8(ascii: "$")]
        guard let expression = try? RegularExpression(text, caseless: options.isCaseless), expression.slowness == nil,
            expression.captureCount == source.groupCount
        else { return .wildcard }
        let name = text + [0] + audience
        if let first = patternKeys[name] {
            repeated(entry, number: number, first: first)
            return nil
        }
        patternKeys[name] = number
        rows[number] = entry
        patterns[key.parts, default: []].append((number, expression))
        return nil
    }

    // MARK: The table

    /// Removes the expressions of rows that are left out.
    private func leaveOutPatterns(of groups: inout [RedirectList.Group]) {
        for index in groups.indices {
            let kept = groups[index].patternRows.filter { !rows[Int($0)].isLeftOut }
            guard kept.count < groups[index].patternRows.count else { continue }
            let all = Dictionary(
                uniqueKeysWithValues: (patterns[groups[index].parts] ?? []).map { ($0.row, $0.expression) }
            )
            groups[index].patternRows = kept
            groups[index].patterns = PatternIndex(kept.compactMap { all[Int($0)] })
        }
    }

    /// Makes the table; afterwards all findings are known.
    package mutating func build(file: Int32, position: SourcePosition) -> RedirectList {
        var groups: [RedirectList.Group] = []
        ranks = [Int32](repeating: 0, count: weights.count)
        for (rank, row) in weights.indices.sorted(by: { (weights[$1], $0) < (weights[$0], $1) }).enumerated() {
            ranks[row] = Int32(rank)
        }
        let parts = Set(keys.keys).union(patterns.keys).sorted { Self.order($0) > Self.order($1) }
        for part in parts {
            let exact = (keys.removeValue(forKey: part) ?? ByteTableBuilder()).build()
            var sorted = patterns[part] ?? []
            if form == .bulk { sorted.sort { ranks[$0.row] < ranks[$1.row] } }
            groups.append(
                RedirectList.Group(
                    parts: part,
                    exact: exact,
                    patterns: PatternIndex(sorted.map(\.expression)),
                    patternRows: sorted.map { Int32($0.row) }
                )
            )
        }
        findCircles(groups)
        leaveOutPatterns(of: &groups)
        findings.sort { $0.row < $1.row }
        return RedirectList(
            options,
            form: form,
            ignoresSlash: ignoresSlash,
            file: file,
            position: position,
            rows: rows,
            targets: targets,
            groups: groups,
            ranks: ranks,
            forced: forced,
            conditions: conditions,
            templates: conditions.isEmpty ? [] : templates
        )
    }

    /// A query counts most, then a host, then a scheme.
    static func order(_ parts: RedirectList.Parts) -> Int {
        (parts.contains(.query) ? 4 : 0) + (parts.contains(.host) ? 2 : 0) + (parts.contains(.scheme) ? 1 : 0)
    }
}
