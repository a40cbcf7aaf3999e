import ShuntRouting
import Testing

@Suite("Ancestors")
struct AncestorTests {
    @Test("JLRoutes", arguments: AncestorTable.tables(AncestorCases.jlroutes, preset: .jlroutes))
    func jlroutes(_ table: AncestorTable) throws { try check(table) }

    @Test("HHRouter", arguments: AncestorTable.tables(AncestorCases.hhrouter, preset: .hhrouter))
    func hhrouter(_ table: AncestorTable) throws { try check(table) }

    @Test("MGJRouter", arguments: AncestorTable.tables(AncestorCases.mgjrouter, preset: .mgjrouter))
    func mgjrouter(_ table: AncestorTable) throws { try check(table) }

    @Test("routable", arguments: AncestorTable.tables(AncestorCases.routable, preset: .routable))
    func routable(_ table: AncestorTable) throws { try check(table) }

    @Test("ZIKRouter", arguments: AncestorTable.tables(AncestorCases.zikrouter, preset: .zikrouter))
    func zikrouter(_ table: AncestorTable) throws { try check(table) }

    @Test("react-router", arguments: AncestorTable.tables(AncestorCases.reactRouter, preset: .reactRouter))
    func reactRouter(_ table: AncestorTable) throws { try check(table) }

    @Test("react-router 3", arguments: AncestorTable.tables(AncestorCases.reactRouterV3, preset: .reactRouterV3))
    func reactRouterV3(_ table: AncestorTable) throws { try check(table) }

    private func check(_ declared: AncestorTable) throws {
        if declared.questions.contains(where: { $0.expected == "!ambiguous" }) {
            #expect(throws: RouteTableError.self) { try declared.build() }
            return
        }
        if declared.questions.contains(where: { $0.kind == "G" }) {
            for question in declared.questions { try checkGeneration(question, declared) }
            return
        }
        let table = try declared.build()
        for question in declared.questions {
            let match = match(question.input, declared, table)
            let found = match?.route.displayName ?? "nothing"
            #expect(found == question.expected, "\(question.id) \(question.input)")
            if let match, found == question.expected { checkValues(match, question) }
            #expect(table.canRoute(question.input) || match == nil, "\(question.id)")
        }
    }

    /// The first match whose handler would accept it.
    private func match(_ url: String, _ declared: AncestorTable, _ table: RouteTable) -> RouteMatch? {
        for match in table.candidates(for: url) {
            let route = declared.routes[Int(match.route.id.rawValue)]
            guard let accept = route.accept else { return match }
            if match[accept.name] == accept.value { return match }
        }
        return nil
    }

    private func checkValues(_ match: RouteMatch, _ question: AncestorTable.Question) {
        var combined = match.combinedParameters
        var expected: [String: [String?]] = [:]
        for value in question.values {
            if value.hasPrefix("*=") {
                let components = value == "*=" ? [] : value.dropFirst(2).split(separator: "/").map(String.init)
                if match.parameterNames.contains("*") {
                    expected["*"] = [String(value.dropFirst(2))]
                } else {
                    #expect(match.wildcardComponents == components, "\(question.id)")
                }
            } else if value.hasPrefix("remaining:") {
                #expect(match.remainder == String(value.dropFirst(10)), "\(question.id)")
            } else if value.hasPrefix("base:") {
                #expect(match.base == String(value.dropFirst(5)), "\(question.id)")
            } else if value.hasPrefix("-") {
                #expect(match[String(value.dropFirst())] == nil, "\(question.id)")
            } else if value.hasPrefix("^") {
                combined[String(value.dropFirst())] = nil
            } else if value == "route=\(question.input)" || value.hasPrefix("route=/") {
                // HHRouter puts the URL among the parameters; Shunt keeps it apart.
                #expect(match.url.hasSuffix(value.dropFirst(6)), "\(question.id)")
            } else {
                let (name, text) = cut(value, at: "=")
                let plain = text.split(separator: "\\n", omittingEmptySubsequences: false).joined(separator: "\n")
                expected[name, default: []].append(value.contains("=") ? plain : nil)
            }
        }
        if question.kind == "=" {
            #expect(combined == expected, "\(question.id)")
        } else {
            for (name, values) in expected { #expect(combined[name] == values, "\(question.id) \(name)") }
        }
    }

    private func checkGeneration(_ question: AncestorTable.Question, _ declared: AncestorTable) throws {
        let pattern = try RoutePattern(declared.routes[0].pattern, options: declared.options)
        let values = question.input.isEmpty ? [] : split(question.input, by: "; ")
        let result = Result { () throws(RouteGenerationError) in
            guard declared.options.precedence != .query else {
                return try pattern.generate(positional: values, options: declared.options)
            }
            var named: [String: String] = [:]
            for value in values {
                let (name, text) = cut(value, at: "=")
                named[name] = text
            }
            return try pattern.generate(named, options: declared.options)
        }
        switch result {
        case .success(let url): #expect(url == question.expected, "\(question.id)")
        case .failure(let error): #expect(question.expected == "!", "\(question.id): \(error)")
        }
    }
}

@Suite("The tables of the ancestors")
struct AncestorCountTests {
    @Test("no case got lost")
    func count() {
        let texts: [(String, RoutingOptions)] = [
            (AncestorCases.jlroutes, .jlroutes), (AncestorCases.hhrouter, .hhrouter),
            (AncestorCases.mgjrouter, .mgjrouter), (AncestorCases.routable, .routable),
            (AncestorCases.zikrouter, .zikrouter), (AncestorCases.reactRouter, .reactRouter),
            (AncestorCases.reactRouterV3, .reactRouterV3),
        ]
        let questions = texts.flatMap { AncestorTable.tables($0, preset: $1).flatMap(\.questions) }
        #expect(questions.count == 294)
        #expect(Set(questions.map(\.id)).count == 294)
    }

    @Test("every preset has a name")
    func presetNames() {
        #expect(RoutingOptions.presetNames == RoutingOptions.presetNames.sorted())
        for name in RoutingOptions.presetNames { #expect(RoutingOptions.preset(named: name) != nil, "\(name)") }
        #expect(RoutingOptions.preset(named: "JLRoutes") == nil)
    }
}
