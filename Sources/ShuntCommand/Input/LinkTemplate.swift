import Shunt

/// A URL as a program has it in its text: bytes, and placeholders that hold any text when the program runs.
struct LinkTemplate {
    enum Item: Hashable {
        case byte(UInt8)
        case placeholder
    }

    let scheme: String
    /// The bytes and placeholders after `://`.
    private(set) var items: [Item] = []

    init(scheme: String) { self.scheme = scheme }

    mutating func append(_ byte: UInt8) { items.append(.byte(byte)) }

    mutating func appendPlaceholder() { if items.last != .placeholder { items.append(.placeholder) } }

    /// Removes the last byte if it is one of some.
    mutating func dropLast(ifOneOf text: String) -> Bool {
        guard case .byte(let byte)? = items.last, text.utf8.contains(byte) else { return false }
        items.removeLast()
        return true
    }

    var isWhole: Bool { !items.contains(.placeholder) }

    /// The URL up to its first placeholder.
    var beginning: String {
        let bytes = items.prefix { $0 != .placeholder }
            .map { item in
                if case .byte(let byte) = item { byte } else { UInt8(0) }
            }
        return "\(scheme)://\(String(decoding: bytes, as: UTF8.self))"
    }

    /// The URL up to its query or fragment, if no placeholder is before these.
    var path: String { String(beginning.prefix { $0 != "?" && $0 != "#" }) }

    /// Host and path in the form that is compared.
    ///
    /// Without query and fragment, decoded, the host in small letters, one slash between components and none at the end. A URL
    /// that ends in a slash is the beginning of others.
    var compared: [Item] {
        var result: [Item] = []
        var isHost = true
        var bytes = items.prefix { $0 != .byte(UInt8(ascii: "?")) && $0 != .byte(UInt8(ascii: "#")) }[...]
        while let item = bytes.popFirst() {
            guard case .byte(var byte) = item else {
                result.append(item)
                isHost = false
                continue
            }
            if byte == UInt8(ascii: "%"), let high = bytes.first?.hexadecimal,
                let low = bytes.dropFirst().first?.hexadecimal
            {
                byte = high << 4 | low
                bytes = bytes.dropFirst(2)
                result.append(.byte(byte))
                continue
            }
            if byte == UInt8(ascii: "/") {
                isHost = false
                if result.last == .byte(byte) { continue }
            }
            result.append(.byte(isHost ? byte.asciiLowercased : byte))
        }
        guard result.last == .byte(UInt8(ascii: "/")) else { return result }
        if result.dropLast().last == .placeholder { return result.dropLast() }
        return result + [.placeholder]
    }
}

extension LinkTemplate.Item {
    fileprivate var hexadecimal: UInt8? { if case .byte(let byte) = self { byte.hexadecimalValue } else { nil } }
}

/// The URLs that a route takes, to be compared with templates.
struct LinkShape {
    private static let formLimit = 256

    private let scheme: String?
    /// The parts of host and path in each form; nil if there are too many forms.
    private let forms: [[PatternFormPart]]?

    private let isCaseSensitive: Bool

    init(_ pattern: RoutePattern, _ options: RoutingOptions) {
        scheme = pattern.scheme
        isCaseSensitive = options.caseSensitive
        forms = pattern.forms(limit: Self.formLimit)
            .map { forms in
                forms.map { form in
                    // A fragment is not compared.
                    let path = Array(form.prefix { $0 != .fragment })
                    return options.host == .host ? pattern.hostForm + path : Array(path.dropFirst())
                }
            }
    }

    /// True if some text in the placeholders of a template makes a URL of the route.
    func mayTake(_ template: [LinkTemplate.Item], scheme: String) -> Bool {
        guard self.scheme == nil || self.scheme == scheme.lowercased() else { return false }
        guard let forms else { return true }
        return forms.contains { form in
            var search = LinkSearch(template, form, isCaseSensitive: isCaseSensitive)
            return search.matches(0, 0)
        }
    }
}

/// A search for a text that both a template and the form of a route take.
private struct LinkSearch {
    /// Texts for placeholders, of which one makes a value of each type.
    private static let samples = [
        "1", "01", "2026", "2026-01-01", "a", "true", "e", "00000000-0000-4000-8000-000000000000", "",
    ]
    .map { Array($0.utf8) }
    /// The most placeholders of one value that are tried with all of them.
    private static let holeLimit = 3

    private let template: [LinkTemplate.Item]
    private var form: [PatternFormPart] = []
    private var failed: Set<[Int]> = []

    init(_ template: [LinkTemplate.Item], _ form: [PatternFormPart], isCaseSensitive: Bool) {
        let folded: (UInt8) -> UInt8 = { isCaseSensitive ? $0 : $0.asciiLowercased }
        self.template = template.map { item in
            if case .byte(let byte) = item { .byte(folded(byte)) } else { item }
        }
        for part in form {
            guard case .text(let bytes) = part else {
                self.form.append(part == .slash ? .text([UInt8(ascii: "/")]) : part)
                continue
            }
            self.form += bytes.map { .text([folded($0)]) }
        }
    }

    /// True if the template from `item` on and the form from `part` on have a text in common.
    mutating func matches(_ item: Int, _ part: Int) -> Bool {
        guard !failed.contains([item, part]) else { return false }
        let found = search(item, part)
        if !found { failed.insert([item, part]) }
        return found
    }

    private mutating func search(_ item: Int, _ part: Int) -> Bool {
        let isPlaceholder = item < template.count && template[item] == .placeholder
        // The last placeholder may hold the query too.
        guard part < form.count else { return item == template.count || (isPlaceholder && item + 1 == template.count) }
        if isPlaceholder, matches(item + 1, part) { return true }
        switch form[part] {
        case .text(let bytes):
            if isPlaceholder { return matches(item, part + 1) }
            guard item < template.count, let byte = bytes.first, template[item] == .byte(byte) else { return false }
            return matches(item + 1, part + 1)
        case .rest, .other:
            if matches(item, part + 1) { return true }
            return item < template.count && matches(item + 1, part)
        default: return searchValue(item, part)
        }
    }

    /// Tries each run of items as the value of a parameter.
    private mutating func searchValue(_ item: Int, _ part: Int) -> Bool {
        var end = item
        while end < template.count, template[end] != .byte(UInt8(ascii: "/")) {
            end += 1
            guard Self.fits(template[item..<end], form[part]) else { continue }
            if matches(end, part + 1) { return true }
            // The placeholder may continue after the value.
            if template[end - 1] == .placeholder, matches(end - 1, part + 1) { return true }
        }
        return false
    }

    /// Values of the types of one length, which are what a placeholder has at their places.
    ///
    /// The years are leap years among others, and the months and days end in a 0 and in a 1.
    private static let values: [ParameterType: [[UInt8]]] = {
        let years = (0...1).flatMap { tens in stride(from: 0, to: 10, by: 2).map { "20\(tens)\($0)" } }
        let dates = years.flatMap { year in
            ["01", "10"].flatMap { month in ["01", "10"].map { "\(year)-\(month)-\($0)" } }
        }
        return [
            .bool: ["true", "false"], .date: dates, .uuid: ["00000000-0000-4000-8000-000000000000"],
        ]
        .mapValues { $0.map { Array($0.utf8) } }
    }()

    /// True if the placeholders of a run can take such parts of a value that the text is of a type.
    private static func fits(
        _ run: ArraySlice<LinkTemplate.Item>,
        type: ParameterType,
        _ value: [UInt8],
        after beginning: [UInt8]
    ) -> Bool {
        guard beginning.count <= value.count else { return false }
        guard let item = run.first else { return type.accepts(beginning.span) }
        guard case .byte(let byte) = item else {
            return (beginning.count...value.count)
                .contains { end in
                    fits(run.dropFirst(), type: type, value, after: beginning + value[beginning.count..<end])
                }
        }
        return fits(run.dropFirst(), type: type, value, after: beginning + [byte])
    }

    private static func fits(_ run: ArraySlice<LinkTemplate.Item>, _ part: PatternFormPart) -> Bool {
        guard case .value(let type?) = part else { return part != .oneByte || run.count == 1 }
        let placeholders = run.count { $0 == .placeholder }
        guard placeholders <= holeLimit else { return true }
        if placeholders > 0, let whole = values[type] {
            return whole.contains { fits(run, type: type, $0, after: []) }
        }
        let choices = (0..<placeholders).reduce(1) { count, _ in count * samples.count }
        return (0..<choices)
            .contains { choice in
                var choice = choice
                var value: [UInt8] = []
                for item in run {
                    if case .byte(let byte) = item {
                        value.append(byte)
                    } else {
                        value += samples[choice % samples.count]
                        choice /= samples.count
                    }
                }
                return type.accepts(value.span)
            }
    }
}
