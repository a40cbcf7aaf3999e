import Testing
@testable import Shunt
@testable import ShuntRules
import ShuntCore
@Test func x() throws {
    let arena = ByteArena()
    arena.append(Array("books.idea.whatwg.org".utf8))
    do { let r = try HostName.normalise(ByteRange(0, arena.count), in: arena); print(r) } catch { print("ERR", error) }
    let e = Engine(try RuleSet.load(text: "server { server_name a.test; location /x { return 301 /y; } }"))
    print(e.decide(Request(target: "/x", host: "a.test")))
}
