#if Gateway
import Shunt

/// The routes by the segments of their patterns, as people draw them.
struct RouteTree {
    /// A segment with what is below it.
    struct Node {
        /// The segment with its slash; at the top the scheme and the host of a pattern that has them.
        var name: String
        /// The number of segments before it.
        var depth: Int
        /// The place where the segment before it is in the tree.
        var parent: Int?
        /// The numbers of the routes that end here.
        var routes: [Int] = []
        fileprivate var children: [String: Int] = [:]
    }

    /// A segment comes before those below it, and these in the order in which the routes were declared.
    let nodes: [Node]

    /// Linear in the length of the patterns.
    init(_ patterns: [String]) {
        var found: [Node] = []
        var first: [String: Int] = [:]
        for (number, pattern) in patterns.enumerated() {
            var parent: Int?
            for name in Self.segments(of: pattern) {
                let known = parent.map { found[$0].children[name] } ?? first[name]
                let node = known ?? found.count
                if known == nil {
                    found.append(Node(name: name, depth: parent.map { found[$0].depth + 1 } ?? 0, parent: parent))
                    if let parent { found[parent].children[name] = node } else { first[name] = node }
                }
                parent = node
            }
            if let parent { found[parent].routes.append(number) }
        }
        nodes = Self.inOrder(found, first: first.values.sorted())
    }

    /// The nodes with each before those below it.
    private static func inOrder(_ found: [Node], first: [Int]) -> [Node] {
        var nodes: [Node] = []
        var rest = first.reversed().map { (node: $0, parent: Int?.none) }
        while let (index, parent) = rest.popLast() {
            let own = nodes.count
            nodes.append(found[index])
            nodes[own].parent = parent
            for child in found[index].children.values.sorted().reversed() { rest.append((child, own)) }
        }
        return nodes
    }

    private static func segments(of pattern: String) -> [String] {
        var names: [String] = []
        var rest = pattern[...]
        if let mark = rest.firstRange(of: "://"), !rest[..<mark.lowerBound].contains("/") {
            let end = rest[mark.upperBound...].firstIndex(of: "/") ?? rest.endIndex
            names.append(String(rest[..<end]))
            rest = rest[end...]
        }
        names += rest.split(separator: "/").map { "/\($0)" }
        return names.isEmpty ? ["/"] : names
    }

    /// The nodes as objects.
    func objects(hits: (Int) -> Int) -> [JSONObject] {
        var sums = nodes.map { $0.routes.reduce(0) { $0 + hits($1) } }
        for (index, node) in nodes.enumerated().reversed() {
            if let parent = node.parent { sums[parent] += sums[index] }
        }
        return zip(nodes, sums)
            .map { node, sum in
                ["name": node.name, "depth": node.depth, "parent": node.parent, "hits": sum, "routes": node.routes]
            }
    }
}
#endif
