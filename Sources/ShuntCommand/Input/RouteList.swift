import Shunt

/// A list of routes in JSON: `[{"pattern", "id", "method"?, "priority"?, "scheme"?, "host"?, "fallback"?, "defaults"?}]`.
struct RouteList {
    private static let names = ["pattern", "id", "method", "priority", "scheme", "host", "fallback", "defaults"]
    /// The further members of a listed table.
    private static let listed = ["parameters", "origin"]
    /// The priorities that a route may have, as in rule files.
    private static let priorities = -1_000_000...1_000_000

    /// The table; nil when the list has errors.
    private(set) var table: RouteTable?
    /// All errors and warnings, in the order of the file.
    private(set) var diagnostics: [Diagnostic] = []

    private let file: RuleFile
    private var builder: RouteTableBuilder
    /// The place where the text of each pattern begins, in the order of the routes.
    private var patterns: [Int] = []

    init(_ bytes: [UInt8], named name: String, options: RoutingOptions) {
        file = RuleFile(name: name, bytes: bytes)
        builder = RouteTableBuilder(options: options)
        do throws(JSONError) {
            let value = try JSONReader.readPlaced(bytes)
            guard let items = value.items else {
                report("a table is a list of routes, not \(value.kind)", at: value.place.lowerBound)
                return
            }
            for item in items { read(item) }
        } catch {
            report(error.problem, at: error.offset)
            return
        }
        build()
    }

    /// Reads one route; what is wrong with it is reported and leaves it out.
    private mutating func read(_ item: PlacedJSON) {
        let place = item.place.lowerBound
        guard let members = item.members else {
            return report("a route is an object, not \(item.kind)", at: place)
        }
        let before = diagnostics.count
        var route = Fields()
        for member in members where !member.value.isNull { read(member, into: &route) }
        let misspelled = diagnostics[before...].contains { $0.suggestion != nil }
        for name in ["pattern", "id"]
        where !misspelled && !members.contains(where: { $0.name == name && !$0.value.isNull }) {
            report("the route has no \"\(name)\"", at: place)
        }
        guard diagnostics.count == before, let pattern = route.pattern, let identifier = route.id else { return }
        let origin = file.location(of: route.place + 1)
        patterns.append(route.place + 1)
        if route.isFallback {
            builder.addFallback(
                under: pattern,
                name: identifier,
                methods: route.methods,
                scheme: route.scheme,
                host: route.host,
                defaults: route.defaults,
                origin: origin
            )
        } else {
            builder.add(
                pattern,
                name: identifier,
                methods: route.methods,
                priority: route.priority,
                scheme: route.scheme,
                host: route.host,
                defaults: route.defaults,
                origin: origin
            )
        }
    }

    private struct Fields {
        var pattern: String?
        var place = 0
        var id: String?
        var methods: [String] = []
        var priority = 0
        var scheme: String?
        var host: String?
        var isFallback = false
        var defaults: [String: String] = [:]
    }

    private mutating func read(_ member: PlacedJSON.Member, into route: inout Fields) {
        let place = member.value.place.lowerBound
        switch (member.name, member.value.content) {
        case ("pattern", .string(let text)):
            route.pattern = String(decoding: text, as: UTF8.self)
            route.place = place
        case ("id", .string(let text)):
            guard !text.isEmpty else { return report("\"id\" is empty", at: place) }
            route.id = String(decoding: text, as: UTF8.self)
        case ("method", .string(let text)):
            let methods = String(decoding: text, as: UTF8.self)
            if methods != "*" { route.methods = methods.split(separator: "|").map(String.init) }
            if methods != "*", route.methods.isEmpty { report("\"method\" names no method", at: place) }
        case ("method", .array(let items)):
            if items.isEmpty { report("\"method\" names no method", at: place) }
            for item in items {
                guard let text = item.text else {
                    return report("\"method\" needs strings, not \(item.kind)", at: place)
                }
                route.methods.append(text)
            }
        case ("priority", .number(let digits)):
            guard let number = Int(String(decoding: digits, as: UTF8.self)), Self.priorities.contains(number) else {
                return report("\"priority\" is not a whole number from -1000000 to 1000000", at: place)
            }
            route.priority = number
        case ("scheme", .string(let text)): route.scheme = String(decoding: text, as: UTF8.self)
        case ("host", .string(let text)): route.host = String(decoding: text, as: UTF8.self)
        case ("fallback", .boolean(let flag)): route.isFallback = flag
        case ("defaults", .object(let defaults)):
            for item in defaults {
                guard case .string(let text) = item.value.content else {
                    return report(
                        "the default of \(RequestFields.quoted(item.name)) is a string, not \(item.value.kind)",
                        at: item.value.place.lowerBound
                    )
                }
                route.defaults[item.name] = String(decoding: text, as: UTF8.self)
            }
        case (let name, _):
            if Self.names.contains(name) {
                report("\"\(name)\" cannot be \(member.value.kind)", at: place)
            } else if !Self.listed.contains(name) {
                let meant = Suggestion.meant(by: name, among: Self.names)
                let advice = meant ?? "there are: \(Self.names.joined(separator: ", "))"
                report("unknown member \(RequestFields.quoted(name))", at: place, suggestion: advice)
            }
        }
    }

    private mutating func build() {
        let isComplete = diagnostics.isEmpty
        do throws(RouteTableError) {
            let table = try builder.build()
            if isComplete { self.table = table }
            add(table.warnings)
        } catch {
            add(error.diagnostics)
        }
        diagnostics = diagnostics.inOrder
    }

    // MARK: Places

    /// The builder's diagnostics, whose columns count the bytes of patterns, with the columns and the lines of the file.
    private mutating func add(_ problems: [Diagnostic]) {
        for problem in problems { diagnostics.append(placed(problem)) }
    }

    private func placed(_ problem: Diagnostic) -> Diagnostic {
        var problem = problem
        let line = Int32(clamping: problem.location.line)
        problem.notes = problem.notes.map { placed($0) }
        guard let offset = file.offset(line: line, column: Int32(clamping: problem.location.column)) else {
            return problem
        }
        let next = patterns.partitioningIndex { $0 > offset }
        guard next > 0 else { return problem }
        let start = patterns[next - 1]
        let first = source(ofByte: offset - start, from: start)
        let last = source(ofByte: offset - start + problem.length, from: start)
        problem.location.column += first - offset
        problem.length = last - first
        let column = Int32(clamping: problem.location.column)
        let shown = file.diagnostic(.error(.routeList), problem.message, at: (line, column))
        problem.sourceLine = shown.sourceLine
        return problem
    }

    /// The offset in the file of a byte of a JSON string that begins at an offset, after its quote.
    private func source(ofByte byte: Int, from start: Int) -> Int {
        var offset = start
        var count = 0
        while count < byte, offset < file.bytes.count, file.bytes[offset] != UInt8(ascii: "\"") {
            guard file.bytes[offset] == UInt8(ascii: "\\"), offset + 1 < file.bytes.count else {
                offset += 1
                count += 1
                continue
            }
            if file.bytes[offset + 1] == UInt8(ascii: "u") {
                let digits = file.bytes[(offset + 2)...].prefix(4)
                let unit = digits.reduce(UInt32(0)) { $0 << 4 + UInt32($1.hexadecimalValue ?? 0) }
                // Each half of a surrogate pair counts for half of the four bytes.
                count += unit < 0x80 ? 1 : unit < 0x800 || (0xd800..<0xe000).contains(unit) ? 2 : 3
                offset += 6
            } else {
                offset += 2
                count += 1
            }
        }
        return min(offset, file.bytes.count)
    }

    private mutating func report(_ message: String, at offset: Int, suggestion: String? = nil) {
        let place = file.place(of: offset)
        diagnostics.append(file.diagnostic(.error(.routeList), message, at: place, suggestion: suggestion))
    }
}
