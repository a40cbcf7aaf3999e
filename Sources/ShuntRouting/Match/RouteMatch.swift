public import ShuntCore

/// A URL that matched a route, with its values of the route's parameters.
///
/// Values are kept as ranges of the URL and decoded when they are asked for. What came from the path, what came from the
/// query, and what a caller adds are never mixed, unless `combinedParameters` is asked for.
public struct RouteMatch: Sendable, Hashable {
    /// The route.
    public let route: Route
    /// The bytes of the URL.
    public let urlBytes: [UInt8]
    /// The place where the parts of the URL are.
    public let parts: RouteSubject

    let lookup: RouteLookup
    /// The methods that were looked up.
    let methods: RouteMethodSet
    let values: [ByteRange]
    let tailSlots: TailSlots
    let options: RoutingOptions
    let pathStart: Int

    /// The URL.
    public var url: String { String(decoding: urlBytes, as: UTF8.self) }

    /// The names of the parameters that have a value, in the order of `parameters`.
    public var parameterNames: [String] { parameters.map(\.name) }

    /// The parameters that have a value, decoded, in the order of the pattern; then the defaults of the route for names
    /// that have none, by name.
    public var parameters: [(name: String, value: String)] {
        let captured = capturedParameters
        if route.defaults.isEmpty { return captured }
        return captured + unusedDefaults(names: Set(captured.map(\.name)))
    }

    /// The parameters for which the URL has a value, decoded, in the order of the pattern.
    public var capturedParameters: [(name: String, value: String)] {
        route.fullPattern.parameters.enumerated()
            .compactMap { slot, parameter in
                guard let name = parameter.name, let range = range(slot) else { return nil }
                return (name, text(range))
            }
    }

    /// The decoded value of a parameter, or its default; nil when it has neither.
    public subscript(_ name: String) -> String? { range(of: name).map { text($0) } ?? route.defaults[name] }

    /// The decoded values of all parameters of a name, in order.
    ///
    /// Only wildcards without a name in the pattern share one, as `splat` with the options of react-router 3.
    public func values(of name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

    /// The place where the value of a parameter is in the URL; of several with one name the first.
    ///
    /// - Parameter name: The name of the parameter.
    /// - Returns: The bytes from the URL, not decoded; nil if the URL has no value for the parameter.
    public func range(of name: String) -> ByteRange? { slot(of: name).flatMap { range($0) } }

    /// The decoded bytes of a parameter, or its default.
    ///
    /// - Parameter name: The name of the parameter.
    /// - Returns: The bytes; nil when the parameter has no value. They need not be UTF-8.
    public func bytes(of name: String) -> [UInt8]? {
        range(of: name).map { URLBytes.decoded($0, of: urlBytes, plus: options.plusInPath) }
            ?? route.defaults[name].map { Array($0.utf8) }
    }

    /// The value of a parameter as another type.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - type: A type that can be read from text, such as `Int`.
    /// - Returns: The value; nil when there is none or it cannot be read.
    public func value<Value: LosslessStringConvertible>(_ name: String, as type: Value.Type) -> Value? {
        self[name].flatMap { Value($0) }
    }

    /// The part of the path that a tail such as `*rest` took, decoded; nil for a pattern without a tail.
    public var wildcard: String? { tailSlots.tail.flatMap { range($0) }.map { text($0) } }

    /// The components that a tail took, each decoded separately, so that an escaped `/` stays within one.
    public var wildcardComponents: [String]? {
        guard let range = tailSlots.tail.flatMap({ range($0) }) else { return nil }
        return components(of: range)
    }

    /// The rest of the path after the pattern, from its `/` on, not decoded; nil if patterns match whole paths.
    public var remainder: String? {
        guard let slot = tailSlots.remainder, let range = range(slot) else { return nil }
        let start = Int(range.start)
        let hasSlash = start > pathStart && start <= urlBytes.count && urlBytes[start - 1] == UInt8(ascii: "/")
        return raw(ByteRange(hasSlash ? start - 1 : start, Int(range.end)))
    }

    /// The path before the tail, without a slash at its end unless it is `/`, not decoded; the whole path for a pattern
    /// without a tail.
    public var base: String {
        guard let slot = tailSlots.tail ?? tailSlots.remainder, let range = range(slot) else { return raw(parts.path) }
        var end = Int(range.start)
        while end > pathStart + 1, end <= urlBytes.count, urlBytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
        return raw(ByteRange(pathStart, end))
    }

    /// The query, decoded.
    public var query: RouteQuery {
        var query = parts.query.map { read($0) } ?? RouteQuery()
        guard let fragment = parts.fragment else { return query }
        let isRouted =
            options.routesFragment && (fragment.isEmpty || urlBytes[Int(fragment.start)] == UInt8(ascii: "/"))
        if isRouted {
            if let mark = fragment.indices.first(where: { urlBytes[$0] == UInt8(ascii: "?") }) {
                query.append(read(ByteRange(mark + 1, Int(fragment.end))))
            }
        } else if options.fragmentParameters == .replaceQuery {
            let parameters = read(fragment)
            // A fragment without any `=` is an anchor, not parameters.
            if parameters.items.contains(where: { $0.value != nil }) { query.replace(with: parameters) }
        }
        return query
    }

    /// The values of path and query under one name each, as the routers did that Shunt descends from.
    ///
    /// A name that both have takes its values from one of them, by `RoutingOptions.precedence`; a default is taken
    /// where neither has the name. The names are those of the URL, so treat them as input.
    public var combinedParameters: [String: [String?]] {
        var result: [String: [String?]] = [:]
        let query = query
        for name in query.names { result[name] = query.values(of: name) }
        var captured: [String: [String?]] = [:]
        for (name, value) in capturedParameters { captured[name, default: []].append(value) }
        for (name, values) in captured where options.precedence == .path || result[name] == nil {
            result[name] = values
        }
        for (name, value) in route.defaults where result[name] == nil { result[name] = [value] }
        return result
    }

    /// The defaults of the route for other names than these, by name.
    package func unusedDefaults(names: Set<String>) -> [(name: String, value: String)] {
        route.defaults.filter { !names.contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { (name: $0.key, value: $0.value) }
    }

    private func slot(of name: String) -> Int? { route.fullPattern.parameters.firstIndex { $0.name == name } }

    private func range(_ slot: Int) -> ByteRange? {
        guard slot < values.count, values[slot].start >= 0 else { return nil }
        return values[slot]
    }

    private func text(_ range: ByteRange) -> String {
        String(decoding: URLBytes.decoded(range, of: urlBytes, plus: options.plusInPath), as: UTF8.self)
    }

    private func raw(_ range: ByteRange) -> String { String(decoding: urlBytes[range.indices], as: UTF8.self) }

    private func components(of range: ByteRange) -> [String] {
        var result: [String] = []
        var start = Int(range.start)
        for index in Int(range.start)...Int(range.end)
        where index == Int(range.end) || urlBytes[index] == UInt8(ascii: "/") {
            if index > start { result.append(text(ByteRange(start, index))) }
            start = index + 1
        }
        return result
    }

    private func read(_ range: ByteRange) -> RouteQuery {
        RouteQuery(range, of: urlBytes, plus: options.plusInQuery, keepsValueless: options.keepsValuelessQueryItems)
    }
}

extension RouteMatch {
    /// Returns true if both are matches of one route with the same values in the same URL.
    public static func == (first: RouteMatch, second: RouteMatch) -> Bool {
        first.route.id == second.route.id && first.urlBytes == second.urlBytes && first.parts == second.parts
            && first.values == second.values
    }

    /// Hashes the route and the URL.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(route.id)
        hasher.combine(urlBytes)
    }
}

extension RouteTable {
    /// The match for what a lookup found, with copies of the URL and of the values.
    ///
    /// - Parameters:
    ///   - lookup: What the lookup returned; it must be a match of this table.
    ///   - url: The bytes of the URL that was looked up.
    ///   - parts: Where its parts are.
    ///   - method: The method that was looked up.
    ///   - scratch: The scratch of the lookup, unchanged since.
    /// - Returns: The match; nil when the lookup found none.
    public func match(
        _ lookup: RouteLookup,
        url: [UInt8],
        parts: RouteSubject,
        method: RouteMethodSet = .any,
        scratch: RouteScratch
    ) -> RouteMatch? {
        match(lookup, url: url, parts: parts, method: method, values: scratch.allValues)
    }

    /// The same for values that were taken out of the scratch; one that is missing begins below 0.
    package func match(
        _ lookup: RouteLookup,
        url: [UInt8],
        parts: RouteSubject,
        method: RouteMethodSet,
        values: [ByteRange]
    ) -> RouteMatch? {
        guard lookup.isMatch, lookup.index >= 0, Int(lookup.index) < routes.count else { return nil }
        let index = Int(lookup.index)
        return RouteMatch(
            route: routes[index],
            urlBytes: url,
            parts: parts,
            lookup: lookup,
            methods: method,
            values: values,
            tailSlots: tailSlots[index],
            options: options,
            pathStart: request(url.span, parts).start
        )
    }
}
