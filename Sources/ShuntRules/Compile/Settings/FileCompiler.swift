import ShuntCore
import ShuntPatterns

/// The place where files are and what they are called: `root`, `index`, `try_files`, `types`.
enum FileCompiler {
    /// A root, absolute or relative to the directory of the rules.
    static func root(_ word: Word, dropsSlash: Bool, in context: inout CompileContext) -> TemplateIndex {
        var bytes = word.bytes
        if dropsSlash, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        for name in ["document_root", "realpath_root"]
        where word.text.contains("$\(name)") || word.text.contains("${\(name)}") {
            let message = "$\(name) cannot be used in \"root\" and \"alias\""
            context.error(.recursiveRoot, message, at: word, suggestion: "it is what they set")
            return context.template([UInt8](), of: word)
        }
        let first = bytes.first
        guard first != UInt8(ascii: "/"), first != UInt8(ascii: "$"), !context.directory.isEmpty else {
            return context.template(bytes, of: word)
        }
        let prefix = TemplatePiece.literal(Array((context.directory + "/").utf8))
        return context.template([prefix] + context.pieces(of: bytes, word: word), of: word)
    }

    /// `if_modified_since`, `max_ranges` or `disable_symlinks`.
    static func set(
        _ keyword: Keyword,
        directive: CheckedDirective,
        in settings: inout Settings,
        context: inout CompileContext
    ) {
        guard let word = directive.arguments.first else { return }
        switch (keyword, word.text) {
        case (.ifModifiedSince, "off"): settings.modified = .off
        case (.ifModifiedSince, "exact"): settings.modified = .exact
        case (.ifModifiedSince, "before"): settings.modified = .before
        case (.disableSymlinks, "off"): settings.links = .any
        case (.disableSymlinks, "on"), (.disableSymlinks, "if_not_owner"):
            settings.links = word.text == "on" ? .none : .ofOwner
            settings.linksStart = .none
            guard directive.arguments.count > 1 else { return }
            let start = directive.arguments[1]
            guard start.bytes.starts(with: "from=".utf8), start.bytes.count > 5 else {
                return context.error(.invalidParameter, "invalid parameter \(start.shownText)", at: start)
            }
            settings.linksStart = context.template(Array(start.bytes.dropFirst(5)), of: start)
        default:
            if keyword == .maxRanges, let count = word.bytes.decimalNumber {
                settings.maximumRanges = Int32(clamping: count)
                return
            }
            context.error(.invalidValue, "invalid value \(word.shownText)", at: word)
        }
    }

    static func indexNames(_ directive: CheckedDirective, in context: inout CompileContext) -> [TemplateIndex] {
        for (index, word) in directive.arguments.enumerated() {
            if word.bytes.isEmpty {
                context.error(.invalidIndex, "an index needs a name", at: word, suggestion: "remove the \"\"")
            } else if word.bytes.first == UInt8(ascii: "/"), index + 1 < directive.arguments.count {
                let message = "no index after the absolute \(word.shownText) is ever used"
                context.warning(.absoluteIndex, message, at: word, suggestion: "put it last")
            }
        }
        return directive.arguments.map { context.template($0) }
    }

    static func tryFiles(_ directive: CheckedDirective, in context: inout CompileContext) -> TableIndex<TryFiles> {
        var words = directive.arguments
        guard words.count >= 2 else { return .none }
        let last = words.removeLast()
        let candidates = words.map { word in
            let isDirectory = word.bytes.last == UInt8(ascii: "/")
            let bytes = isDirectory ? Array(word.bytes.dropLast()) : word.bytes
            return TryFiles.Candidate(name: context.template(bytes, of: word), isDirectory: isDirectory)
        }
        var code: Int32 = 0
        var fallback = TemplateIndex.none
        if last.bytes.first == UInt8(ascii: "=") {
            if let number = last.bytes.dropFirst().decimalNumber, number <= 999 {
                code = Int32(number)
            } else {
                context.invalid("code", last, as: .invalidCode, advice: "write = and a status up to 999, such as =404")
            }
        } else {
            fallback = context.template(last)
        }
        return context.tables.tryFiles.append(
            TryFiles(candidates: candidates, fallback: fallback, code: code, position: directive.name.position)
        )
    }
}

/// `types { TYPE EXTENSION... }`: the blocks of a level add up, and replace the inherited ones.
struct TypeCompiler {
    private var builder = ByteTableBuilder(caseless: true)
    private var hasTypes = false

    mutating func finish(_ settings: inout Settings, in context: inout CompileContext) {
        if hasTypes { settings.types = context.tables.types.append(builder.build()) }
    }

    mutating func add(_ directive: CheckedDirective, in context: inout CompileContext) {
        hasTypes = true
        for entry in directive.entries {
            if entry.block != nil {
                let message = "an entry of \"types\" has no block"
                context.error(.unexpectedBlock, message, at: entry.name, suggestion: "end it with \";\"")
                continue
            }
            if entry.name.text == "include" {
                let message = "\"include\" takes 1 argument, not \(entry.arguments.count)"
                context.error(.argumentCount, message, at: entry.name)
                continue
            }
            let value = context.constant(entry.name.bytes)
            for extensionWord in entry.arguments {
                let inserted = builder.add(extensionWord.bytes.span, value: Int32(context.tables.typeValues.count))
                if case .duplicate = inserted {
                    let message = "the extension \"\(extensionWord.text)\" has a type already"
                    context.warning(.duplicateExtension, message, at: extensionWord)
                }
            }
            context.tables.typeValues.append(value)
        }
    }
}
