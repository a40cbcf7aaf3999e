import ShuntCore

extension RedirectReader {
    /// Reads the fields of a record, without the white space and the quotes around them.
    mutating func readRecord() {
        fields.removeAll(keepingCapacity: true)
        hasOpenQuote = false
        var index = offset
        while true {
            while index < end, bytes[index] == 0x20 || bytes[index] == 0x09 && separator != 0x09 { index += 1 }
            if index < end, bytes[index] == UInt8(ascii: "\"") {
                index = readQuoted(from: index)
            } else {
                let start = index
                while index < end, bytes[index] != separator, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                fields.append(trimmed(ByteRange(start, index)))
            }
            guard index < end, bytes[index] == separator else { break }
            index += 1
        }
        endLine(at: index)
    }

    /// Reads a field in quotes, in which a quote is written twice; returns the place of what follows it.
    private mutating func readQuoted(from quote: Int) -> Int {
        var index = quote + 1
        var copy: Int?
        var run = index
        while index < end {
            guard quote < lastQuote else {
                hasOpenQuote = true
                while index < end, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                fields.append(ByteRange(quote + 1, index))
                return index
            }
            if bytes[index] == UInt8(ascii: "\"") {
                guard index + 1 < end, bytes[index + 1] == UInt8(ascii: "\"") else { break }
                copy = copy ?? bytes.count
                // A slice of it would make appending copy the whole text.
                bytes += Array(bytes[run...index])
                run = index + 2
                index += 1
            } else if bytes[index] == UInt8(ascii: "\n") {
                line &+= 1
            }
            index += 1
        }
        hasOpenQuote = hasOpenQuote || index >= end
        if let copy {
            bytes += Array(bytes[run..<index])
            fields.append(ByteRange(copy, bytes.count))
        } else {
            fields.append(trimmed(ByteRange(quote + 1, index)))
        }
        index = min(index + 1, end)
        while index < end, bytes[index] != separator, bytes[index] != UInt8(ascii: "\n") { index += 1 }
        return index
    }

    private func trimmed(_ range: ByteRange) -> ByteRange {
        var range = range
        while true {
            let before = range
            while !range.isEmpty, bytes[Int(range.start)] <= 0x20 { range.start += 1 }
            while !range.isEmpty, bytes[Int(range.end) - 1] <= 0x20 { range.end -= 1 }
            range = withoutInvisibleSigns(range)
            if range.count == before.count { return range }
        }
    }

    /// The signs that spreadsheets and browsers copy with a cell: a no-break space, signs of no width, a byte order mark.
    private static let invisible = ["\u{a0}", "\u{200b}", "\u{200c}", "\u{200d}", "\u{200e}", "\u{200f}", "\u{feff}"]
        .map { Array($0.utf8) }

    func withoutInvisibleSigns(_ range: ByteRange) -> ByteRange {
        var range = range
        guard !range.isEmpty, bytes[Int(range.start)] >= 0x80 || bytes[Int(range.end) - 1] >= 0x80 else { return range }
        while let sign = Self.invisible.first(where: { bytes[range.indices].starts(with: $0) }) {
            range.start += Int32(sign.count)
        }
        while let sign = Self.invisible.first(where: { bytes[range.indices].suffix($0.count).elementsEqual($0) }) {
            range.end -= Int32(sign.count)
        }
        return range
    }

    /// Takes the first record for the head, if it is one; without one the columns go by their position.
    mutating func takeHead() -> Bool {
        needsHead = false
        let positional: [RedirectColumn] = [.from, .to, .status, .query, .subdomains, .subpaths, .suffix]
        if !hasColumns { roles = form == .bulk ? positional : Array(positional.prefix(3)) }
        let names = fields.map { String(decoding: bytes[$0.indices], as: UTF8.self).lowercased() }
        if names.contains(where: { $0.contains("/") }) { return false }
        // Spreadsheets name their separator before the head.
        if names[0].hasPrefix("sep=") {
            needsHead = true
            return true
        }
        // The cells of a head are words, of which none is a number or has a dot.
        let hasWords = !names.contains { $0.contains(".") || !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
        if hasColumns { return hasWords }
        var found = names.map(Self.role)
        // With one of them known, the other is the first of the rest.
        if found.contains(.from) != found.contains(.to), let rest = found.firstIndex(of: .none) {
            found[rest] = found.contains(.to) ? .from : .to
        }
        guard found.contains(.from), found.contains(.to) else {
            // A head in words that are unknown is one nevertheless: no URL is in it.
            return hasWords
        }
        // Of several columns that sound so the one with codes has the status.
        let status =
            names.firstIndex { $0.contains("code") } ?? names.firstIndex {
                $0.hasPrefix("redirect") && $0.hasSuffix("type")
            }
            ?? found.firstIndex(of: .status)
        for (index, role) in found.enumerated() {
            if role == .status, index != status, let status, found[status] == .status {
                found[index] = .state
            } else if found[..<index].contains(role) {
                found[index] = .none
            }
        }
        isCrawl = names.contains("address") && names.contains("redirect url")
        roles = found
        return true
    }

    private static func role(of name: String) -> RedirectColumn {
        if let role = RedirectColumn(rawValue: name) { return role }
        let letters = name.filter(\.isLetter)
        if ["regex", "isregex", "matchtype", "format"].contains(letters) { return .matching }
        if ["enabled", "isenabled", "active", "isactive", "published"].contains(letters) { return .state }
        if letters.hasPrefix("redirect"), ["url", "target", "location"].contains(where: letters.hasSuffix) {
            return .to
        }
        if letters.hasSuffix("to") || ["target", "destination", "new", "redirectto"].contains(where: letters.hasPrefix)
            || letters.contains("newurl") || letters.contains("targeturl")
        {
            return .to
        }
        if ["from", "source", "old", "current", "origin", "request", "url", "path", "address"]
            .contains(where: letters.hasPrefix)
            || letters.contains("oldurl") || letters.hasSuffix("from")
        {
            return .from
        }
        return ["status", "code", "type", "style"].contains { letters.contains($0) } ? .status : .none
    }

    /// The row of the fields that were read; nil for one that its list has switched off.
    mutating func csvRow(_ row: RedirectRow) -> RedirectRow? {
        var row = row
        for (field, role) in zip(fields, roles) {
            switch role {
            case .from: row.from = field
            case .to: row.to = field
            case .status:
                // Here a number is a status, and never a state.
                let isNumber = bytes[field.indices].allSatisfy(\.isASCIIDigit)
                switch isNumber ? .other : state(field) {
                case .off: return nil
                case .on: break
                case .other, .unsupported: take(status: field, for: &row)
                }
            case .query: row.keepsQuery = isTrue(field) ?? row.keepsQuery
            case .subdomains: row.includesSubdomains = isTrue(field) ?? false
            case .subpaths: row.matchesSubpaths = isTrue(field) ?? false
            case .suffix: row.keepsSuffix = isTrue(field) ?? true
            case .matching: take(matching: field, for: &row)
            case .state:
                switch state(field) {
                case .off: return nil
                case .unsupported: row.problem = .action
                case .other where isExport && !bytes[field.indices].allSatisfy(\.isASCIIDigit): row.problem = .action
                case .on, .other: break
                }
            case .ignored: row.isCaseless = word(field) == "case"
            case .none: break
            }
        }
        if isExport {
            if row.matching != .expression { addSlash(to: &row.from) }
            // These programs compare it with a path as a text.
            if row.matching == .whole, bytes[row.from.indices].contains(UInt8(ascii: "*")) { row.problem = .expression }
            // The target of a row that depends on a login, a referrer or the like.
            if bytes[row.to.indices].elementsEqual("/unknown".utf8) { row.problem = .condition }
        }
        if isCrawl, row.to.isEmpty { row.problem = .noTarget }
        if hasOpenQuote { row.problem = .openQuote }
        return row
    }

    /// True if a plugin of WordPress has written the list.
    private var isExport: Bool { roles.contains(.matching) }

    private func word(_ range: ByteRange) -> String {
        String(decoding: bytes[range.indices], as: UTF8.self).lowercased()
    }

    private enum State { case on, off, unsupported, other }

    /// The state of a row by a word of a column: the plugins of WordPress write the states and the actions of rows so.
    private func state(_ field: ByteRange) -> State {
        switch word(field) {
        case "active", "enabled", "url", "error", "": .on
        case "disabled", "inactive", "trashed", "draft", "off", "no", "false", "0": .off
        case "pass", "random", "nothing": .unsupported
        default: .other
        }
    }

    private func take(matching field: ByteRange, for row: inout RedirectRow) {
        switch word(field) {
        case "", "0", "false", "no", "plain", "exact", "url": break
        case "1", "true", "yes", "regex": row.matching = .expression
        case "start": row.matching = .start
        case "end": row.matching = .end
        case "contains": row.matching = .part
        default: row.problem = .condition
        }
    }

    /// Adds the slash before a path, without which the plugins of WordPress write it.
    private mutating func addSlash(to range: inout ByteRange) {
        let text = bytes[range.indices]
        // One with a scheme has a colon.
        guard !text.isEmpty, text.first != UInt8(ascii: "/"), !text.contains(UInt8(ascii: ":")) else { return }
        let start = bytes.count
        bytes.append(UInt8(ascii: "/"))
        bytes += Array(bytes[range.indices])
        range = ByteRange(start, bytes.count)
    }

    private func isTrue(_ range: ByteRange) -> Bool? {
        switch word(range) {
        case "": nil
        case "true", "1", "yes": true
        default: false
        }
    }
}
