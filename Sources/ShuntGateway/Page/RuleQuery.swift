#if Gateway
import Shunt

/// The selection and the order of rules: `/rules?limit=&after=&sort=&q=&filter=`.
struct RuleQuery {
    /// The most rows of an answer.
    static let maximumLimit = 1_000
    private static let secondsOfMonth: Int64 = 30 * 86_400

    /// The keys by which rules are sorted; a `-` before one reverses the order.
    enum Order: String, CaseIterable {
        case place
        case text
        case hits
        case last
        case findings
    }

    /// Rules that people look for.
    enum Filter: String, CaseIterable {
        /// Nothing was ever decided by them.
        case neverHit = "never-hit"
        /// Nothing was decided by them in the last 30 days.
        case unused = "not-hit-30-days"
        /// Something was found in them.
        case findings
        /// They came with the last reload.
        case changed
    }

    var limit = 100
    var offset = 0
    var order = Order.place
    var isDescending = false
    var words: [UInt8] = []
    var filters: Set<Filter> = []

    /// The names of its arguments.
    static let names = ["limit", "after", "sort", "q", "filter"]

    /// Reads a query; what is wrong with it is thrown as a sentence.
    init(_ arguments: AdminArguments) throws(RequestError) {
        if let number = try arguments.number("limit") { limit = min(number, Self.maximumLimit) }
        offset = try arguments.number("after") ?? 0
        if var sort = arguments.text("sort"), !sort.isEmpty {
            isDescending = sort.hasPrefix("-")
            if isDescending { sort.removeFirst() }
            guard let order = Order(rawValue: sort) else {
                let names = Order.allCases.map(\.rawValue).joined(separator: ", ")
                throw RequestError("sort is one of \(names), with a - before it for the other way round")
            }
            self.order = order
        }
        words = (arguments["q"] ?? []).map(\.asciiLowercased)
        for name in (arguments.text("filter") ?? "").split(separator: ",") {
            guard let filter = Filter(rawValue: String(name)) else {
                let names = Filter.allCases.map(\.rawValue).joined(separator: ", ")
                throw RequestError("filter is one or some of \(names)")
            }
            filters.insert(filter)
        }
    }

    /// The facts about a row in addition to its text.
    struct Known {
        var hits: UInt64 = 0
        var last: Int64?
        var findings = 0
        var isChanged = false
    }

    /// The rows that are asked for in their order.
    ///
    /// - Complexity: O(*n* log *n*) in the number of rules.
    func select(_ rows: [RuleTable.Row], _ known: [Known], at now: Int64) -> [Int] {
        let chosen = rows.indices.filter { matches(rows[$0], known: known[$0], at: now) }
        switch order {
        case .place: return isDescending ? chosen.reversed() : chosen
        case .text: return sorted(chosen) { rows[$0].text }
        case .hits: return sorted(chosen) { known[$0].hits }
        case .last: return sorted(chosen) { known[$0].last ?? 0 }
        case .findings: return sorted(chosen) { known[$0].findings }
        }
    }

    /// The rows by what they have; those with the same stay in the order of the files.
    private func sorted<Value: Comparable>(_ rows: [Int], by value: (Int) -> Value) -> [Int] {
        rows.map { (value($0), $0) }
            .sorted { one, other in
                if one.0 == other.0 { return one.1 < other.1 }
                return isDescending ? one.0 > other.0 : one.0 < other.0
            }
            .map(\.1)
    }

    private func matches(_ row: RuleTable.Row, known: Known, at now: Int64) -> Bool {
        for filter in filters {
            switch filter {
            case .neverHit: if row.counter == nil || known.hits > 0 { return false }
            case .unused:
                if row.counter == nil { return false }
                if let last = known.last, last > now - Self.secondsOfMonth { return false }
            case .findings: if known.findings == 0 { return false }
            case .changed: if !known.isChanged { return false }
            }
        }
        guard !words.isEmpty else { return true }
        return Self.contains(words, row.text) || Self.contains(words, "\(row.place)")
            || Self.contains(words, row.context)
            || row.note?.entries.contains { Self.contains(words, $0.value) } == true
    }

    /// Returns true if a text has these bytes in it, upper and lower case being the same.
    private static func contains(_ words: [UInt8], _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= words.count else { return false }
        for start in 0...(bytes.count - words.count) {
            var length = 0
            while length < words.count, bytes[start + length].asciiLowercased == words[length] { length += 1 }
            if length == words.count { return true }
        }
        return false
    }
}
#endif
