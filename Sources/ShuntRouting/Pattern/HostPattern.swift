import ShuntCore

/// The host of a pattern: an exact name, or labels with parameters before an exact rest.
struct HostPattern: Sendable, Hashable {
    /// One label before the exact rest.
    enum Label: Sendable, Hashable {
        /// One or more labels.
        case open(PatternParameter)
        case pieces([PatternPiece])
    }

    /// The labels up to the last one with a parameter; empty for an exact name.
    var head: [Label] = []
    /// The text after `head`, in small letters: the whole name, or nothing, or `.` and the other labels.
    var suffix: [UInt8] = []
    /// The port, in digits; empty for any.
    var port: [UInt8] = []

    var isAny: Bool { head.isEmpty && suffix.isEmpty && port.isEmpty }

    /// The parameters, from the left.
    var parameters: [PatternParameter] {
        head.flatMap { label in
            switch label {
            case .open(let parameter): [parameter]
            case .pieces(let pieces): pieces.compactMap(\.parameter)
            }
        }
    }

    init(_ bytes: [UInt8], in range: Range<Int>, options: RoutingOptions) throws(RoutePatternError) {
        var end = range.upperBound
        if let colon = bytes[range].lastIndex(of: UInt8(ascii: ":")), colon + 1 < end,
            bytes[(colon + 1)..<end].allSatisfy({ $0.isASCIIDigit })
        {
            port = Array(bytes[(colon + 1)..<end])
            end = colon
        }
        var scanner = PatternScanner(Array(bytes[..<end]), from: range.lowerBound, options: options)
        let labels = try Self.labels(of: try scanner.nodes())
        let lastOpen = labels.lastIndex { label in
            if case .pieces(let pieces) = label, pieces.count == 1, case .literal = pieces[0] { return false }
            return true
        }
        if let lastOpen { head = Array(labels[...lastOpen]) }
        for (index, label) in labels.enumerated().dropFirst(head.count) {
            if index > 0 { suffix.append(UInt8(ascii: ".")) }
            if case .pieces(let pieces) = label, case .literal(let text)? = pieces.first { suffix += text }
        }
        for (index, label) in head.enumerated() {
            if case .open(let parameter) = label, index > 0 {
                throw RoutePatternError("\"*\" must be the first label of a host", at: parameter.offset)
            }
        }
    }

    private static func labels(of nodes: [PatternToken]) throws(RoutePatternError) -> [Label] {
        var labels: [Label] = []
        var pieces: [PatternPiece] = []
        var isOpen: PatternParameter?
        func close(at offset: Int) throws(RoutePatternError) {
            if let parameter = isOpen {
                guard pieces.isEmpty else {
                    throw RoutePatternError("\"*\" must be a whole label of a host", at: parameter.offset)
                }
                labels.append(.open(parameter))
            } else {
                guard !pieces.isEmpty else { throw RoutePatternError("empty label in a host", at: offset) }
                labels.append(.pieces(pieces))
            }
            pieces = []
            isOpen = nil
        }
        var lastOffset = 0
        for node in nodes {
            lastOffset = node.offset
            switch node {
            case .text(let bytes, let offset):
                let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                for (index, part) in parts.enumerated() {
                    if index > 0 { try close(at: offset) }
                    if !part.isEmpty { pieces.append(.literal(part.map { $0.asciiLowercased })) }
                }
            case .parameter(var parameter):
                guard !parameter.isOptional else {
                    throw RoutePatternError("a host has no optional parts", at: parameter.offset)
                }
                parameter.isOptional = false
                pieces.append(.parameter(parameter))
            case .star(let parameter, _, _): isOpen = parameter
            default: throw RoutePatternError("this is not allowed in a host", at: node.offset)
            }
        }
        try close(at: lastOffset)
        return labels
    }
}
