import Shunt

/// Rule text: loads it, renders what is wrong with it, and decides about a few requests if nothing is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRules(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var fileSystem = InMemoryFileSystem()
    fileSystem.set("/rules/a.conf", .file(Array(UnsafeBufferPointer(start: start, count: count))))
    fileSystem.set("/rules/parts/b.conf", .file(Array("location /b { return 200 b; }".utf8)))
    fileSystem.set("/rules/list.txt", .file(Array("ads.test\n||x.test^\n".utf8)))
    do throws(RuleSetError) {
        let engine = Engine(try RuleSet(path: "/rules", from: fileSystem))
        for request in requests {
            let decision = engine.decide(request)
            precondition(engine.explain(request).decision.kind == decision.kind)
        }
    } catch {
        precondition(!error.diagnostics.isEmpty)
        precondition(!error.description.isEmpty)
    }
    return 0
}

private let requests = [
    RuleRequest(url: "https://www.a.test/x/y?a=1#z"), RuleRequest(url: "kl://Pay/checkout?id=1"),
    RuleRequest(target: "/a/%2e%2e/b//c?x=%41", host: "a.test:80"), RuleRequest(target: "/", host: nil),
]

#if UNGUIDED
import UnguidedRuns

@main
enum Program {
    static func main() { runUnguided(fuzzRules) }
}
#endif
