import ShuntCore
import ShuntPatterns

/// Interpolated strings and regular expressions.
extension CompileContext {
    /// Compiles the string of a word; after an error the empty string.
    ///
    /// `groups` is how many groups the expression has whose captures the string may use; nil when that is not known.
    mutating func template(_ word: Word, groups: Int? = nil) -> TemplateIndex {
        template(word.bytes, of: word, groups: groups)
    }

    /// Compiles a part of a word's string that begins at `offset` of it.
    mutating func template(_ bytes: [UInt8], of word: Word, offset: Int = 0, groups: Int? = nil) -> TemplateIndex {
        template(pieces(of: bytes, word: word, offset: offset), of: word, offset: offset, groups: groups)
    }

    /// The pieces of a string, what is wrong with it reported.
    mutating func pieces(of bytes: [UInt8], word: Word, offset: Int = 0) -> [TemplatePiece] {
        do throws(TemplateProblem) {
            return try TemplateSyntax.pieces(of: bytes)
        } catch {
            let start = offset + error.offset
            let advice = error.message.contains("bracket") ? "write ${NAME}" : "remove the \"$\", or name a variable"
            self.error(error.code, error.message, at: word, bytes: start..<(start + error.length), suggestion: advice)
            return []
        }
    }

    mutating func template(_ pieces: [TemplatePiece], of word: Word, offset: Int = 0, groups: Int? = nil)
        -> TemplateIndex
    {
        let start = tables.parts.next
        for piece in pieces {
            switch piece {
            case .literal(let bytes):
                let range = constant(bytes)
                tables.parts.append(TemplatePart(.literal, range.start, range.end))
            case .variable(let name, let position, let length):
                let mention = SymbolTable.Mention(word: word, bytes: (offset + position)..<(offset + position + length))
                tables.parts.append(TemplatePart(.variable, read(name, mention: mention).number))
            case .capture(let number, let position):
                tables.parts.append(TemplatePart(.capture, Int32(number)))
                if let groups, number > groups {
                    let message = "the expression has no group \(number), so $\(number) is always empty"
                    warning(.missingCapture, message, at: word, bytes: (offset + position)..<(offset + position + 2))
                }
            }
        }
        if pieces.isEmpty { tables.parts.append(TemplatePart(.literal, 0)) }
        tables.parts[tables.parts.count - 1].isLast = true
        tables.parts[start].hasVariables = tables.parts[start.position...].contains { $0.kind == .variable }
        return start
    }

    /// A string that stands for itself, whatever is in it.
    mutating func template(literal bytes: [UInt8]) -> TemplateIndex {
        let range = constant(bytes)
        var part = TemplatePart(.literal, range.start, range.end)
        part.isLast = true
        part.hasVariables = false
        return tables.parts.append(part)
    }

    /// Compiles a regular expression, or finds the one compiled already; nil after an error.
    mutating func pattern(_ bytes: [UInt8], of word: Word, offset: Int = 0, isCaseless: Bool = false)
        -> ExpressionIndex?
    {
        var hasher = Hasher()
        hasher.combine(ByteKey(bytes))
        hasher.combine(isCaseless)
        let hash = hasher.finalize()
        if let known = patternNumbers[hash] {
            // One of two patterns with one hash, which hardly ever happens, is compiled wherever it is.
            let pattern = tables.patterns[known]
            if pattern.caseless == isCaseless, pattern.pattern == bytes { return known }
        }
        guard let expression = expression(bytes, of: word, offset: offset, isCaseless: isCaseless) else { return nil }
        var named: [NamedCapture] = []
        for (name, number) in expression.captureNames {
            let text = String(decoding: name, as: UTF8.self)
            guard let variable = define(captured: text, at: word) else { continue }
            named.append(NamedCapture(group: Int32(number), variable: variable))
        }
        let number = tables.patterns.append(expression)
        tables.patternVariables.append(named)
        patternNumbers[hash] = number
        return number
    }

    /// Reads a regular expression, of a whole text if `isWhole`, and warns of one that may be slow; nil after an error.
    mutating func expression(
        _ bytes: [UInt8],
        of word: Word,
        offset: Int = 0,
        isCaseless: Bool = false,
        isWhole: Bool = false
    ) -> RegularExpression? {
        do throws(PatternError) {
            var expression = try RegularExpression(bytes, caseless: isCaseless)
            if isWhole {
                let whole = Array("\\A(?:".utf8) + bytes + Array(")\\z".utf8)
                expression = try RegularExpression(whole, caseless: isCaseless)
            }
            if let slowness = expression.slowness {
                let message = "the expression may reach the limit of steps on a long text: \(slowness)"
                let advice =
                    "such a request fails with 500; let what follows a repetition begin with what it cannot match"
                warning(.slowRegex, message, at: word, suggestion: advice)
            }
            return expression
        } catch {
            let start = min(offset + error.offset, max(0, word.bytes.count - 1))
            let message = "invalid regular expression: \(error.message)"
            let advice = PatternAdvice.on(error.message)
            return self.error(.invalidRegex, message, at: word, bytes: start..<(start + 1), suggestion: advice)
        }
    }

    func groupCount(of pattern: ExpressionIndex) -> Int { tables.patterns[pattern].captureCount }

    func index(over patterns: [ExpressionIndex]) -> PatternIndex {
        PatternIndex(patterns.map { tables.patterns[$0] })
    }
}
