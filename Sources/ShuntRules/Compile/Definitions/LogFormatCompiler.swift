import ShuntCore

/// `log_format`: what a line of an access log has.
struct LogFormatCompiler {
    /// The name of the format that there is without a definition.
    static let usual = "combined"

    /// A variable of a format, and where it is.
    struct Mention {
        var name: String
        var word: Word
        var bytes: Range<Int>
    }

    /// The place where the variables of each format are.
    private(set) var mentions: [[Mention]] = []

    /// Reads the formats, whose variables are looked up when all are known.
    mutating func declare(_ directives: [CheckedDirective], in context: inout CompileContext) {
        for directive in directives where directive.keyword == .logFormat {
            guard let name = directive.arguments.first else { continue }
            if name.text == Self.usual || context.tables.logFormats.contains(where: { $0.name == name.text }) {
                let message = "there is a log format \(name.shownText) already"
                context.error(.duplicateLogFormat, message, at: name, suggestion: "choose another name")
                continue
            }
            context.tables.logFormats.append(format(name.text, directive.arguments.dropFirst(), in: &context))
        }
    }

    private mutating func format(
        _ name: String,
        _ words: ArraySlice<Word>,
        in context: inout CompileContext
    ) -> LogLineFormat {
        var format = LogLineFormat(name: name)
        var mentions: [Mention] = []
        var words = words
        if let first = words.first, first.bytes.starts(with: "escape=".utf8) {
            words.removeFirst()
            format.escape = String(first.text.dropFirst(7))
            if !["default", "json", "none"].contains(format.escape) {
                let advice = "write escape=default, escape=json or escape=none"
                context.error(.invalidValue, "unknown escaping \(first.shownText)", at: first, suggestion: advice)
            }
        }
        for word in words {
            for piece in context.pieces(of: word.bytes, word: word) {
                let (name, start, length): (String, Int, Int)
                switch piece {
                case .literal(let bytes):
                    format.text.parts.append(.text(bytes))
                    continue
                case .variable(let variable, let offset, let count): (name, start, length) = (variable, offset, count)
                case .capture(let number, let offset): (name, start, length) = ("\(number)", offset, 2)
                }
                format.text.parts.append(.answer(name.lowercased()))
                mentions.append(Mention(name: name.lowercased(), word: word, bytes: start..<(start + length)))
            }
        }
        self.mentions.append(mentions)
        return format
    }

    /// Adds the format `combined`.
    static func addUsual(in context: inout CompileContext) -> TableIndex<LogLineFormat> {
        var format = LogLineFormat(name: usual)
        for piece in (try? TemplateSyntax.pieces(of: Array(LogLineFormat.combined.utf8))) ?? [] {
            switch piece {
            case .literal(let bytes): format.text.parts.append(.text(bytes))
            case .variable(let name, _, _): format.text.parts.append(.answer(name))
            case .capture: break
            }
        }
        return context.tables.logFormats.append(format)
    }

    // MARK: Variables

    /// Looks up the variables of the formats and conditions that are used, when everything else is compiled.
    func resolve(in context: inout CompileContext) {
        var used: Set<Int> = []
        for list in context.tables.accessLogs.indices {
            for rule in context.tables.accessLogs[list].indices {
                used.insert(context.tables.accessLogs[list][rule].format.position)
                guard case .value(let template) = context.tables.accessLogs[list][rule].condition,
                    let late = lateCondition(template, in: &context)
                else { continue }
                context.tables.accessLogs[list][rule].condition = late
            }
        }
        for number in used.sorted() {
            let mentions = mentions.indices.contains(number) ? mentions[number] : []
            var found = LogText()
            var next = mentions.startIndex
            for part in context.tables.logFormats[number].text.parts {
                guard case .answer(let name) = part else {
                    found.parts.append(part)
                    continue
                }
                let mention = next < mentions.endIndex ? mentions[next] : nil
                next += 1
                add(name, to: &found, mention, in: &context)
            }
            context.tables.logFormats[number].text = found
        }
    }

    private func add(_ name: String, to text: inout LogText, _ mention: Mention?, in context: inout CompileContext) {
        if AnswerVariables.contains(name) {
            text.parts.append(.answer(name))
        } else if let variable = variable(name, in: &context) {
            text.parts.append(part(of: variable, &text, in: context))
        } else if let mention {
            let known = AnswerVariables.names.union(BuiltinVariable.names.keys).union(context.symbols.numbers.keys)
            let closest = Suggestion.closest(to: name, among: known.sorted())
            let message = "$\(name) has no value in an access log"
            let advice = closest.map { "did you mean \"$\($0)\"?" }
            context.warning(.unloggedVariable, message, at: mention.word, bytes: mention.bytes, suggestion: advice)
        }
    }

    /// A variable that has its value when a request is decided; nil where no one knows it.
    private func variable(_ name: String, in context: inout CompileContext) -> VariableIndex? {
        if let number = context.symbols.numbers[name] {
            return context.symbols.mentions[number] == nil || name.hasPrefix("proxy_protocol_") ? number : nil
        }
        guard let variable = context.builtin(name) ?? preface(name) else { return nil }
        let number = context.tables.variables.append(variable)
        context.tables.variables[number].isOnlyLogged = true
        context.symbols.numbers[name] = number
        return number
    }

    /// Returns a variable of the preface of a connection, which the server supplies.
    private func preface(_ name: String) -> Variable? {
        let names = ["addr", "port", "server_addr", "server_port"].map { "proxy_protocol_\($0)" }
        return names.contains(name) ? Variable(name: name, source: .external) : nil
    }

    // MARK: Values of the answer

    /// The condition whose value is known when the request is answered; nil where it is known before.
    private func lateCondition(_ template: TemplateIndex, in context: inout CompileContext) -> AccessLogRule.Condition?
    {
        var seen: Set<Int32> = []
        guard Self.isLate(template, in: context.tables, &seen) else { return nil }
        var text = LogText()
        text.parts = parts(of: template, &text, in: context)
        return .text(text)
    }

    /// The parts of a template that has no groups.
    private func parts(
        of template: TemplateIndex,
        _ text: inout LogText,
        in context: borrowing CompileContext
    ) -> [LogText.Part] {
        var parts: [LogText.Part] = []
        for piece in context.tables.parts(of: template) {
            switch piece.kind {
            case .literal:
                parts.append(.text(Array(context.tables.bytes(of: piece))))
            case .capture: break
            case .variable: parts.append(part(of: piece.variable, &text, in: context))
            }
        }
        return parts
    }

    private func part(
        of variable: VariableIndex,
        _ text: inout LogText,
        in context: borrowing CompileContext
    ) -> LogText.Part {
        let known = context.tables.variables[variable]
        var seen: Set<Int32> = []
        guard Self.isLate(variable, in: context.tables, &seen),
            known.source != .map || text.maps.count < Self.mapLimit
        else {
            text.variables.append(variable)
            return .value(text.variables.count - 1, known.name)
        }
        guard known.source == .map else { return .answer(known.name) }
        let map = TableIndex<ValueMap>(known.index)
        // Before those of its source, which count towards the limit: maps may read each other in a circle.
        let number = text.maps.count
        text.maps.append(map)
        return .map(number, parts(of: context.tables.maps[map].source, &text, in: context))
    }

    /// The most maps that one text looks up when a request is answered.
    private static let mapLimit = 64
    /// The longest chain of maps that is followed.
    private static let depthLimit = 16

    /// Returns true if a template reads the answer and has no groups.
    ///
    /// `depth` is the number of maps that led there; false also for what the maps in `seen`, read before, read.
    private static func isLate(
        _ template: TemplateIndex,
        in tables: ProgramTables,
        depth: Int = 0,
        _ seen: inout Set<Int32>
    ) -> Bool {
        let pieces = tables.parts(of: template)
        guard depth < depthLimit, !pieces.contains(where: { $0.kind == .capture }) else { return false }
        for piece in pieces where piece.kind == .variable {
            if isLate(piece.variable, in: tables, depth: depth, &seen) { return true }
        }
        return false
    }

    private static func isLate(
        _ variable: VariableIndex,
        in tables: ProgramTables,
        depth: Int = 0,
        _ seen: inout Set<Int32>
    ) -> Bool {
        let known = tables.variables[variable]
        guard known.source == .map else {
            return AnswerVariables.contains(known.name) && !known.name.hasPrefix("http_") && known.name != "remote_user"
        }
        guard seen.insert(Int32(known.index)).inserted else { return false }
        return isLate(tables.maps[TableIndex<ValueMap>(known.index)].source, in: tables, depth: depth + 1, &seen)
    }
}
