import ShuntCore
import ShuntPatterns

/// Rows that lead to others, or to themselves.
extension RedirectListBuilder {
    /// Leaves out the rows that lead to themselves, and finds rows that lead to others.
    mutating func findCircles(_ groups: [RedirectList.Group]) {
        var next = [Int32](repeating: -1, count: rows.count)
        for group in groups where group.exact.count > 0 {
            for row in rows.indices where isRedirect(row) && next[row] == -1 {
                next[row] = following(row, in: group, of: groups)
            }
        }
        if groups.contains(where: { $0.patterns.count > 0 }) {
            for row in rows.indices where isRedirect(row) && next[row] == -1 {
                next[row] = following(row, inPatternsOf: groups)
            }
        }
        // 0: not seen; else the walk in which it was seen.
        var walks = [Int32](repeating: 0, count: rows.count)
        for start in rows.indices where next[start] >= 0 && walks[start] == 0 {
            var row = start
            while row >= 0, walks[row] == 0 {
                walks[row] = Int32(start + 1)
                row = Int(next[row])
            }
            guard row >= 0, walks[row] == Int32(start + 1) else { continue }
            let first = row
            repeat {
                rows[row].status = -1
                findings.append(Finding(row: row, problem: .loop, other: Int(next[row])))
                row = Int(next[row])
            } while row != first
        }
        for start in rows.indices where !rows[start].isLeftOut && next[start] >= 0 {
            var last = Int(next[start])
            // A chain of many is reported by its next row alone, so that the time stays linear.
            var steps = 0
            while steps < Self.longestChain, next[last] >= 0, !rows[last].isLeftOut {
                last = Int(next[last])
                steps += 1
            }
            if !rows[Int(next[start])].isLeftOut {
                findings.append(Finding(row: start, problem: .chain, other: last, next: Int(next[start])))
            }
        }
    }

    private static let longestChain = 16

    /// Returns true if a row redirects every client.
    private func isRedirect(_ row: Int) -> Bool {
        (300...399).contains(rows[row].status) && (conditions.isEmpty || conditions[Int32(row)] == nil)
    }

    /// The row of a group that redirects the target of a row again; -1 where none has its key, and -2 where something else decides.
    private func following(_ row: Int, in group: RedirectList.Group, of groups: [RedirectList.Group]) -> Int32 {
        let target = targets[rows[row].target.indices]
        guard !target.contains(RedirectList.captureMark), let page = page(of: row, target) else { return -1 }
        guard let key = key(of: page, from: target, in: group) else { return -1 }
        if group.parts.contains(.scheme), !key.parts.contains(.scheme) { return -2 }
        let range = key.text(ignoringSlash: ignoresSlash, in: arena)
        guard let found = arena.withBytes(range, { group.exact.value($0) }) else { return -1 }
        return isRedirect(Int(found)) && !groups.contains { decides(on: page, before: found, in: $0) } ? found : -2
    }

    /// The row with a wildcard that redirects the target of a row again, where no other row has its key; -1 for none.
    ///
    /// Of a row whose target has captures only the row itself is found: others depend on the request.
    private func following(_ row: Int, inPatternsOf groups: [RedirectList.Group]) -> Int32 {
        var target = targets[rows[row].target.indices]
        let hasCaptures = target.contains(RedirectList.captureMark)
        if hasCaptures { target = Self.sample(of: target)[...] }
        guard let page = page(of: row, target) else { return -1 }
        var best: Int32 = -1
        for group in groups {
            guard let key = key(of: page, from: target, in: group), key.parts == group.parts else { continue }
            // A row without a wildcard has the sample only by chance, and others with its key are found before.
            let text = key.text(ignoringSlash: false, in: arena)
            let found = arena.withBytes(text) { text in
                group.patterns.firstMatch(text, from: 0, to: group.patterns.count, scratch: scratch)
            }
            guard case .match(let pattern) = found else {
                if case .limitExceeded = found { return -1 }
                continue
            }
            let other = group.patternRows[pattern]
            let isFirst =
                form == .bulk ? best < 0 || ranks[Int(other)] < ranks[Int(best)] : form.isOrdered ? other < best : false
            if best < 0 || isFirst { best = other }
        }
        // A file may be there instead.
        guard best >= 0, isRedirect(Int(best)), form != .pages || forced.contains(best) else { return -1 }
        return hasCaptures && best != row ? -1 : best
    }

    /// A target with a text in the place of each capture.
    private static func sample(of target: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var index = target.startIndex
        while index < target.endIndex {
            if target[index] == RedirectList.captureMark {
                text += "captured".utf8
                index += 1
            } else {
                text.append(target[index])
            }
            index += 1
        }
        return text
    }

    /// The target of a row as a page that is requested; nil for one that is not.
    private func page(of row: Int, _ target: ArraySlice<UInt8>) -> RedirectKey? {
        arena.removeAll()
        let page = RedirectKey(
            target.prefix { $0 != UInt8(ascii: "#") },
            form: form == .bulk || form == .pages ? .bulk : .csv,
            host: hosts[row] ?? options.host,
            in: arena
        )
        return page.problem == nil && !page.hasWildcards ? page : nil
    }

    /// The key by which a group has a page; nil where it has not.
    private func key(of page: RedirectKey, from target: ArraySlice<UInt8>, in group: RedirectList.Group)
        -> RedirectKey?
    {
        var key = page
        if key.parts.contains(.query), !group.parts.contains(.query) {
            if query == .exact { return nil }
            key.dropQuery()
        }
        if key.parts.contains(.host), !group.parts.contains(.host) {
            guard target.first == UInt8(ascii: "/") || options.ownHosts.contains(arena.array(key.host)) else {
                return nil
            }
            key.parts.remove(.host)
        }
        if !group.parts.contains(.scheme) { key.parts.remove(.scheme) }
        return key.parts.union(.scheme) == group.parts.union(.scheme) ? key : nil
    }

    /// Returns true if a row of a group applies to a page before another row, which has its key.
    private func decides(on page: RedirectKey, before row: Int32, in group: RedirectList.Group) -> Bool {
        func isBefore(_ other: Int32) -> Bool { form == .bulk ? ranks[Int(other)] < ranks[Int(row)] : other < row }
        guard form == .bulk || form.isOrdered, group.parts.isSubset(of: page.parts) else { return false }
        var key = page
        key.parts = group.parts
        let range = key.text(ignoringSlash: ignoresSlash, in: arena)
        if let exact = arena.withBytes(range, { group.exact.value($0) }), isBefore(exact) { return true }
        guard let first = group.patternRows.first, isBefore(first) else { return false }
        let count = group.patterns.count
        return arena.withBytes(key.text(ignoringSlash: false, in: arena)) { text in
            switch group.patterns.firstMatch(text, from: 0, to: count, scratch: scratch) {
            case .none: false
            case .match(let pattern), .limitExceeded(let pattern): isBefore(group.patternRows[pattern])
            }
        }
    }
}
