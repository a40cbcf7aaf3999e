import ShuntCore

/// Reads the rows of a list of redirects, one after another, in time linear in the size of the file.
package struct RedirectReader {
    package let form: RedirectForm
    /// The text of the file, and what had to be written in another way after it.
    package internal(set) var bytes: [UInt8]
    /// The end of the file in `bytes`.
    private let end: Int
    var offset = 0
    private var line: Int32 = 1
    /// The place of the last quote: a quote that begins there or after it is never closed.
    private let lastQuote: Int
    private let separator: UInt8
    private var roles: [RedirectColumn]
    private var needsHead: Bool
    /// The fields of a record.
    private var fields: [ByteRange] = []
    private var hasOpenQuote = false
    /// The rows of a JSON file that are left, the last one first.
    var prepared: [RedirectRow] = []
    /// The mistake of a JSON file that cannot be read.
    package internal(set) var mistake: (problem: String, offset: Int)?

    package init(_ file: RuleFile, _ options: RedirectListOptions) {
        let text = file.bytes
        bytes = text
        end = text.count
        if text.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
        let first = Self.firstLine(of: text, from: offset)
        form = options.form ?? Self.form(of: file.name, first, text[offset...])
        separator = Self.separators.first { first.contains($0) } ?? UInt8(ascii: ",")
        lastQuote = text.lastIndex(of: UInt8(ascii: "\"")) ?? -1
        roles = options.columns
        needsHead = options.columns.isEmpty
        if form.isJSON { readJSON(file) }
    }

    // MARK: Forms

    private static let separators = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: ",")]

    private static func firstLine(of bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
        var start = start
        while start < bytes.count {
            let stop = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let text = bytes[start..<stop].drop { $0 <= 0x20 }
            if let first = text.first, first != UInt8(ascii: "#") { return text }
            start = stop + 1
        }
        return []
    }

    /// The form of a file by its name, else by its first line that is no comment.
    private static func form(of name: String, _ first: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> RedirectForm {
        let name = name.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name == "_redirects" || name.hasSuffix("._redirects") { return .pages }
        if first.first == UInt8(ascii: "{") || first.first == UInt8(ascii: "[") {
            return name.hasPrefix("firebase") || text.firstRange(of: Array("\"hosting\"".utf8)) != nil
                ? .firebase : .vercel
        }
        let isCSV = name.hasSuffix(".csv") || name.hasSuffix(".tsv")
        guard isCSV || (first.contains { separators.contains($0) } && !isPlain(first)) else { return .plain }
        let separator = separators.first { first.contains($0) }
        let fields = first.split(separator: separator ?? 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self).trimmingQuotes.lowercased() }
        if fields.contains("source_url") || (fields.count >= 4 && ["true", "false"].contains(fields[3])) {
            return .bulk
        }
        return .csv
    }

    /// Returns true if a line is two places with a space between them.
    private static func isPlain(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split { $0 <= 0x20 }
        guard words.count >= 2, words.count <= 3 else { return false }
        return words.prefix(2)
            .allSatisfy { word in
                (word.first == UInt8(ascii: "/") || word.starts(with: Array("http".utf8)))
                    && !word.dropLast().contains(UInt8(ascii: ";"))
                    && word.last != UInt8(ascii: ",")
            }
    }

    // MARK: Rows

    /// The next row; nil at the end of the file.
    package mutating func next() -> RedirectRow? {
        if form.isJSON { return prepared.popLast() }
        while offset < end {
            let start = offset
            var row = RedirectRow(line: line, column: 1)
            if form == .csv || form == .bulk { readRecord() } else { readWords() }
            guard let first = fields.first, !(fields.count == 1 && first.isEmpty),
                bytes[start..<min(offset, end)].first(where: { $0 > 0x20 }) != UInt8(ascii: "#")
            else { continue }
            row.extent = ByteRange(start, min(offset, end))
            if form == .csv || form == .bulk {
                if needsHead, takeHead() { continue }
                return csvRow(row)
            }
            return form == .pages ? pagesRow(row) : plainRow(row)
        }
        return nil
    }

    private mutating func endLine(at stop: Int) {
        offset = stop + 1
        line &+= 1
    }

    /// Reads the words of a line.
    private mutating func readWords() {
        fields.removeAll(keepingCapacity: true)
        var index = offset
        while index < end, bytes[index] != UInt8(ascii: "\n") {
            while index < end, bytes[index] <= 0x20, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            let start = index
            while index < end, bytes[index] > 0x20 { index += 1 }
            guard index > start else { break }
            if !fields.isEmpty, bytes[start] == UInt8(ascii: "#") {
                while index < end, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                break
            }
            fields.append(ByteRange(start, index))
        }
        endLine(at: index)
    }

    /// `from to [status]`, perhaps with an arrow between, or with a `;` after it as in a `map`.
    private mutating func plainRow(_ row: RedirectRow) -> RedirectRow {
        var row = row
        if let last = fields.last, last.count > 1, bytes[Int(last.end) - 1] == UInt8(ascii: ";") {
            fields[fields.count - 1].end -= 1
        }
        let arrows = [Array("->".utf8), Array("=>".utf8)]
        if fields.count > 2, arrows.contains(Array(bytes[fields[1].indices])) { fields.remove(at: 1) }
        row.from = fields[0]
        if fields.count > 1 { row.to = fields[1] }
        if fields.count > 2 { take(status: fields[2], for: &row) }
        if fields.count > 3 { row.problem = .spaces }
        // "/old 410"
        if fields.count == 2, row.to.count == 3, bytes[row.to.indices].allSatisfy(\.isASCIIDigit) {
            take(status: row.to, for: &row)
            row.to = .empty
        }
        return row
    }

    /// `from [name=value...] to [status[!]] [conditions]`.
    private mutating func pagesRow(_ row: RedirectRow) -> RedirectRow {
        var row = row
        row.from = fields[0]
        var index = 1
        while index < fields.count, isCondition(fields[index]) { index += 1 }
        if index > 1 { row.conditions = ByteRange(start: fields[1].start, end: fields[index - 1].end) }
        guard index < fields.count else {
            row.problem = .noTarget
            return row
        }
        row.to = fields[index]
        index += 1
        if index < fields.count, bytes[Int(fields[index].start)].isASCIIDigit {
            var status = fields[index]
            row.isForced = bytes[Int(status.end) - 1] == UInt8(ascii: "!")
            if row.isForced { status.end -= 1 }
            take(status: status, for: &row)
            index += 1
        }
        if index < fields.count { row.problem = isCondition(fields[index]) ? .condition : .invalidStatus }
        return row
    }

    /// Returns true if a word is a name, "=" and a value.
    private func isCondition(_ range: ByteRange) -> Bool {
        let word = bytes[range.indices]
        guard let equals = word.firstIndex(of: UInt8(ascii: "=")), equals > word.startIndex else { return false }
        return word[..<equals].allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_-.".utf8.contains($0) }
    }

    private func take(status range: ByteRange, for row: inout RedirectRow) {
        let word = bytes[range.indices]
        let digits = word.prefix { $0.isASCIIDigit }
        if digits.count == 3, digits.count == word.count || word[digits.endIndex] <= 0x20 {
            row.status = Int32(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
            return
        }
        switch String(decoding: word, as: UTF8.self).lowercased() {
        case "": break
        case "permanent": row.status = 301
        case "temporary", "temp": row.status = 302
        default: row.problem = .invalidStatus
        }
    }

    // MARK: CSV

    /// Reads the fields of a record, without the white space and the quotes around them.
    private mutating func readRecord() {
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
                var stop = index
                while stop > start, bytes[stop - 1] <= 0x20 { stop -= 1 }
                fields.append(ByteRange(start, stop))
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
        while !range.isEmpty, bytes[Int(range.start)] <= 0x20 { range.start += 1 }
        while !range.isEmpty, bytes[Int(range.end) - 1] <= 0x20 { range.end -= 1 }
        return range
    }

    /// Takes the first record for the head, if it is one; without one the columns go by their position.
    private mutating func takeHead() -> Bool {
        needsHead = false
        let positional: [RedirectColumn] = [.from, .to, .status, .query, .subdomains, .subpaths, .suffix]
        roles = form == .bulk ? positional : Array(positional.prefix(3))
        let names = fields.map { String(decoding: bytes[$0.indices], as: UTF8.self).lowercased() }
        if names.contains(where: { $0.contains("/") }) { return false }
        var found = names.map { Self.role(of: $0, form) }
        // With one of them known, the other is the first of the rest.
        if found.contains(.from) != found.contains(.to), let rest = found.firstIndex(of: .none) {
            found[rest] = found.contains(.to) ? .from : .to
        }
        guard found.contains(.from), found.contains(.to) else {
            // A head in words that are unknown is one nevertheless: no URL is in it.
            return !names.contains { $0.contains(".") }
        }
        for (index, role) in found.enumerated() where found[..<index].contains(role) { found[index] = .none }
        roles = found
        return true
    }

    private static func role(of name: String, _ form: RedirectForm) -> RedirectColumn {
        if let role = RedirectColumn(rawValue: name) { return role }
        let letters = name.filter(\.isLetter)
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
        return ["status", "code", "type"].contains { letters.contains($0) } ? .status : .none
    }

    private mutating func csvRow(_ row: RedirectRow) -> RedirectRow {
        var row = row
        for (field, role) in zip(fields, roles) {
            switch role {
            case .from: row.from = field
            case .to: row.to = field
            case .status: take(status: field, for: &row)
            case .query: row.keepsQuery = isTrue(field) ?? row.keepsQuery
            case .subdomains: row.includesSubdomains = isTrue(field) ?? false
            case .subpaths: row.matchesSubpaths = isTrue(field) ?? false
            case .suffix: row.keepsSuffix = isTrue(field) ?? true
            case .none: break
            }
        }
        if hasOpenQuote { row.problem = .openQuote }
        return row
    }

    private func isTrue(_ range: ByteRange) -> Bool? {
        switch String(decoding: bytes[range.indices], as: UTF8.self).lowercased() {
        case "": nil
        case "true", "1", "yes": true
        default: false
        }
    }
}

extension String {
    fileprivate var trimmingQuotes: String { String(trimmingPrefix("\"").prefix { $0 != "\"" && $0 != "\r" }) }
}
