#if Gateway
import ShuntCore
import Testing

@testable import ShuntGateway

/// The tree that the page draws of the routes.
@Suite struct RouteTreeTests {
    /// Each segment on a line, as far in as it is deep, with the numbers of its routes.
    private func text(_ patterns: [String]) -> [String] {
        RouteTree(patterns).nodes
            .map { node in
                String(repeating: " ", count: node.depth) + node.name
                    + (node.routes.isEmpty ? "" : " \(node.routes.map(String.init).joined(separator: ","))")
            }
    }

    @Test("Segments are shared, a scheme and its host are one, and what is below a segment follows it")
    func segments() {
        let patterns = ["/user/:id", "kl://user/:id/edit", "/user/me", "kl://user", "/user/:id", "/item", "/"]
        #expect(
            text(patterns) == ["/user", " /:id 0,4", " /me 2", "kl://user 3", " /:id", "  /edit 1", "/item 5", "/ 6"]
        )
        #expect(text(["/a://b/c"]) == ["/a:", " /b", "  /c 0"])
        #expect(text(["kl://"]) == ["kl:// 0"])
        #expect(text([]) == [])
    }

    @Test("A segment has the hits of all that is below it")
    func hits() {
        var writer = JSONWriter()
        RouteTree(["/a/b", "/a", "/c"]).objects { [3, 4, 5][$0] }.write(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == """
                [{"name":"/a","depth":0,"hits":7,"routes":[1]},{"name":"/b","depth":1,"parent":0,"hits":3,"routes":[0]},\
                {"name":"/c","depth":0,"hits":5,"routes":[2]}]
                """
        )
    }

    @Test("Every route stands in the tree once, and a parent before what is below it, however many there are")
    func isWhole() {
        let patterns = (0..<5_000).map { "/\($0 % 7)/\($0 % 11)/\($0)" }
        let nodes = RouteTree(patterns).nodes
        #expect(nodes.flatMap(\.routes).sorted() == Array(patterns.indices))
        for (index, node) in nodes.enumerated() {
            guard let parent = node.parent else {
                #expect(node.depth == 0)
                continue
            }
            #expect(parent < index)
            #expect(nodes[parent].depth == node.depth - 1)
        }
        #expect(nodes.count == 7 + 77 + 5_000)
    }
}
#endif
