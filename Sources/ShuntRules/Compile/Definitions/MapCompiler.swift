import ShuntCore
import ShuntPatterns

/// `map`: a value for each key.
struct MapCompiler {
    private var literals = ByteTableBuilder(caseless: true)
    private var hosts = HostTableBuilder()
    private var takesHostNames = false
    private var isVolatile = false
    private var patterns: [ExpressionIndex] = []
    private var patternValues: [TemplateIndex] = []
    private var patternPositions: [SourcePosition] = []
    private var defaultValue = TemplateIndex.none
    private var places = EntryPlaces()
    private static let freedAtOnce = 250_000

    /// `map STRING $NAME { ... }`.
    ///
    /// The entries of the directive are taken out of it, and freed one by one: a map may have a million of them.
    static func define(_ directive: inout CheckedDirective, in context: inout CompileContext) {
        guard directive.arguments.count == 2 else { return }
        context.symbols.map = String(directive.arguments[1].text.dropFirst()).lowercased()
        defer { context.symbols.map = nil }
        let source = context.template(directive.arguments[0])
        var entries = directive.entries
        directive.entries = []
        let lists = entries.filter(isList)
        entries.reverse()
        var compiler = MapCompiler()
        // An entry that is written out wins over one of a list, wherever they are.
        while let entry = entries.popLast() {
            if !isList(entry) { compiler.add(entry, in: &context) }
            if entries.count % freedAtOnce == freedAtOnce - 1 { FreedMemory.giveBackAtOnce() }
        }
        for entry in lists { compiler.addList(entry, in: &context) }
        let map = compiler.map(of: source, at: directive.name.position, in: context)
        context.define(
            directive.arguments[1],
            source: .map,
            index: context.tables.maps.append(map).number,
            isVolatile: compiler.isVolatile
        )
    }

    private func map(of source: TemplateIndex, at position: SourcePosition, in context: CompileContext) -> ValueMap {
        ValueMap(
            source: source,
            literals: literals.build(),
            hosts: takesHostNames ? hosts.build() : nil,
            patterns: context.index(over: patterns),
            patternNumbers: patterns,
            patternValues: patternValues,
            patternPositions: patternPositions,
            places: places,
            defaultValue: defaultValue,
            position: position
        )
    }

    private mutating func add(_ entry: Directive, in context: inout CompileContext) {
        let key = entry.name
        if entry.arguments.isEmpty {
            switch key.text {
            case "hostnames":
                takesHostNames = true
                return
            case "volatile":
                isVolatile = true
                return
            default: break
            }
        }
        guard entry.arguments.count == 1, entry.block == nil else {
            let lines = ([key] + entry.arguments).map(\.position.line)
            if let next = lines.indices.dropFirst(2).first(where: { lines[$0] > lines[$0 - 1] }) {
                let last = entry.arguments[next - 2]
                let message = "the entry \(key.shownText) runs on into the next line"
                let (end, advice) = (context.source.end(of: last), "put \";\" after \(last.shownText)")
                return context.source.report(
                    context.source.diagnostic(.error(.missingSemicolon), message, at: end, suggestion: advice)
                )
            }
            let message = "an entry of a map is a key and a value"
            let advice = entry.arguments.count > 1 ? "quote a key or value that has spaces" : "write: KEY VALUE;"
            return context.error(.invalidMapEntry, message, at: key, suggestion: advice)
        }
        let value = entry.arguments[0]
        if key.text == "default" {
            if !defaultValue.isNone {
                let advice = "remove one of them; a key that is the word itself is written \\default"
                return context.error(.duplicateDefault, "this map has a default already", at: key, suggestion: advice)
            }
            defaultValue = context.template(value)
            places.append(key.position, of: defaultValue)
            return
        }
        if key.bytes.first == UInt8(ascii: "~") { return add(expression: key, value, in: &context) }
        var bytes = key.bytes
        if bytes.first == UInt8(ascii: "\\") { bytes.removeFirst() }
        let number = context.template(value)
        switch insert(bytes, number) {
        case .added: places.append(key.position, of: number)
        case .duplicate(let first):
            context.error(
                .duplicateKey,
                "the key \(key.shownText) is in this map already",
                at: key,
                suggestion: "remove one of them; keys are the same whatever their case",
                notes: note(on: TemplateIndex(first), number, context)
            )
        case .malformed:
            // With host names an empty key, or one that is not a name, is still a literal.
            let isBroken = bytes.contains(UInt8(ascii: "*")) || String(decoding: bytes, as: UTF8.self).contains("..")
            let isAdded = literals.add(bytes.span, value: number.number) == .added
            if isAdded { places.append(key.position, of: number) }
            if !isAdded || isBroken {
                let message = "invalid host name or wildcard \(key.shownText)"
                context.error(.invalidHost, message, at: key, suggestion: HostNamePattern.advice)
            }
        case .full:
            context.error(.tooManyKeys, "this map has too many keys", at: key)
        }
    }

    /// The note that names the first entry of a key, by its value, unless no more messages are kept.
    private func note(on first: TemplateIndex, _ value: TemplateIndex, _ context: CompileContext) -> [Diagnostic] {
        guard !context.source.isFull, places[first].isPlace else { return [] }
        let text = context.tables.constantBytes(of: first)
        let isSame = text != nil && text == context.tables.constantBytes(of: value)
        return [context.note("the first is here, with \(isSame ? "the same" : "another") value", at: places[first])]
    }

    private mutating func insert(_ key: [UInt8], _ value: TemplateIndex) -> TableInsertion {
        takesHostNames ? hosts.add(key.span, value: value.number) : literals.add(key.span, value: value.number)
    }

    private static func isList(_ entry: Directive) -> Bool {
        entry.name.text == "include" && entry.arguments.count == 2
    }

    /// `include FILE VALUE`: the lines of a list as keys, all with one value; a key that is in the map already keeps its own.
    private mutating func addList(_ entry: Directive, in context: inout CompileContext) {
        guard let number = context.list(entry.arguments[0]) else { return }
        let file = context.source.files[Int(number)]
        guard !EntryListCompiler.refusesPage(file, in: &context) else { return }
        let value = context.template(entry.arguments[1])
        let end = context.tables.parts.next
        let lines = EntryReader.lines(of: file)
        if lines.isEmpty {
            let path = entry.arguments[0]
            EntryListCompiler.reportEmpty(
                "\"\(path.text)\" has no keys",
                isMeant: file.mayBeEmptyList,
                at: path,
                in: &context
            )
        }
        var problems: [EntryReader.Problem] = []
        for (line, text) in lines {
            let key = EntryReader.beforeComment(text)
            if let message = Self.mistake(in: key, takesHostNames: takesHostNames) {
                problems.append(EntryReader.Problem(line: line, message: message))
                continue
            }
            let own = context.tables.parts.next
            switch insert(Array(key), own) {
            case .added:
                for part in value.position..<end.position { context.tables.parts.append(context.tables.parts[part]) }
                places.append(SourcePosition(file: number, line: line, column: 1), of: own)
            case .duplicate: break
            case .malformed: context.error(.invalidHost, "line \(line) is not a host name", at: entry.arguments[0])
            case .full: return context.error(.tooManyKeys, "this map has too many keys", at: entry.arguments[0])
            }
        }
        EntryListCompiler.report(problems, of: file, in: &context)
    }

    /// The reason why a line is not a key of a list, as the end of a sentence; nil for a key.
    private static func mistake(in line: ArraySlice<UInt8>, takesHostNames: Bool) -> String? {
        if line.last == UInt8(ascii: ";") { return "is an entry of a map: write only the key" }
        if line.first == UInt8(ascii: "~") { return "is an expression: write it as an entry of the map" }
        return line.starts(with: "*.".utf8) && !takesHostNames
            ? "is a wildcard, which is one only after hostnames" : nil
    }

    private mutating func add(expression key: Word, _ value: Word, in context: inout CompileContext) {
        let isCaseless = key.bytes.count > 1 && key.bytes[1] == UInt8(ascii: "*")
        let offset = isCaseless ? 2 : 1
        let bytes = Array(key.bytes.dropFirst(offset))
        guard let number = context.pattern(bytes, of: key, offset: offset, isCaseless: isCaseless) else { return }
        patterns.append(number)
        patternPositions.append(key.position)
        let template = context.template(value, groups: context.groupCount(of: number))
        patternValues.append(template)
        places.append(key.position, of: template)
    }
}
