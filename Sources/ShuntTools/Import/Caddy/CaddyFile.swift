/// A directive of a Caddyfile.
struct CaddyDirective: Sendable {
    /// The name and the arguments; none for the global options.
    var words: [String]
    var block: [CaddyDirective]?
    var line: Int
    var comments: [String] = []

    var name: String { words.first ?? "" }
    var arguments: ArraySlice<String> { words.dropFirst() }
    /// The directive in one line, without its block.
    var text: String { words.map { $0.contains(" ") || $0.isEmpty ? "\"\($0)\"" : $0 }.joined(separator: " ") }
}

/// A Caddyfile: global options and sites, with all snippets at their places.
struct CaddyFile {
    /// The most directives after all imports.
    private static let limit = 20_000

    private(set) var options: [CaddyDirective] = []
    /// The sites; their words are the addresses.
    private(set) var sites: [CaddyDirective] = []
    private var snippets: [String: [CaddyDirective]] = [:]
    private var count = 0
    private let file: (String) -> String?

    /// Reads a file; `file` reads one that it names, and returns nil if that does not exist.
    init(_ text: String, file: @escaping (String) -> String?) throws(ImportError) {
        self.file = file
        var items: [CaddyDirective] = []
        for item in try Self.directives(text) {
            if item.words.isEmpty {
                options = item.block ?? []
            } else if item.name.hasPrefix("("), item.name.hasSuffix(")"), let block = item.block {
                snippets[String(item.name.dropFirst().dropLast())] = block
            } else {
                items.append(item)
            }
        }
        // A file of one site may have no braces around it.
        if let first = items.first, first.block == nil, first.name != "import" {
            sites = [first]
            sites[0].block = try expanded(Array(items.dropFirst()), depth: 0)
        } else {
            for item in items {
                for var site in try expanded([item], depth: 0) {
                    site.block = try expanded(site.block ?? [], depth: 0)
                    sites.append(site)
                }
            }
        }
        for index in sites.indices {
            sites[index].words = sites[index].words
                .flatMap { $0.split(separator: ",").map(String.init) }
        }
    }

    // MARK: Grammar

    private static func directives(_ text: String) throws(ImportError) -> [CaddyDirective] {
        var lines = try CaddyLines(text).lines[...]
        let result = try block(&lines, depth: 0)
        if let line = lines.first { throw ImportError(line: line.number, description: "a } closes nothing") }
        return result
    }

    private static func block(_ lines: inout ArraySlice<CaddyLines.Line>, depth: Int) throws(ImportError)
        -> [CaddyDirective]
    {
        var result: [CaddyDirective] = []
        while var line = lines.first {
            guard depth < 32 else { throw ImportError(line: line.number, description: "blocks are nested too deeply") }
            let isEnd = line.endsInBrace && line.words.last == "}"
            if line.endsInBrace { line.words.removeLast() }
            if isEnd, depth == 0 { return result }
            lines.removeFirst()
            var directive = CaddyDirective(words: line.words, line: line.number, comments: line.comments)
            if isEnd {
                if !line.words.isEmpty { result.append(directive) }
                return result
            }
            if line.endsInBrace { directive.block = try block(&lines, depth: depth + 1) }
            result.append(directive)
        }
        guard depth == 0 else { throw ImportError(line: result.last?.line ?? 1, description: "a } is missing") }
        return result
    }

    // MARK: Imports

    /// Directives with what they import; an import of what cannot be read stays.
    private mutating func expanded(_ directives: [CaddyDirective], depth: Int) throws(ImportError) -> [CaddyDirective] {
        var result: [CaddyDirective] = []
        for var directive in directives {
            count += 1
            guard count < Self.limit, depth < 32 else {
                throw ImportError(line: directive.line, description: "there are too many imports")
            }
            guard directive.name == "import", let name = directive.words.dropFirst().first else {
                if let block = directive.block { directive.block = try expanded(block, depth: depth + 1) }
                result.append(directive)
                continue
            }
            var found = snippets[name]
            if found == nil, !name.contains("*"), let text = file(name) {
                found = try Self.directives(text).map { Self.moved($0, to: directive.line) }
            }
            guard let found else {
                result.append(directive)
                continue
            }
            let arguments = Array(directive.words.dropFirst(2))
            result += try expanded(found.map { Self.filled($0, arguments) }, depth: depth + 1)
        }
        return result
    }

    private static func moved(_ directive: CaddyDirective, to line: Int) -> CaddyDirective {
        var copy = directive
        copy.line = line
        copy.block = directive.block?.map { moved($0, to: line) }
        return copy
    }

    private static func filled(_ directive: CaddyDirective, _ arguments: [String]) -> CaddyDirective {
        var copy = directive
        for (index, argument) in arguments.enumerated() {
            copy.words = copy.words.map {
                $0.replacing("{args.\(index)}", with: argument).replacing("{args[\(index)]}", with: argument)
            }
        }
        copy.block = directive.block?.map { filled($0, arguments) }
        return copy
    }
}
