import ShuntCore

extension RouteTable {
    /// The URL of a route with values in the places of its parameters.
    ///
    /// Unless `RoutingOptions.verifiesGeneration` is off, the URL is looked up again, so that `match` of the result
    /// returns the same route and the same values.
    ///
    /// - Parameters:
    ///   - name: The name of the route.
    ///   - values: The values by the names of the parameters; a tail's components are separated by `/`.
    ///   - query: Parameters for the query.
    /// - Returns: The URL, or the path for a pattern without scheme and host.
    /// - Throws: `RouteGenerationError` when there is no such route, a value is missing or unknown, or the URL would not
    ///   lead back.
    public func generate(
        route name: String,
        values: [String: String] = [:],
        query: RouteQuery = RouteQuery()
    ) throws(RouteGenerationError) -> String {
        guard let index = names[name] else { throw .unknownRoute(name) }
        let route = routes[index]
        // A URL leaves out a default that its pattern has no place for, and gets it back when it is looked up.
        let places = route.defaults.isEmpty ? [] : Set(route.fullPattern.valueNames)
        let written = values.filter { name, value in places.contains(name) || route.defaults[name] != value }
        let url = try route.fullPattern.generate(written, options: options)
        if options.verifiesGeneration { try verify(url, route: route, values: values) }
        return query.isEmpty ? url : url + Self.encoded(query)
    }

    private func verify(_ url: String, route: Route, values: [String: String]) throws(RouteGenerationError) {
        for match in candidates(for: url, method: route.methods.first) {
            guard match.route.fullPattern == route.fullPattern else { break }
            let isSame = match.parameters.allSatisfy { name, value in
                values[name] == value || (values[name] == nil && (value.isEmpty || match.range(of: name) == nil))
            }
            let known = Set(match.parameterNames)
            if isSame, values.keys.allSatisfy({ known.contains($0) || options.ignoresUnknownParameters }) { return }
            break
        }
        throw .notInvertible(url)
    }

    private static func encoded(_ query: RouteQuery) -> String {
        var bytes: [UInt8] = []
        for item in query.items {
            bytes.append(bytes.isEmpty ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            URLComponentCoding.append(Array(item.name.utf8).span, for: .queryValue, to: &bytes)
            guard let value = item.value else { continue }
            bytes.append(UInt8(ascii: "="))
            URLComponentCoding.append(Array(value.utf8).span, for: .queryValue, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The routes as JSON, in the form that `shunt routes --table` reads: an array of objects with `pattern` (the whole
    /// one, with scheme, host and prefix), `id` (the name, or the pattern of a route without one), where they have them
    /// `method`, `priority`, `fallback`, `defaults` and `parameters`, and `origin`, the place of the declaration.
    ///
    /// - Returns: One line of JSON.
    public func json() -> String {
        let objects = routes.map { route -> JSONObject in
            let defaults = route.defaults.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            let names = route.fullPattern.parameterNames
            return [
                "pattern": route.fullPattern.text,
                "id": route.name ?? route.fullPattern.text,
                "method": route.methods.isEmpty ? nil : route.methods.joined(separator: "|"),
                "priority": route.priority == 0 ? nil : route.priority,
                "fallback": route.isFallback ? true : nil,
                "defaults": defaults.isEmpty ? nil : JSONObject(defaults),
                "parameters": names.isEmpty ? nil : names,
                "origin": route.origin.description,
            ]
        }
        var writer = JSONWriter()
        objects.write(to: &writer)
        return writer.text
    }
}
