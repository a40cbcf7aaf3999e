package import Shunt

/// A list of redirects without the rows that cannot be used, and with the last target in the rows of chains.
///
/// Each request gets what it got at the end of its redirects before; where that is not sure the row stays.
package struct RedirectListFix {
    /// The text of the list.
    package private(set) var bytes: [UInt8]
    /// The changes, and the rows that stay nevertheless, one a line.
    package private(set) var changes: [String] = []

    private let source: [UInt8]
    private let options: RedirectListOptions
    private var rows: [RedirectRow] = []
    /// A number for all of a row but its target.
    private var signatures: [Int] = []
    /// The targets that are not in the file as they are meant.
    private var copies: [Int: [UInt8]] = [:]
    /// The paths of rows with a query, and of rows with a host.
    private var queryPaths = Paths()
    private var hostPaths = Paths()
    /// The row after each row of a chain.
    private var next: [Int: Int] = [:]
    /// The targets that rows of chains get.
    private var ends: [Int: [UInt8]] = [:]

    /// Reads a list; one in JSON stays unchanged.
    package init(_ source: FormatSource, _ options: RedirectListOptions = RedirectListOptions()) {
        self.source = source.bytes
        self.options = options
        bytes = source.bytes
        let file = RuleFile(name: source.name, bytes: source.bytes)
        if let (message, advice) = file.listMistake {
            changes = ["\(source.name): unchanged: \(message): \(advice)"]
            return
        }
        var (rows, signatures, copies) = (rows, signatures, copies)
        var (queryPaths, hostPaths) = (Paths(), Paths())
        var builder = RedirectListBuilder(file, options) { row, bytes in
            if row.to.end > source.bytes.count { copies[rows.count] = Array(bytes[row.to.indices]) }
            signatures.append(Self.signature(row, bytes))
            let from = Array(bytes[row.from.indices])
            let isExpression = row.matching == .expression
            if !isExpression, from.contains(UInt8(ascii: "?")) || !row.conditions.isEmpty {
                queryPaths.insert(Self.path(of: from))
            }
            if !isExpression, from.first != UInt8(ascii: "/") { hostPaths.insert(Self.path(of: from)) }
            rows.append(row)
        }
        (self.rows, self.signatures, self.copies) = (rows, signatures, copies)
        (self.queryPaths, self.hostPaths) = (queryPaths, hostPaths)
        let list = builder.build(file: 0, position: .none)
        guard !list.form.isJSON, !builder.findings.isEmpty else { return }
        for finding in builder.findings where finding.next >= 0 { next[finding.row] = finding.next }
        let removed = change(builder.findings, in: list, source.name)
        guard bytes != source.bytes, !isRead(removed, form: list.form, name: source.name) else { return }
        bytes = source.bytes
        changes = ["\(source.name): unchanged: with these changes the other rows would mean something else"]
    }

    /// Makes the changes; returns the rows that are removed.
    private mutating func change(_ findings: [RedirectListBuilder.Finding], in list: RedirectList, _ name: String)
        -> Set<Int>
    {
        var removed: Set<Int> = []
        var fixed: [UInt8] = []
        var done = 0
        for finding in findings {
            let row = rows[finding.row]
            let place = "\(name):\(row.line)"
            if finding.problem.isHarmless {
                let target = end(of: finding.row, in: list)
                let isNew = target != self.target(of: finding.row) && target != self.source(of: finding.row)
                guard isNew, let text = written(target, for: row, list.form) else {
                    ends[finding.row] = nil
                    changes.append("\(place): not shortened: the next row does more than to lead on")
                    continue
                }
                fixed += source[done..<Int(row.to.start)] + text
                done = Int(row.to.end)
                changes.append("\(place): the target is now \(String(decoding: target, as: UTF8.self))")
            } else if source[row.extent.indices].dropLast().contains(UInt8(ascii: "\n")) {
                changes.append("\(place): not removed: a quote in this row ends in another line")
            } else {
                removed.insert(finding.row)
                fixed += source[done..<Int(row.extent.start)]
                done = Int(row.extent.end)
                changes.append("\(place): removed: this row \(finding.problem.message)")
            }
        }
        bytes = fixed + source[done...]
        // A file without a byte is taken for one that was lost.
        if bytes.isEmpty { bytes = Array("# no rows\n".utf8) }
        return removed
    }

    // MARK: Chains

    private func target(of row: Int) -> [UInt8] { copies[row] ?? Array(source[rows[row].to.indices]) }

    /// The source of a row; a slash where the file does not have it literally.
    private func source(of row: Int) -> [UInt8] {
        rows[row].from.end <= source.count ? Array(source[rows[row].from.indices]) : [UInt8(ascii: "/")]
    }

    /// The target at the end of the chain that begins with a row.
    private mutating func end(of start: Int, in list: RedirectList) -> [UInt8] {
        var passed: [Int] = []
        var row = start
        while ends[row] == nil, let following = next[row], leads(row, to: following, in: list) {
            passed.append(row)
            row = following
        }
        var end = ends[row] ?? target(of: row)
        for row in passed.reversed() {
            let own = target(of: row)
            if end.first == UInt8(ascii: "/"), own.first != UInt8(ascii: "/"), options.base.isEmpty {
                end = own.prefix(Self.originLength(own) ?? 0) + end
            }
            ends[row] = end
        }
        return end
    }

    /// Returns true if clients get from the target of a row what they get from the row itself and the next one.
    private func leads(_ row: Int, to following: Int, in list: RedirectList) -> Bool {
        let (first, second) = (list.rows[row], list.rows[following])
        // The first status must promise no more than both: that it is for ever, or that the method stays.
        let isAsLasting = [[302, 301], [307, 308]].contains([first.status, second.status])
        guard first.status == second.status || first.status == 303 || isAsLasting else { return false }
        // Rows with a query or a host that the first row does not state may be for some of its requests.
        let page = Self.path(of: self.target(of: row))
        let passesQuery = first.keepsQuery && options.query != .exact
        guard !passesQuery || second.keepsQuery && !queryPaths.mayHave(page) else { return false }
        guard !hostPaths.mayHave(page) || isHostKnown(of: row) else { return false }
        let (own, target) = (self.target(of: row), target(of: following))
        guard Self.originLength(own) != nil, let length = Self.originLength(target) else { return false }
        return !own.contains { "?#".utf8.contains($0) }
            && !target.dropFirst(length).contains { "*:$".utf8.contains($0) }
    }

    /// The paths of some rows, in the form in which they are compared.
    private struct Paths {
        private var paths: Set<[UInt8]> = []
        /// True if a row is for several paths.
        private var hasOthers = false

        mutating func insert(_ path: [UInt8]) {
            if path.contains(where: { "*:$(^".utf8.contains($0) }) || Self.isOdd(path) {
                hasOthers = true
            } else {
                paths.insert(path)
            }
        }

        func mayHave(_ path: [UInt8]) -> Bool {
            hasOthers || paths.contains(path) || !paths.isEmpty && Self.isOdd(path)
        }

        /// Returns true if requests for a path may be compared as ones for another.
        private static func isOdd(_ path: [UInt8]) -> Bool {
            ["//", "/.", "\\"].contains { path.firstRange(of: Array($0.utf8)) != nil }
        }
    }

    /// The path of a source or a target, decoded, in small letters and without a slash at its end.
    private static func path(of text: [UInt8]) -> [UInt8] {
        let start = originLength(text) ?? text.firstIndex(of: UInt8(ascii: "/")) ?? text.count
        let path = text[start...].prefix { !"?#".utf8.contains($0) }.map(\.asciiLowercased)
        let decoded = URLComponentCoding.decode(path.span)?.map(\.asciiLowercased) ?? path
        return decoded.last == UInt8(ascii: "/") ? decoded.dropLast() : decoded
    }

    private func isHostKnown(of row: Int) -> Bool {
        func isPath(_ text: [UInt8]) -> Bool { text.first == UInt8(ascii: "/") }
        return !options.base.isEmpty || !options.host.isEmpty || !isPath(source(of: row)) || !isPath(target(of: row))
    }

    /// The length of the scheme and the host of a target, 0 for a path; nil for a text that is not a URL.
    private static func originLength(_ target: [UInt8]) -> Int? {
        if target.first == UInt8(ascii: "/") { return 0 }
        return (try? URLText(target))?.parts.authority.map { Int($0.end) }
    }

    /// The written form of a target in a row; nil if it has none.
    private func written(_ target: [UInt8], for row: RedirectRow, _ form: RedirectForm) -> [UInt8]? {
        guard row.to.end <= source.count else { return nil }
        guard form == .csv || form == .bulk, target.contains(where: { $0 <= 0x20 || ",;\"".utf8.contains($0) }) else {
            return target
        }
        if target.contains(UInt8(ascii: "\"")) { return nil }
        let isQuoted = source[..<Int(row.to.start)].last { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "\"")
        return isQuoted ? target : Array("\"".utf8) + target + "\"".utf8
    }

    // MARK: Comparing

    private static func signature(_ row: RedirectRow, _ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes[row.from.indices])
        hasher.combine(bytes[row.conditions.indices])
        hasher.combine(bytes[row.audience.indices])
        hasher.combine(row.status)
        hasher.combine(row.keepsQuery)
        hasher.combine([row.includesSubdomains, row.matchesSubpaths, row.keepsSuffix, row.isCaseless])
        hasher.combine(row.matching)
        return hasher.finalize()
    }

    /// Returns true if reading the current list again results in the rows that are left, with their new targets.
    private func isRead(_ removed: Set<Int>, form: RedirectForm, name: String) -> Bool {
        var left = rows.indices.lazy.filter { !removed.contains($0) }.makeIterator()
        var isSame = true
        var builder = RedirectListBuilder(RuleFile(name: name, bytes: bytes), options) { row, bytes in
            guard isSame, let old = left.next() else {
                isSame = false
                return
            }
            isSame =
                Self.signature(row, bytes) == signatures[old]
                && bytes[row.to.indices] == (ends[old] ?? target(of: old))[...]
        }
        _ = builder.build(file: 0, position: .none)
        return isSame && builder.form == form && left.next() == nil
            && !builder.findings.contains { $0.problem == .loop }
    }
}
