import ShuntCore

/// Reads the rows of a list of redirects, one after another, in time linear in the size of the file.
package struct RedirectReader {
    package let form: RedirectForm
    /// The text of the file, and what had to be written in another way after it.
    package internal(set) var bytes: [UInt8]
    /// The end of the file in `bytes`.
    let end: Int
    var offset = 0
    var line: Int32 = 1
    /// The place of the last quote: a quote that begins there or after it is never closed.
    let lastQuote: Int
    let separator: UInt8
    var roles: [RedirectColumn]
    /// True if the directive names the columns.
    let hasColumns: Bool
    var needsHead = true
    /// True if the rows are pages that a crawler saw, whose statuses are not those of rules.
    var isCrawl = false
    var fields: [ByteRange] = []
    var hasOpenQuote = false
    /// The rows of a JSON file that are left, the last one first.
    var prepared: [RedirectRow] = []
    /// The mistake of a JSON file that cannot be read.
    package internal(set) var mistake: (problem: String, offset: Int)?

    package init(_ file: RuleFile, _ options: RedirectListOptions) {
        let text = file.bytes
        bytes = text
        end = text.count
        offset = TextCheck.start(of: file)
        let first = Self.firstLine(of: text, from: offset)
        form = options.form ?? Self.form(of: file.name, first, text[offset...])
        separator = Self.separators.first { first.contains($0) } ?? UInt8(ascii: ",")
        lastQuote = text.lastIndex(of: UInt8(ascii: "\"")) ?? -1
        roles = options.columns
        hasColumns = !options.columns.isEmpty
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

    /// The form of a file by its name, else by its first line that is not a comment.
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
                var word = word
                // In a `map` each may be in quotes.
                if let quote = word.first, "\"'".utf8.contains(quote), word.count > 2 {
                    let inner = word.last == UInt8(ascii: ";") ? word.dropLast() : word
                    if inner.last == quote { word = inner.dropFirst().dropLast() }
                }
                return (word.first == UInt8(ascii: "/") || word.starts(with: Array("http".utf8)))
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
            // Spreadsheets write rows without a cell.
            guard hasOpenQuote || fields.contains(where: { !$0.isEmpty }),
                bytes[start..<min(offset, end)].first(where: { $0 > 0x20 }) != UInt8(ascii: "#")
            else { continue }
            row.extent = ByteRange(start, min(offset, end))
            row.column += Int32(bytes[row.extent.indices].prefix { $0 <= 0x20 }.count)
            if form == .csv || form == .bulk {
                if needsHead, takeHead() { continue }
                guard let made = csvRow(row) else { continue }
                row = made
            } else {
                row = form == .pages ? pagesRow(row) : plainRow(row)
            }
            if !isUTF8(row.from) || !isUTF8(row.to) { row.problem = .encoding }
            return row
        }
        return nil
    }

    private func isUTF8(_ range: ByteRange) -> Bool {
        bytes.span.extracting(range.indices).isUTF8
    }

    mutating func endLine(at stop: Int) {
        offset = stop + 1
        line &+= 1
    }

    private mutating func readWords() {
        fields.removeAll(keepingCapacity: true)
        var index = offset
        while index < end, bytes[index] != UInt8(ascii: "\n") {
            while index < end, bytes[index] <= 0x20, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            let start = index
            if form == .plain, let close = quote(closing: start) {
                fields.append(withoutInvisibleSigns(ByteRange(start + 1, close)))
                index = close + 1
                if index < end, bytes[index] == UInt8(ascii: ";") { index += 1 }
                continue
            }
            while index < end, bytes[index] > 0x20 { index += 1 }
            guard index > start else { break }
            if !fields.isEmpty, bytes[start] == UInt8(ascii: "#") {
                while index < end, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                break
            }
            fields.append(withoutInvisibleSigns(ByteRange(start, index)))
        }
        // A word of invisible signs alone is not a word to those who read the list.
        fields.removeAll(where: \.isEmpty)
        endLine(at: index)
    }

    /// The place of the quote that closes a word of a `map`; nil for a word that is not in quotes.
    private func quote(closing start: Int) -> Int? {
        guard start < end, "\"'".utf8.contains(bytes[start]) else { return nil }
        var index = start + 1
        while index < end, bytes[index] != bytes[start] {
            if bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\\") { return nil }
            index += 1
        }
        guard index < end, index > start + 1 else { return nil }
        let next = index + 1 < end ? bytes[index + 1] : 0x20
        return next <= 0x20 || next == UInt8(ascii: ";") ? index : nil
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
        if isStatus(fields[index]) {
            row.to = targetOfSource(row.from)
        } else {
            row.to = fields[index]
            index += 1
        }
        if index < fields.count, bytes[Int(fields[index].start)].isASCIIDigit {
            var status = fields[index]
            row.isForced = bytes[Int(status.end) - 1] == UInt8(ascii: "!")
            if row.isForced { status.end -= 1 }
            take(status: status, for: &row)
            index += 1
        }
        guard index < fields.count else { return row }
        if !fields[index...].allSatisfy(isCondition) {
            row.problem = isCondition(fields[index]) ? .condition : .invalidStatus
        } else {
            row.audience = ByteRange(start: fields[index].start, end: fields[fields.count - 1].end)
        }
        return row
    }

    /// Returns true if a word is the status 200, which is in the place of a target where the page itself is meant.
    private func isStatus(_ range: ByteRange) -> Bool {
        let word = bytes[range.indices]
        return word.elementsEqual("200".utf8) || word.elementsEqual("200!".utf8)
    }

    /// The target that is the page of a source itself.
    private mutating func targetOfSource(_ range: ByteRange) -> ByteRange {
        var text = bytes[range.indices]
        if let scheme = text.firstRange(of: Array("://".utf8)) {
            text = text[scheme.upperBound...].drop { $0 != UInt8(ascii: "/") }
        }
        let isOpen = text.last == UInt8(ascii: "*")
        let copy = (isOpen ? Array(text.dropLast()) : Array(text)) + (isOpen ? Array(":splat".utf8) : [])
        let start = bytes.count
        bytes += copy
        return ByteRange(start, bytes.count)
    }

    /// Returns true if a word is a name, "=" and a value.
    private func isCondition(_ range: ByteRange) -> Bool {
        let word = bytes[range.indices]
        guard let equals = word.firstIndex(of: UInt8(ascii: "=")), equals > word.startIndex else { return false }
        return word[..<equals].allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_-.".utf8.contains($0) }
    }

    func take(status range: ByteRange, for row: inout RedirectRow) {
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
}

extension String {
    fileprivate var trimmingQuotes: String { String(trimmingPrefix("\"").prefix { $0 != "\"" && $0 != "\r" }) }
}
