#if compiler(>=6.3)
import CShunt
import Glibc
import ShuntC
import Synchronization
import TestFolder
import Testing

@Suite("Stores through C")
struct StoreTests {
    private final class Heard: Sendable {
        let lines = Mutex<[String]>([])
    }

    private static func open(_ path: String, _ heard: Heard, _ change: (inout shunt_options) -> Void = { _ in }) throws
        -> OpaquePointer
    {
        var options = shunt_options()
        options.size = MemoryLayout<shunt_options>.size
        change(&options)
        var store: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        let context = Unmanaged.passUnretained(heard).toOpaque()
        let status = shunt_store_open(
            path,
            &options,
            { context, status, message in
                guard let context, let message else { return }
                let heard = Unmanaged<Heard>.fromOpaque(context).takeUnretainedValue()
                heard.lines.withLock { $0.append("\(status.rawValue) \(String(cString: message))") }
            },
            context,
            &store,
            &message
        )
        try #require(status == SHUNT_OK, "\(takeText(message) ?? "")")
        return try #require(store)
    }

    private static func decide(_ store: OpaquePointer) -> Int32 {
        Answer("http://a.test/", capacity: 4096, { _ in }, by: { shunt_store_decide(store, $0, $1, $2, $3) }).code
    }

    @Test("Rules that change come into use, wrong ones do not, and counts continue")
    func reloads() async throws { try await onThread(Self.reloads) }

    private static func reloads() throws {
        let folder = try TestFolder(["a.conf": "block host a.test 410;\n"])
        let heard = Heard()
        let store = try open(folder.path, heard) { $0.counts = true }
        #expect(decide(store) == 410 && shunt_store_generation(store) == 1)
        let first = shunt_store_rules(store)

        try folder.write("b.conf", "block host b.test;\n")
        var message: UnsafeMutablePointer<CChar>?
        #expect(shunt_store_reload(store, &message) == SHUNT_OK)
        #expect(takeText(message) == "loaded version 2 with 2 rules: 1 added, 0 removed, 0 edited")
        #expect(decide(store) == 410 && shunt_store_generation(store) == 2)
        #expect(shunt_store_reload(store, &message) == SHUNT_OK)
        #expect(takeText(message) == "unchanged")

        try folder.write("b.conf", "blokc host b.test;\n")
        #expect(shunt_store_reload(store, &message) == SHUNT_INVALID_RULES)
        #expect(takeText(message)?.contains("b.conf:1:1") == true)
        #expect(decide(store) == 410 && shunt_store_generation(store) == 2)

        var text: UnsafeMutablePointer<CChar>?
        #expect(shunt_store_status(store, &text) == SHUNT_OK)
        let status = takeText(text) ?? ""
        #expect(status.contains(#""version":2"#) && status.contains(#""stale":true"#) && status.contains("b.conf:1:1"))
        let rules = shunt_store_rules(store)
        #expect(shunt_rules_report(rules, SHUNT_HITS, SHUNT_TEXT, &text) == SHUNT_OK)
        let hits = takeText(text) ?? ""
        #expect(hits.contains("a.conf:1:1: 3 block host a.test 410"), "\(hits)")
        shunt_store_close(store)

        // What a caller holds stays valid, and the rules before are other ones.
        #expect(shunt_rules_count(rules) == 2 && shunt_rules_count(first) == 1)
        shunt_rules_release(rules)
        shunt_rules_release(first)
        let lines = heard.lines.withLock { $0 }
        #expect(lines.count == 2 && lines[0].hasPrefix("0 loaded version 2") && lines[1].hasPrefix("2 the rules have"))
    }

    @Test("A store that watches follows its files")
    func watches() async throws { try await onThread(Self.watches) }

    private static func watches() throws {
        let folder = try TestFolder(["a.conf": "block host a.test 410;\n"])
        let heard = Heard()
        let store = try open(folder.path, heard) { $0.watches = true }
        try folder.replace("a.conf", "block host a.test 451;\n")
        var tries = 0
        while decide(store) != 451, tries < 6_000 {
            tries += 1
            usleep(50_000)
        }
        #expect(decide(store) == 451)
        shunt_store_close(store)
    }

    @Test("A store does not open with wrong rules, unless there is a last good copy")
    func opening() async throws { try await onThread(Self.opening) }

    private static func opening() throws {
        let folder = try TestFolder(["rules/a.conf": "block host a.test 410;\n"])
        let heard = Heard()
        let copy = folder.path + "/copy"
        try copy.withCString { copy in
            shunt_store_close(try open(folder.path + "/rules", heard) { $0.last_known_good = copy })
            try folder.write("rules/a.conf", "blokc;\n")
            var store: OpaquePointer?
            var message: UnsafeMutablePointer<CChar>?
            let status = shunt_store_open(folder.path + "/rules", nil, nil, nil, &store, &message)
            #expect(status == SHUNT_INVALID_RULES && store == nil)
            #expect(takeText(message)?.contains("a.conf:1:1") == true)
            let recovered = try open(folder.path + "/rules", heard) { $0.last_known_good = copy }
            #expect(decide(recovered) == 410)
            shunt_store_close(recovered)
        }
    }
}
#endif
