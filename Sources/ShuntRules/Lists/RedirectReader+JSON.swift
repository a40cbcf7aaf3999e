import ShuntCore

extension RedirectReader {
    /// Reads the `redirects` of a vercel.json or a firebase.json.
    mutating func readJSON(_ file: RuleFile) {
        do throws(JSONError) {
            let value = try JSONReader.readPlaced(Array(bytes[offset...]))
            let shift = offset
            var lists = [value["redirects"] ?? value]
            let hosting = value["hosting"]
            if let hosting { lists = (hosting.items ?? [hosting]).compactMap { $0["redirects"] } }
            let items = lists.flatMap { $0.items ?? [] }
            prepared = items.map { item in
                let place = file.place(of: item.place.lowerBound + shift)
                return row(of: item, RedirectRow(line: place.line, column: place.column))
            }
            prepared.reverse()
            if items.isEmpty { mistake = ("there is no \"redirects\" with rows in it", 0) }
        } catch {
            mistake = (error.problem, error.offset + offset)
        }
    }

    private mutating func row(of item: PlacedJSON, _ row: RedirectRow) -> RedirectRow {
        var row = row
        row.from = text(item["source"] ?? item["glob"])
        row.to = text(item["destination"])
        row.status = form == .vercel ? 308 : 301
        if case .boolean(let isPermanent) = item["permanent"]?.content { row.status = isPermanent ? 308 : 307 }
        if case .number(let digits) = (item["statusCode"] ?? item["type"])?.content {
            row.status = Int32(String(decoding: digits, as: UTF8.self)) ?? -1
        }
        if item["has"] != nil || item["missing"] != nil { row.problem = .condition }
        if item["regex"] != nil { row.problem = .wildcard }
        return row
    }

    private mutating func text(_ value: PlacedJSON?) -> ByteRange {
        guard case .string(let text) = value?.content else { return .empty }
        let start = bytes.count
        bytes += text
        return ByteRange(start, bytes.count)
    }
}
