import Shunt

/// Blocklists in any of their forms: what they block is decided without a trap, and loading them twice is the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLists(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let list = Array(UnsafeBufferPointer(start: start, count: count))
    var fileSystem = InMemoryFileSystem()
    fileSystem.set("/rules/a.conf", .file(Array("blocklist list.txt 410;".utf8)))
    fileSystem.set("/rules/list.txt", .file(list))
    do throws(RuleSetError) {
        let ruleSet = try RuleSet(path: "/rules", from: fileSystem)
        let again = try RuleSet(path: "/rules", from: fileSystem)
        precondition(ruleSet.contentHash == again.contentHash)
        let engine = Engine(ruleSet)
        for line in list.split(separator: 0x0a).prefix(20) {
            _ = engine.decide(RuleRequest(url: Array("https://".utf8) + line + Array("/".utf8)))
        }
    } catch {
        precondition(!error.diagnostics.isEmpty)
    }
    return 0
}

#if UNGUIDED
import UnguidedRuns

@main
enum Program {
    static func main() { runUnguided(fuzzLists) }
}
#endif
