import ShuntLinks
import Testing

/// The client for pages as a file; `BridgePageTests` runs it.
@Suite struct BridgeClientTests {
    private let script = String(decoding: BridgeClient.javaScript, as: UTF8.self)
    private let types = String(decoding: BridgeClient.types, as: UTF8.self)

    @Test("The client is one file of at most 4 KiB, and imports nothing")
    func size() {
        #expect(!script.isEmpty && script.utf8.count <= 4_096)
        #expect(!script.contains("import"))
    }

    @Test("The types name everything that the client exports, and nothing else")
    func declared() {
        func names(_ text: String, _ pattern: some RegexComponent<(Substring, Substring)>) -> Set<String> {
            Set(text.matches(of: pattern.regex).map { String($0.output.1) })
        }
        let classes = /export class (\w+)/
        #expect(names(script, classes) == ["Bridge", "BridgeError"])
        #expect(names(types, classes) == names(script, classes))
        let methods = names(script, /\n  (\w+)\([^\n]*\{\n/).subtracting(["constructor"])
        let declared = names(types, /\n  (\w+)(?:<[^>]*>)?\([^\n]*;/).subtracting(["constructor", "leave"])
        #expect(methods == ["post", "listen", "receive", "close"] && declared == methods)
    }
}
