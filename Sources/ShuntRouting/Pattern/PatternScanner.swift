import ShuntCore

/// Reads the path of a pattern into nodes: names, constraints, escapes and groups, but no components yet.
struct PatternScanner {
    let bytes: [UInt8]
    let syntax: PatternSyntax
    let routesFragment: Bool
    private(set) var index: Int
    private(set) var query: [UInt8]?
    private var groupCount = 0

    init(_ bytes: [UInt8], from start: Int, options: RoutingOptions) {
        self.bytes = bytes
        self.syntax = options.syntax
        self.routesFragment = options.routesFragment
        self.index = start
    }

    /// Reads up to the end, or in a group up to its `)`, which is left.
    mutating func nodes(depth: Int = 0) throws(RoutePatternError) -> [PatternToken] {
        var nodes: [PatternToken] = []
        var text: [UInt8] = []
        var textStart = index
        func flush(_ text: inout [UInt8], _ nodes: inout [PatternToken]) {
            if !text.isEmpty { nodes.append(.text(text, offset: textStart)) }
            text.removeAll()
        }
        while index < bytes.count {
            let byte = bytes[index]
            if text.isEmpty { textStart = index }
            let startsComponent = text.isEmpty && (nodes.last.map { $0.crossesComponents } ?? true)
            switch byte {
            case UInt8(ascii: "/"):
                flush(&text, &nodes)
                nodes.append(.slash(offset: index))
                index += 1
            case UInt8(ascii: "#"):
                guard routesFragment else {
                    let advice = "set the option routesFragment, or write \\#"
                    throw RoutePatternError("fragments are not routed", at: index, suggestion: advice)
                }
                flush(&text, &nodes)
                nodes.append(.fragment(offset: index))
                index += 1
            case UInt8(ascii: ":") where syntax.parametersAnywhere || startsComponent:
                flush(&text, &nodes)
                nodes.append(.parameter(try parameter()))
            case UInt8(ascii: "*"):
                flush(&text, &nodes)
                nodes.append(try star(startsComponent: startsComponent))
            case UInt8(ascii: "?"):
                if syntax.questionMark == .query {
                    query = Array(bytes[(index + 1)...])
                    index = bytes.count
                } else if let node = try questionMark(afterText: !text.isEmpty, depth: depth) {
                    flush(&text, &nodes)
                    nodes.append(node)
                } else {
                    text.append(byte)
                    index += 1
                }
            case UInt8(ascii: "(") where syntax.groups:
                flush(&text, &nodes)
                nodes.append(try group(depth: depth))
            case UInt8(ascii: ")") where syntax.groups:
                guard depth > 0 else { throw RoutePatternError("\")\" without \"(\"", at: index) }
                flush(&text, &nodes)
                return nodes
            default:
                let start = index
                while index < bytes.count, Self.isPlain(bytes[index]) { index += 1 }
                if index > start { text += bytes[start..<index] } else { text.append(try literal()) }
            }
        }
        flush(&text, &nodes)
        return nodes
    }

    private mutating func group(depth: Int) throws(RoutePatternError) -> PatternToken {
        let start = index
        guard depth < RoutingLimits.groupDepth else {
            throw RoutePatternError("groups nest deeper than \(RoutingLimits.groupDepth)", at: start)
        }
        groupCount += 1
        guard groupCount <= RoutingLimits.groups else {
            throw RoutePatternError("more than \(RoutingLimits.groups) groups", at: start)
        }
        index += 1
        let inner = try nodes(depth: depth + 1)
        guard index < bytes.count else { throw RoutePatternError("\"(\" without \")\"", at: start) }
        index += 1
        guard !inner.isEmpty else { throw RoutePatternError("a group is empty", at: start, length: 2) }
        return .group(inner, offset: start)
    }

    /// Returns true if a byte means itself in every syntax.
    private static func isPlain(_ byte: UInt8) -> Bool {
        isNameByte(byte, first: false) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte >= 0x80
    }

    private mutating func literal() throws(RoutePatternError) -> UInt8 {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "\\"):
            guard index + 1 < bytes.count else { throw RoutePatternError("nothing follows \"\\\"", at: index) }
            let next = bytes[index + 1]
            guard next > 0x20, next < 0x7f, !Self.isNameByte(next, first: false) || next == UInt8(ascii: "_") else {
                throw RoutePatternError("\"\\\" escapes only punctuation", at: index, length: 2)
            }
            index += 2
            return next
        case UInt8(ascii: "%"):
            guard index + 2 < bytes.count, let high = bytes[index + 1].hexadecimalValue,
                let low = bytes[index + 2].hexadecimalValue
            else {
                let advice = "write \\% for a percent sign"
                throw RoutePatternError("\"%\" without two hexadecimal digits", at: index, suggestion: advice)
            }
            index += 3
            return high << 4 | low
        case UInt8(ascii: "{") where !syntax.braces, UInt8(ascii: "}") where !syntax.braces:
            let inner = bytes[(index + 1)...].drop { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ".") }
            let name = String(
                decoding: inner.prefix { byte != UInt8(ascii: "}") && Self.isNameByte($0, first: false) },
                as: UTF8.self
            )
            let mark = inner.startIndex > index + 1 ? "*" : ":"
            let advice = "write \(mark)\(name.isEmpty ? "name" : name) for a parameter, or \\{ for a brace"
            throw RoutePatternError("a brace means nothing", at: index, suggestion: advice)
        case 0..<0x20, 0x7f: throw RoutePatternError("control byte in a pattern", at: index)
        default:
            index += 1
            return byte
        }
    }

    private mutating func questionMark(afterText: Bool, depth: Int) throws(RoutePatternError) -> PatternToken? {
        switch syntax.questionMark {
        case .refused:
            let advice = "write \\? for a question mark in the path"
            throw RoutePatternError("a pattern has no query", at: index, suggestion: advice)
        case .anyByte:
            index += 1
            return .anyByte(offset: index - 1)
        case .optional:
            let next = index + 1 < bytes.count ? bytes[index + 1] : UInt8(ascii: "/")
            guard afterText, next == UInt8(ascii: "/") || next == UInt8(ascii: ")") && depth > 0 else { return nil }
            index += 1
            return .optional(offset: index - 1)
        case .query: return nil
        }
    }

    private mutating func star(startsComponent: Bool) throws(RoutePatternError) -> PatternToken {
        let start = index
        index += 1
        var parameter = PatternParameter(name: syntax.starName, offset: start)
        switch syntax.star {
        case .any:
            var isGreedy = false
            if index < bytes.count, bytes[index] == UInt8(ascii: "*") {
                isGreedy = true
                index += 1
            }
            return .star(parameter, isGreedy: isGreedy, isTail: false)
        case .tail, .component:
            guard startsComponent else {
                let advice = "write /*name for any number of components, or \\* for an asterisk"
                throw RoutePatternError("\"*\" must begin a component", at: start, suggestion: advice)
            }
            if let name = name() { parameter.name = name }
            let isTail = syntax.star == .tail || index > start + 1
            return .star(parameter, isGreedy: true, isTail: isTail)
        }
    }

    private mutating func parameter() throws(RoutePatternError) -> PatternParameter {
        let start = index
        index += 1
        var parameter = PatternParameter(name: name(), offset: start)
        if parameter.name == nil {
            let endsComponent = index == bytes.count || bytes[index] == UInt8(ascii: "/")
            guard syntax.bareColon, endsComponent else {
                throw RoutePatternError("a parameter needs a name", at: start, suggestion: "write \\: for a colon")
            }
            parameter.name = ":"
        }
        if syntax.constraints, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "("),
            bytes[index + 1] != UInt8(ascii: "/")
        {
            parameter.constraint = try constraint()
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: "?"),
            syntax.questionMark == .refused
                || syntax.questionMark == .optional
        {
            parameter.isOptional = true
            index += 1
        }
        return parameter
    }

    /// The text between the parentheses: balanced, except after a backslash and in `[…]`.
    private mutating func constraint() throws(RoutePatternError) -> ParameterConstraint {
        let start = index
        var depth = 0
        var inClass = false
        index += 1
        let textStart = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\") {
                index += 1
            } else if inClass {
                inClass = byte != UInt8(ascii: "]")
            } else if byte == UInt8(ascii: "[") {
                inClass = true
                // A `]` right after `[` or `[^` is a member of the class.
                if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "^") { index += 1 }
                if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "]") { index += 1 }
            } else if byte == UInt8(ascii: "(") {
                depth += 1
            } else if byte == UInt8(ascii: ")") {
                if depth == 0 { break }
                depth -= 1
            }
            index += 1
        }
        guard index < bytes.count else { throw RoutePatternError("\"(\" without \")\"", at: start) }
        let text = Array(bytes[textStart..<index])
        index += 1
        guard !text.isEmpty else { throw RoutePatternError("a constraint is empty", at: start, length: 2) }
        guard text.allSatisfy({ Self.isNameByte($0, first: false) }) else { return .expression(text) }
        let name = String(decoding: text, as: UTF8.self)
        guard let type = ParameterType(rawValue: name) else {
            let known = ParameterType.allCases.map(\.rawValue).joined(separator: ", ")
            let message = "unknown parameter type \"\(name)\""
            let advice = "types are \(known); write ((?:\(name))) for the text \"\(name)\""
            throw RoutePatternError(message, at: textStart, length: text.count, suggestion: advice)
        }
        return .type(type)
    }

    private mutating func name() -> String? {
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            let isDash = byte == UInt8(ascii: "-") && syntax.dashesInNames && index > start
            guard Self.isNameByte(byte, first: index == start) || isDash else { break }
            index += 1
        }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    static func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
        byte.isASCIILetter || byte == UInt8(ascii: "_") || (!first && byte.isASCIIDigit)
    }
}
