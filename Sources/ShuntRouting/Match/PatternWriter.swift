import ShuntCore

/// Writes the URL of a pattern with values in the places of its parameters.
struct PatternWriter {
    let values: [String: String]
    let options: RoutingOptions
    private(set) var result: [UInt8] = []
    private(set) var used: Set<String> = []

    /// Writes scheme, host and path of `pattern`.
    mutating func write(_ pattern: RoutePattern) throws(RouteGenerationError) {
        if let scheme = pattern.scheme { result += Array(scheme.utf8) + [UInt8(ascii: ":")] }
        if pattern.scheme != nil || pattern.host != nil { result += Array("//".utf8) }
        if let host = pattern.host { try write(host) }
        let start = result.count
        try write(pattern.elements)
        let isHostComponent = options.host != .host && pattern.scheme != nil
        if isHostComponent, result.count > start, result[start] == UInt8(ascii: "/") {
            // What the pattern has after `//` is the host.
            result.remove(at: start)
        } else if result.count == start {
            if pattern.scheme == nil || pattern.host != nil { result.append(UInt8(ascii: "/")) }
        }
        if pattern.endsWithSlash, options.trailingSlash == .ignored, result.last != UInt8(ascii: "/") {
            result.append(UInt8(ascii: "/"))
        }
        if let query = pattern.query { try write(query: query) }
    }

    private mutating func write(_ host: HostPattern) throws(RouteGenerationError) {
        for (index, label) in host.head.enumerated() {
            if index > 0 { result.append(UInt8(ascii: ".")) }
            switch label {
            case .open(let parameter): try write(hostValue: parameter)
            case .pieces(let pieces):
                for piece in pieces {
                    switch piece {
                    case .literal(let bytes): result += bytes
                    case .parameter(let parameter), .splat(let parameter, _), .components(let parameter):
                        try write(hostValue: parameter)
                    case .anyByte: throw .unnamedParameter
                    }
                }
            }
        }
        result += host.suffix
        if !host.port.isEmpty { result += [UInt8(ascii: ":")] + host.port }
    }

    private mutating func write(hostValue parameter: PatternParameter) throws(RouteGenerationError) {
        let (name, value) = try value(of: parameter)
        let isHost = value.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "_")
        }
        guard !value.isEmpty, isHost else { throw .unfitValue(parameter: name, value: value) }
        result += Array(value.utf8)
    }

    private mutating func write(_ elements: [PatternElement]) throws(RouteGenerationError) {
        for element in elements {
            switch element {
            case .component(let forms):
                guard let form = Self.form(forms, values) else { continue }
                result.append(UInt8(ascii: "/"))
                try write(form)
            case .group(let inner):
                // A group is written when all its parameters have values; one without parameters always is.
                let needed = Self.parameters(of: inner)
                if needed.allSatisfy({ $0.name.map { values[$0] != nil } ?? false }) { try write(inner) }
            case .tail(let pieces): try write(tail: pieces)
            case .fragment: result.append(UInt8(ascii: "#"))
            case .trailingSlash: if result.last != UInt8(ascii: "/") { result.append(UInt8(ascii: "/")) }
            }
        }
    }

    /// The longest form whose parameters all have values, or the first.
    private static func form(_ forms: [[PatternPiece]], _ values: [String: String]) -> [PatternPiece]? {
        forms.first { form in
            form.allSatisfy { piece in
                guard let parameter = piece.parameter, !parameter.isOptional else { return true }
                return parameter.name.map { values[$0] != nil } ?? false
            }
        } ?? forms.last
    }

    /// The parameters of elements that are not in their own groups.
    private static func parameters(of elements: [PatternElement]) -> [PatternParameter] {
        elements.flatMap { element -> [PatternParameter] in
            switch element {
            case .component(let forms): forms.last?.compactMap(\.parameter).filter { !$0.isOptional } ?? []
            case .tail, .group, .fragment, .trailingSlash: []
            }
        }
    }

    private mutating func write(_ pieces: [PatternPiece]) throws(RouteGenerationError) {
        let start = result.count
        for piece in pieces {
            switch piece {
            case .literal(let bytes): URLComponentCoding.append(bytes.span, for: .pathSegment, to: &result)
            case .parameter(let parameter), .splat(let parameter, _), .components(let parameter):
                if parameter.isOptional, parameter.name.map({ values[$0] == nil }) ?? true { continue }
                let (name, value) = try value(of: parameter)
                guard !value.isEmpty || options.emptyComponents == .kept else {
                    throw .unfitValue(parameter: name, value: value)
                }
                try check(parameter, name: name, value: value)
                appendSegment(value)
            case .anyByte: throw .unnamedParameter
            }
        }
        try checkSteps(from: start, pieces)
    }

    private mutating func write(tail pieces: [PatternPiece]) throws(RouteGenerationError) {
        if pieces.isPlainTail, case .splat(let parameter, _)? = pieces.first {
            guard let name = parameter.name, let value = values[name] else { return }
            used.insert(name)
            for component in value.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true) {
                let text = String(decoding: Array(component), as: UTF8.self)
                guard text != ".", text != ".." else { throw .unfitValue(parameter: name, value: value) }
                result.append(UInt8(ascii: "/"))
                appendSegment(text)
            }
            return
        }
        result.append(UInt8(ascii: "/"))
        let start = result.count
        for piece in pieces {
            switch piece {
            case .literal(let bytes): URLComponentCoding.append(bytes.span, for: .path, to: &result)
            case .parameter(let parameter):
                let (name, value) = try value(of: parameter)
                guard !value.isEmpty else { throw .unfitValue(parameter: name, value: value) }
                try check(parameter, name: name, value: value)
                appendSegment(value)
            case .components(let parameter): try write(components: parameter)
            case .splat(let parameter, _):
                let bytes = Array(try value(of: parameter).value.utf8)
                URLComponentCoding.append(bytes.span, for: .path, to: &result)
            case .anyByte: throw .unnamedParameter
            }
        }
        try checkSteps(from: start, pieces)
    }

    /// The components of a wildcard that others follow.
    private mutating func write(components parameter: PatternParameter) throws(RouteGenerationError) {
        let (name, value) = try value(of: parameter)
        let components = value.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
        guard !components.isEmpty else { throw .unfitValue(parameter: name, value: value) }
        for (index, component) in components.enumerated() {
            if index > 0 { result.append(UInt8(ascii: "/")) }
            appendSegment(String(decoding: Array(component), as: UTF8.self))
        }
    }

    /// No component may be a step up or none, which readers of a URL take out, escaped or not.
    private func checkSteps(from start: Int, _ pieces: [PatternPiece]) throws(RouteGenerationError) {
        for component in result[start...].split(separator: UInt8(ascii: "/")) {
            guard component.elementsEqual([UInt8(ascii: ".")]) || component.elementsEqual(Array("..".utf8)) else {
                continue
            }
            let name = pieces.compactMap(\.parameter).first?.name ?? "*"
            throw .unfitValue(parameter: name, value: String(decoding: Array(component), as: UTF8.self))
        }
    }

    /// A query with placeholders that begin with `:` and end at `/`, `?`, `&` or `.`.
    private mutating func write(query: [UInt8]) throws(RouteGenerationError) {
        result.append(UInt8(ascii: "?"))
        var index = 0
        while index < query.count {
            guard let name = Self.name(in: query, at: &index) else {
                result.append(query[index])
                index += 1
                continue
            }
            guard let value = values[name] else { throw .missingParameter(name) }
            used.insert(name)
            URLComponentCoding.append(Array(value.utf8).span, for: .queryValue, to: &result)
        }
    }

    /// The name of the placeholder that begins at `index`, which is moved past it; nil where none begins.
    fileprivate static func name(in query: [UInt8], at index: inout Int) -> String? {
        let start = index + 1
        guard query[index] == UInt8(ascii: ":"), start < query.count,
            PatternScanner.isNameByte(query[start], first: true)
        else { return nil }
        index = start
        while index < query.count, PatternScanner.isNameByte(query[index], first: false) { index += 1 }
        return String(decoding: query[start..<index], as: UTF8.self)
    }

    private mutating func appendSegment(_ value: String) {
        let start = result.count
        URLComponentCoding.append(Array(value.utf8).span, for: .pathSegment, to: &result)
        guard options.plusInPath != .never else { return }
        // A plus would be read as a space.
        let written = Array(result[start...])
        result.removeLast(written.count)
        for byte in written {
            if byte == UInt8(ascii: "+") { result += Array("%2B".utf8) } else { result.append(byte) }
        }
    }

    private mutating func value(of parameter: PatternParameter) throws(RouteGenerationError) -> (
        name: String, value: String
    ) {
        guard let name = parameter.name else { throw .unnamedParameter }
        guard let value = values[name] else { throw .missingParameter(name) }
        used.insert(name)
        return (name, value)
    }

    private func check(_ parameter: PatternParameter, name: String, value: String) throws(RouteGenerationError) {
        if case .type(let type) = parameter.constraint, !type.accepts(Array(value.utf8).span) {
            throw .unfitValue(parameter: name, value: value)
        }
    }
}

extension RoutePattern {
    /// The names of all values that the pattern can hold, in order, those of a query too.
    package var valueNames: [String] {
        var names = parameterNames
        guard let query else { return names }
        var index = 0
        while index < query.count {
            if let name = PatternWriter.name(in: query, at: &index) { names.append(name) } else { index += 1 }
        }
        return names
    }

    /// The URL of the pattern with values in the places of its parameters.
    ///
    /// Each value is encoded for the part of the URL that it is in. A group is written when all its parameters have
    /// values; a group without parameters is always written. Nothing is looked up again; see `RouteTable.generate`.
    ///
    /// - Parameters:
    ///   - values: The values by the names of the parameters; a tail's components are separated by `/`.
    ///   - options: The options that the pattern was read with.
    /// - Returns: The URL, or the path for a pattern without scheme and host.
    /// - Throws: `RouteGenerationError` for a value that is missing, unknown, or does not fit.
    public func generate(
        _ values: [String: String],
        options: RoutingOptions = RoutingOptions()
    ) throws(RouteGenerationError) -> String {
        guard Set(parameterNames).count == parameterNames.count else { throw .unnamedParameter }
        var writer = PatternWriter(values: values, options: options)
        try writer.write(self)
        if !options.ignoresUnknownParameters {
            let known = valueNames
            for name in values.keys.sorted() where !known.contains(name) { throw .unknownParameter(name) }
            // A value of a group that was left out, because another value is missing.
            if let left = values.keys.sorted().first(where: { !writer.used.contains($0) }) {
                let missing = known.first { values[$0] == nil }
                throw missing.map { .missingParameter($0) } ?? .unknownParameter(left)
            }
        }
        return String(decoding: writer.result, as: UTF8.self)
    }

    /// The URL of the pattern with values in the order of its parameters.
    ///
    /// - Parameters:
    ///   - values: One value for each parameter.
    ///   - options: The options that the pattern was read with.
    /// - Returns: The URL.
    /// - Throws: `RouteGenerationError` for a value that is missing, left over, or does not fit.
    public func generate(
        positional values: [String],
        options: RoutingOptions = RoutingOptions()
    ) throws(RouteGenerationError) -> String {
        let names = valueNames
        guard values.count <= names.count else { throw .unknownParameter(String(names.count)) }
        var named: [String: String] = [:]
        for (name, value) in zip(names, values) { named[name] = value }
        return try generate(named, options: options)
    }
}
