import Shunt

/// Lists in any of their forms: what they block or redirect is decided without a trap, and loading them twice is the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLists(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let list = Array(UnsafeBufferPointer(start: start, count: count))
    let kinds = ["blocklist", "block networks", "allow networks", "block agents", "block urls"]
    for kind in kinds { decide("\(kind) list;", list) }
    let forms = [
        "", "format=csv", "format=bulk", "format=_redirects slash=exact", "format=vercel",
        "format=firebase case=either",
    ]
    for form in forms { decide("redirects list \(form);", list) }
    return 0
}

private func decide(_ rules: String, _ list: [UInt8]) {
    var fileSystem = InMemoryFileSystem()
    fileSystem.set("/rules/a.conf", .file(Array(rules.utf8)))
    fileSystem.set("/rules/list", .file(list))
    do throws(RuleSetError) {
        let ruleSet = try RuleSet(path: "/rules", from: fileSystem)
        let again = try RuleSet(path: "/rules", from: fileSystem)
        precondition(ruleSet.contentHash == again.contentHash)
        let engine = Engine(ruleSet)
        for line in list.split(separator: 0x0a).prefix(20) {
            _ = engine.decide(RuleRequest(url: Array("https://".utf8) + line + Array("/".utf8)))
            _ = engine.decide(RuleRequest(url: Array("https://h".utf8) + line.prefix { $0 > 0x20 }))
        }
    } catch {
        precondition(!error.diagnostics.isEmpty)
    }
}

#if UNGUIDED
import UnguidedRuns

@main
enum Program {
    static func main() { runUnguided(fuzzLists) }
}
#endif
