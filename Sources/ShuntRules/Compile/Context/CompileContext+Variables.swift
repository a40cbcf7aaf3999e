import ShuntCore

/// The numbers that variables got when they were first mentioned, and the symbols.mentions that nothing has defined yet.
///
/// Definitions may come after their uses, as in nginx, so what a name stands for is settled at the end.
struct SymbolTable {
    /// A part of a word that names a variable.
    struct Mention {
        var word: Word
        var bytes: Range<Int>
        /// The variable of the `map` that mentions it; nil elsewhere.
        var map: String?
    }

    /// The numbers of variables by name in lower case.
    var numbers: [String: VariableIndex] = [:]
    /// The place where each variable that nothing has defined yet was mentioned.
    var mentions: [VariableIndex: [Mention]] = [:]
    /// The variable of the `map` that is compiled.
    var map: String?
    /// True while a template is compiled that is evaluated after an upstream has answered.
    var isAfterAnswer = false
    /// The variables that are read before.
    private var early: Set<String> = []
    /// The variables that maps read, by those of the maps.
    private var mapReads: [String: Set<String>] = [:]

    mutating func noteRead(_ name: String) {
        if let map {
            mapReads[map, default: []].insert(name)
        } else if !isAfterAnswer {
            early.insert(name)
        }
    }

    /// The maps that are read before an upstream has answered.
    var earlyMaps: Set<String> {
        var found = early
        var rest = Array(early)
        while let name = rest.popLast() {
            for read in mapReads[name] ?? [] where found.insert(read).inserted { rest.append(read) }
        }
        return found
    }
}

extension CompileContext {
    /// The number of a variable; what it stands for is settled at the end.
    mutating func variable(_ name: String, mention: SymbolTable.Mention) -> VariableIndex {
        let name = name.lowercased()
        let isLate = symbols.isAfterAnswer && ExternalVariables.ofAnswers.contains(name)
        if let number = symbols.numbers[name] {
            if let count = symbols.mentions[number]?.count, count < Self.mostMentions, !isLate {
                symbols.mentions[number]?.append(mention)
            }
            return number
        }
        let number = tables.variables.append(builtin(name) ?? Variable(name: name))
        symbols.numbers[name] = number
        if tables.variables[number].source == .assigned { symbols.mentions[number] = isLate ? [] : [mention] }
        return number
    }

    mutating func read(_ name: String, mention: SymbolTable.Mention) -> VariableIndex {
        symbols.noteRead(name.lowercased())
        var mention = mention
        mention.map = symbols.map
        return variable(name, mention: mention)
    }

    /// The variable that the engine itself sets; nil for any other.
    mutating func builtin(_ name: String) -> Variable? {
        if let builtin = BuiltinVariable.names[name] {
            return Variable(name: name, source: .builtin, index: builtin.rawValue, isVolatile: builtin.isVolatile)
        }
        let families: [(String, VariableSource, Bool)] = [
            ("http_", .requestHeader, false), ("arg_", .argument, true), ("cookie_", .cookie, false),
            ("sent_http_", .responseHeader, true), ("sent_trailer_", .responseHeader, true),
            ("upstream_http_", .upstreamHeader, true), ("upstream_cookie_", .upstreamHeader, true),
            ("upstream_trailer_", .responseHeader, true),
        ]
        for (prefix, source, isVolatile) in families where name.hasPrefix(prefix) {
            let parameter = constant(Array(name.utf8.dropFirst(prefix.utf8.count)))
            return Variable(name: name, source: source, parameter: parameter, isVolatile: isVolatile)
        }
        return nil
    }

    /// Returns true if a rule set may define the name: everything but what nginx itself computes.
    private static func isDefinable(_ variable: Variable) -> Bool {
        guard variable.source == .builtin else { return variable.source != .argument }
        let own: [BuiltinVariable] = [.url, .port, .time, .timeOfDay, .weekday]
        return own.contains { $0.rawValue == variable.index }
    }

    /// Defines the variable of a `map`, `geo`, `split_clients` or `input`.
    ///
    /// A later definition wins, as in nginx.
    mutating func define(_ word: Word, source variableSource: VariableSource, index: Int32, isVolatile: Bool = false) {
        guard let name = variableName(word) else { return }
        let number = variable(name, mention: SymbolTable.Mention(word: word, bytes: 0..<word.bytes.count))
        symbols.mentions[number] = nil
        let known = tables.variables[number]
        guard Self.isDefinable(known) else {
            let message = "$\(name) is a variable of the request and cannot be defined"
            return error(.duplicateVariable, message, at: word, suggestion: "choose another name")
        }
        if [.map, .geo, .split, .input].contains(known.source) {
            warning(.duplicateVariable, "$\(name) is defined twice; this definition wins", at: word)
        }
        tables.variables[number] = Variable(
            name: known.name,
            source: variableSource,
            index: index,
            isVolatile: isVolatile
        )
    }

    /// Defines the variable of a named group; nil after an error.
    mutating func define(captured name: String, at word: Word) -> VariableIndex? {
        let number = variable(name, mention: SymbolTable.Mention(word: word, bytes: 0..<word.bytes.count))
        symbols.mentions[number] = nil
        guard Self.isDefinable(tables.variables[number]) else {
            let message = "the group name \"\(name)\" is the name of a variable of the request"
            return error(.duplicateVariable, message, at: word, suggestion: "choose another name")
        }
        return number
    }

    /// The variable that `set` assigns; nil after an error.
    mutating func assignable(_ word: Word, inURLPhase: Bool) -> VariableIndex? {
        guard let name = variableName(word) else { return nil }
        let number = variable(name, mention: SymbolTable.Mention(word: word, bytes: 0..<word.bytes.count))
        symbols.mentions[number] = nil
        let known = tables.variables[number]
        guard known.source == .builtin, let builtin = BuiltinVariable(rawValue: known.index) else { return number }
        // nginx has no such variables: a configuration that sets one means its own.
        if [.time, .timeOfDay, .weekday].contains(builtin) {
            tables.variables[number] = Variable(name: known.name)
            return number
        }
        let parts: [BuiltinVariable] =
            inURLPhase
            ? [.url, .scheme, .host, .port, .uri, .arguments] : [.arguments, .limitRate, .url, .port]
        guard parts.contains(builtin) else {
            let hint =
                inURLPhase || ![.scheme, .host, .uri].contains(builtin)
                ? "choose another name" : "change the path with \"rewrite\""
            let message = "$\(name) is a variable of the request and cannot be set"
            return error(.duplicateVariable, message, at: word, suggestion: hint)
        }
        return number
    }

    /// The name in `$name`; nil after an error.
    mutating func variableName(_ word: Word) -> String? {
        guard word.bytes.first == UInt8(ascii: "$"), word.bytes.count > 1 else {
            let advice = "write \"$\(word.text)\""
            return error(.invalidVariableName, "invalid variable name \"\(word.text)\"", at: word, suggestion: advice)
        }
        let name = word.bytes.dropFirst()
        for byte in name where !(byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_")) {
            invalid("variable name", word, as: .invalidVariableName, advice: "a name has letters, digits and _ only")
            return nil
        }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    /// Settles what nothing has defined: variables of nginx that only the caller can know, and errors.
    mutating func resolveVariables() {
        guard !symbols.mentions.isEmpty else { return }
        let known = symbols.numbers.keys.filter { symbols.mentions[symbols.numbers[$0] ?? .none] == nil }
        let candidates = Set(known).union(BuiltinVariable.names.keys).sorted()
        let earlyMaps = symbols.earlyMaps
        for (number, mentions) in symbols.mentions.sorted(by: { $0.key < $1.key }) {
            let name = tables.variables[number].name
            if ExternalVariables.contains(name) {
                tables.variables[number].source = .external
                let isLate = ExternalVariables.ofAnswers.contains(name)
                tables.variables[number].isVolatile = isLate
                let isUnserved = ExternalVariables.unserved.contains(name)
                // A map may be for logs alone, which have their values.
                let mention = mentions.first { mention in
                    !isLate && !isUnserved || mention.map.map(earlyMaps.contains) ?? true
                }
                guard let mention else { continue }
                if isUnserved {
                    let error = source.diagnostic(
                        .error(.notServed),
                        "the gateway does not do \"$\(name)\": it is empty, because bodies are passed on as they come",
                        at: mention.word,
                        suggestion: "to serve without it, use --accept \(name)"
                    )
                    source.unserved.append(UnservedUse(name: name, error: error, goesToUpstream: false))
                }
                let message = "$\(name) is empty unless the caller supplies it"
                warning(.externalVariable, message, at: mention.word, bytes: mention.bytes)
                continue
            }
            // Looking for names takes a while, which is not spent on messages that no one will see.
            let closest = source.isFull ? nil : Suggestion.closest(to: name, among: candidates)
            for mention in mentions {
                let message = "unknown variable \"$\(name)\""
                let advice = closest.map { "did you mean \"$\($0)\"?" } ?? "define it with set, map, geo or input"
                error(.unknownVariable, message, at: mention.word, bytes: mention.bytes, suggestion: advice)
            }
        }
    }

    /// The number of a template that is evaluated after an upstream has answered.
    mutating func templateAfterAnswer(_ word: Word) -> TemplateIndex {
        symbols.isAfterAnswer = true
        defer { symbols.isAfterAnswer = false }
        return template(word)
    }

    /// The most uses of one unknown variable that are reported.
    private static let mostMentions = 20
}
