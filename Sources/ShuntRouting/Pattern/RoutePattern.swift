import ShuntCore

/// A route pattern, such as `/users/:id(uint)` or `https://:tenant.example.com/items(/:page)`.
///
/// `docs/routes.md` defines the grammar. A pattern is immutable and may be shared between threads.
public struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern as it was given.
    public let text: String
    /// The scheme in small letters; nil where the pattern applies to every scheme.
    public let scheme: String?
    /// The names of the parameters, those of the host first, in the order in which they are.
    public let parameterNames: [String]

    /// The host; nil where the pattern applies to every host, or where the host is a component of the path.
    let host: HostPattern?
    /// The path.
    let elements: [PatternElement]
    /// All parameters in the order of their slots: host, then path.
    let parameters: [PatternParameter]
    /// The text of a query, for syntaxes that generate URLs with one.
    let query: [UInt8]?
    /// True if the pattern is a scheme and nothing else.
    let isBareScheme: Bool
    /// True if the last byte of the path is a slash.
    let endsWithSlash: Bool

    /// The pattern as it was given.
    public var description: String { text }

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - text: The pattern, of at most `RoutingLimits.patternLength` bytes.
    ///   - options: The choices in which pattern languages differ.
    /// - Throws: `RoutePatternError` for the first thing that is wrong.
    /// - Complexity: In proportion to the length.
    public init(_ text: String, options: RoutingOptions = RoutingOptions()) throws(RoutePatternError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= RoutingLimits.patternLength else {
            let message = "a pattern is longer than \(RoutingLimits.patternLength) bytes"
            throw RoutePatternError(message, at: RoutingLimits.patternLength)
        }
        var index = 0
        var scheme: String?
        var host: HostPattern?
        var hasAuthority = false
        if let end = Self.endOfScheme(bytes) {
            scheme = String(decoding: bytes[..<end].map { $0.asciiLowercased }, as: UTF8.self)
            index = end + 1
        }
        if scheme == nil, options.takesEmptyScheme, bytes.starts(with: "://".utf8) { index = 1 }
        if scheme != nil || index == 0 || bytes[0] == UInt8(ascii: ":"),
            bytes[index...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")])
        {
            hasAuthority = true
            index += 2
        }
        isBareScheme = scheme != nil && (index == bytes.count || Array(bytes[index...]) == [UInt8(ascii: "/")])
        if hasAuthority, options.host == .host {
            let end = Self.endOfHost(bytes, from: index)
            if end > index { host = try HostPattern(bytes, in: index..<end, options: options) }
            index = end
        }
        var scanner = PatternScanner(bytes, from: index, options: options)
        let nodes = try scanner.nodes()
        var assembler = PatternAssembler(options: options, endOffset: bytes.count)
        assembler.starSpansSlashes = options.syntax.star == .any
        let elements = try assembler.assemble(nodes)
        if case .slash? = nodes.last { endsWithSlash = true } else { endsWithSlash = false }

        let parameters = (host?.parameters ?? []) + Self.parameters(of: elements)
        guard parameters.count <= RoutingLimits.parameters else {
            throw RoutePatternError("more than \(RoutingLimits.parameters) parameters", at: bytes.count)
        }
        for (index, parameter) in parameters.enumerated().dropFirst() {
            guard let name = parameter.name, parameters[..<index].contains(where: { $0.name == name }) else { continue }
            // Wildcards without names share one, and their values are a list.
            if options.syntax.star == .any, name == options.syntax.starName { continue }
            throw RoutePatternError("two parameters are named \"\(name)\"", at: parameter.offset)
        }
        guard Self.componentCount(elements) <= RoutingLimits.components else {
            throw RoutePatternError("more than \(RoutingLimits.components) components", at: bytes.count)
        }
        self.text = text
        self.scheme = scheme
        self.host = host
        self.elements = elements
        self.parameters = parameters
        self.query = scanner.query
        self.parameterNames = parameters.compactMap(\.name)
    }

    /// The offset of the colon after a scheme that is followed by `//`.
    private static func endOfScheme(_ bytes: [UInt8]) -> Int? {
        guard let colon = RouteSubject.endOfScheme(bytes.span, bytes.count),
            bytes[(colon + 1)...].starts(with: "//".utf8)
        else { return nil }
        return colon
    }

    /// The place where the host ends: at a `/` or `#` outside a constraint, or at a group that begins with `/`.
    private static func endOfHost(_ bytes: [UInt8], from start: Int) -> Int {
        var depth = 0
        for index in start..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "("):
                if depth == 0, index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") { return index }
                depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "/"), UInt8(ascii: "#"): if depth <= 0 { return index }
            default: break
            }
        }
        return bytes.count
    }

    /// The parameters in the order in which they are; one that is in several forms of a component counts once.
    private static func parameters(of elements: [PatternElement]) -> [PatternParameter] {
        var result: [PatternParameter] = []
        func append(_ pieces: [PatternPiece]) {
            for parameter in pieces.compactMap(\.parameter)
            where !result.contains(where: { $0.offset == parameter.offset }) {
                result.append(parameter)
            }
        }
        for element in elements {
            switch element {
            case .component(let forms): for form in forms { append(form) }
            case .tail(let pieces): append(pieces)
            case .group(let inner): result += parameters(of: inner)
            case .fragment, .trailingSlash: break
            }
        }
        return result
    }

    private static func componentCount(_ elements: [PatternElement]) -> Int {
        elements.reduce(0) { count, element in
            if case .group(let inner) = element { return count + componentCount(inner) }
            return count + 1
        }
    }
}
