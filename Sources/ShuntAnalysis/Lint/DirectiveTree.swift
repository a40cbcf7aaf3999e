import ShuntCore
import ShuntRules

/// The directives of a rule set as they are written, each with those around it.
struct DirectiveTree {
    /// A directive and its place in the tree.
    struct Node {
        var directive: Directive
        /// The number of the directive around it; -1 for those of the top level.
        var parent: Int
        /// The numbers of those in its block.
        var children: Range<Int> = 0..<0

        var name: String { directive.name.text }
        var arguments: [Word] { directive.arguments }
        var position: SourcePosition { directive.name.position }
    }

    /// Those of the top level first, then the blocks of each, level by level.
    private(set) var nodes: [Node] = []
    private var starts: [Int32: [(offset: Int64, node: Int)]] = [:]
    /// The directives of each name.
    private(set) var named: [String: [Int]] = [:]

    init(_ ruleSet: RuleSet) {
        var open: [(directives: [Directive], parent: Int)] = [(ruleSet.directives(), -1)]
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
        for (index, node) in nodes.enumerated() {
            starts[node.position.file, default: []].append((Self.offset(node.position), index))
            named[node.name, default: []].append(index)
        }
        for file in starts.keys { starts[file]?.sort { $0.offset < $1.offset } }
    }

    private static func offset(_ position: SourcePosition) -> Int64 {
        Int64(position.line) << 32 | Int64(position.column)
    }

    /// The directive that a place is in: the last one that begins there or before it.
    func node(at position: SourcePosition) -> Int? {
        guard let list = starts[position.file] else { return nil }
        let wanted = Self.offset(position)
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].offset <= wanted { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? list[low - 1].node : nil
    }

    /// The directives around one, the innermost first.
    func ancestors(of index: Int) -> [Int] {
        var found: [Int] = []
        var parent = nodes[index].parent
        while parent >= 0 {
            found.append(parent)
            parent = nodes[parent].parent
        }
        return found
    }

    /// The innermost block of a name around a directive.
    func block(_ name: String, around index: Int) -> Int? {
        ancestors(of: index).first { nodes[$0].name == name }
    }

    /// The directives of a name in a block; of the top level for -1.
    func children(of index: Int, named name: String) -> [Int] {
        if index < 0 { return (named[name] ?? []).filter { nodes[$0].parent < 0 } }
        return nodes[index].children.filter { nodes[$0].name == name }
    }

    /// The directives of a name that hold in a block, as nginx inherits: its own, else those of the next block around that has any.
    func inherited(_ name: String, in block: Int) -> [Int] {
        for level in block < 0 ? [] : [block] + ancestors(of: block) {
            let own = children(of: level, named: name)
            if !own.isEmpty { return own }
        }
        return children(of: -1, named: name)
    }

    /// Whether a switch is on in a block.
    func isOn(_ name: String, in block: Int) -> Bool {
        inherited(name, in: block).first.map { nodes[$0].arguments.first?.text == "on" } ?? false
    }

    /// All directives in a block, however deep.
    func descendants(of index: Int) -> [Int] {
        var found: [Int] = []
        var open = Array(nodes[index].children)
        while let next = open.popLast() {
            found.append(next)
            open += nodes[next].children
        }
        return found.sorted()
    }
}
