package import ShuntCore

/// The directives of a rule set as they are written, each with those around it and the files that `include` brought.
///
/// A directive of a file that is included twice is in it twice. A rule set builds its document when a tool or a page
/// needs it, and keeps it only as long as they do.
package final class RuleDocument: Sendable {
    /// A directive and its place in the tree.
    package struct Node: Sendable {
        package let directive: Directive
        /// The number of the directive around it; -1 for those of the top level.
        package let parent: Int
        /// The numbers of those in its block.
        package fileprivate(set) var children: Range<Int> = 0..<0

        package var name: String { directive.name.text }
        package var arguments: [Word] { directive.arguments }
        package var position: SourcePosition { directive.name.position }
        package var words: [Word] { [directive.name] + directive.arguments }
    }

    package let files: [RuleFile]
    /// The directives of the top level, with their blocks.
    package let directives: [Directive]
    /// Those of the top level first, then the blocks of each, level by level.
    package let nodes: [Node]
    package let named: [String: [Int]]
    /// The notes by the place of their directive.
    package let notes: [SourcePosition: RuleNote]
    /// The names of checks in notes that allow them, by the place of their directive.
    package let allowances: [SourcePosition: [Word]]
    private let starts: [Int32: [(offset: Int64, node: Int)]]

    /// Reads files that were loaded before: `roots` for themselves, and the others where an `include` brings them.
    init(_ files: [RuleFile], roots: [Int32], inclusions: [SourcePosition: Inclusion]) {
        var reader = Reader(files: files, inclusions: inclusions)
        self.files = files
        directives = roots.flatMap { reader.read($0, nil) }
        notes = reader.notes
        allowances = reader.allowances
        let nodes = Self.nodes(of: directives)
        var named: [String: [Int]] = [:]
        var starts: [Int32: [(offset: Int64, node: Int)]] = [:]
        for (index, node) in nodes.enumerated() {
            starts[node.position.file, default: []].append((Self.offset(node.position), index))
            named[node.name, default: []].append(index)
        }
        for file in starts.keys { starts[file]?.sort { $0.offset < $1.offset } }
        self.nodes = nodes
        self.named = named
        self.starts = starts
    }

    /// Reads files one in another.
    private struct Reader {
        let files: [RuleFile]
        let inclusions: [SourcePosition: Inclusion]
        let budget = WordBudget(RuleLimits.words)
        var notes: [SourcePosition: RuleNote] = [:]
        var allowances: [SourcePosition: [Word]] = [:]

        mutating func read(_ index: Int32, _ inclusion: Inclusion?) -> [Directive] {
            var parser = Parser(file: files[Int(index)], index: index, startingAt: 0, in: inclusion, budget: budget)
            parser.parse { inclusion in
                var found: [Directive] = []
                for file in inclusions[inclusion.path.position]?.files ?? [] { found += read(file, inclusion) }
                return found
            }
            notes.merge(parser.notes.notes) { first, _ in first }
            allowances.merge(parser.notes.allowed) { first, _ in first }
            return parser.directives
        }
    }

    private static func nodes(of directives: [Directive]) -> [Node] {
        var nodes: [Node] = []
        var open: [(directives: [Directive], parent: Int)] = [(directives, -1)]
        var next = 0
        while next < open.count {
            let (directives, parent) = open[next]
            next += 1
            let start = nodes.count
            for directive in directives {
                if let block = directive.block, !block.isEmpty { open.append((block, nodes.count)) }
                nodes.append(Node(directive: directive, parent: parent))
            }
            if parent >= 0 { nodes[parent].children = start..<nodes.count }
        }
        return nodes
    }

    private static func offset(_ position: SourcePosition) -> Int64 {
        Int64(position.line) << 32 | Int64(position.column)
    }

    /// The directive that a place is in: the last one that begins there or before it.
    package func node(at position: SourcePosition) -> Int? {
        guard let list = starts[position.file] else { return nil }
        let wanted = Self.offset(position)
        let count = list.partitioningIndex { $0.offset > wanted }
        return count > 0 ? list[count - 1].node : nil
    }

    package func directive(at position: SourcePosition) -> Node? {
        node(at: position).map { nodes[$0] }.flatMap { $0.position == position ? $0 : nil }
    }

    /// The entries of the `map`, `geo` or `split_clients` that begins at a place, from whichever file: a key and a value.
    package func entries(ofTableAt position: SourcePosition) -> some Collection<Node> & Sendable {
        let children = directive(at: position)?.children ?? 0..<0
        return nodes[children].filter { $0.arguments.count == 1 && $0.directive.block == nil }
    }

    /// The bytes that a directive has in its file, with its `;` or its block.
    package func extent(of directive: Directive) -> Range<Int>? {
        let start = offset(of: directive.name)
        return start.flatMap { $0 < Int(directive.end) ? $0..<Int(directive.end) : nil }
    }

    package func offset(of word: Word) -> Int? {
        guard files.indices.contains(Int(word.position.file)) else { return nil }
        return files[Int(word.position.file)].offset(line: word.position.line, column: word.position.column)
    }

    /// The directives around one, the innermost first.
    package func ancestors(of index: Int) -> [Int] {
        var found: [Int] = []
        var parent = nodes[index].parent
        while parent >= 0 {
            found.append(parent)
            parent = nodes[parent].parent
        }
        return found
    }

    package func block(_ name: String, around index: Int) -> Int? {
        ancestors(of: index).first { nodes[$0].name == name }
    }

    /// The directives of a name in a block; of the top level for -1.
    package func children(of index: Int, named name: String) -> [Int] {
        if index < 0 { return (named[name] ?? []).filter { nodes[$0].parent < 0 } }
        return nodes[index].children.filter { nodes[$0].name == name }
    }

    /// The directives of a name that hold in a block, as nginx inherits: its own, else those of the next block around that has any.
    package func inherited(_ name: String, in block: Int) -> [Int] {
        for level in block < 0 ? [] : [block] + ancestors(of: block) {
            let own = children(of: level, named: name)
            if !own.isEmpty { return own }
        }
        return children(of: -1, named: name)
    }

    package func isOn(_ name: String, in block: Int) -> Bool {
        inherited(name, in: block).first.map { nodes[$0].arguments.first?.text == "on" } ?? false
    }

    package func descendants(of index: Int) -> [Int] {
        var found: [Int] = []
        var open = Array(nodes[index].children)
        while let next = open.popLast() {
            found.append(next)
            open += nodes[next].children
        }
        return found.sorted()
    }
}

/// The blocks around directives that choose the requests they see, each block read once.
package struct RuleContexts {
    private static let choosing: Set = [
        "server", "location", "if", "match", "limit_except", "map", "geo", "split_clients",
    ]

    private let document: RuleDocument
    private var known: [Int: String] = [-1: ""]

    package init(_ document: RuleDocument) { self.document = document }

    /// The blocks around the directive at a place, the outermost first, such as `server www.example.com, location = /a`;
    /// empty at the top level.
    package mutating func context(at position: SourcePosition) -> String {
        document.node(at: position).map { context(inBlock: document.nodes[$0].parent) } ?? ""
    }

    private mutating func context(inBlock block: Int) -> String {
        if let context = known[block] { return context }
        let node = document.nodes[block]
        let outer = context(inBlock: node.parent)
        var own = Self.choosing.contains(node.name) ? node.words.map(\.text).joined(separator: " ") : ""
        if node.name == "server" {
            let name = document.children(of: block, named: "server_name").first
            own = name.flatMap { document.nodes[$0].arguments.first }.map { "server \($0.text)" } ?? ""
        }
        let context = [outer, own].filter { !$0.isEmpty }.joined(separator: ", ")
        known[block] = context
        return context
    }
}
