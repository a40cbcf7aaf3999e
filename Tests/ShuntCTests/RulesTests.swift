#if compiler(>=6.3)
import CShunt
import Foundation
import ShuntC
import TestFolder
import Testing

@Suite("Rules through C")
struct RulesTests {
    @Test("Wrong rules are a message with the place, the line and a caret")
    func wrongRules() {
        var rules: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        let status = withText("server {\n    retrun 404;\n}\n") {
            shunt_rules_parse($0, "a.conf", nil, &rules, &message)
        }
        #expect(status == SHUNT_INVALID_RULES && rules == nil)
        let text = takeText(message) ?? ""
        #expect(text.contains("a.conf:2:5: error:") && text.contains("^~~~~~") && text.contains("return"), "\(text)")
    }

    @Test("Rules come from a directory, a text and files in memory")
    func sources() throws {
        let folder = try TestFolder(["a.conf": "include b/*.inc;\n", "b/x.inc": "block host a.test;\n"])
        var loaded: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        try #require(shunt_rules_load(folder.path, nil, &loaded, &message) == SHUNT_OK, "\(takeText(message) ?? "")")
        #expect(shunt_rules_count(loaded) == 1)
        let other = shunt_rules_retain(loaded)
        #expect(other == loaded)
        shunt_rules_release(other)
        var inMemory: OpaquePointer?
        withFields([("a.conf", "include b/*.inc;\n"), ("b/x.inc", "block host a.test;\n")]) { files in
            #expect(shunt_rules_archive(files, 2, nil, &inMemory, nil) == SHUNT_OK)
        }
        #expect(shunt_rules_count(inMemory) == 1)
        #expect(takeText(shunt_rules_hash(loaded))?.count == 64)
        #expect(shunt_rules_load(folder.path + "/none", nil, &inMemory, &message) == SHUNT_INVALID_RULES)
        #expect(takeText(message)?.contains("none") == true)
        shunt_rules_release(loaded)
    }

    @Test("Wrong rules are objects for programs, too")
    func wrongRulesAsObjects() throws {
        var options = shunt_options()
        (options.size, options.json) = (MemoryLayout<shunt_options>.size, true)
        var rules: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        let status = withText("retrun 404;\nserver { blokc; }\n") {
            shunt_rules_parse($0, "a.conf", &options, &rules, &message)
        }
        #expect(status == SHUNT_INVALID_RULES)
        let objects = try (takeText(message) ?? "").split(separator: "\n")
            .map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect(objects.count == 2 && objects.allSatisfy { $0?["severity"] as? String == "error" })
        #expect(objects.map { $0?["line"] as? Int } == [1, 2])
    }

    @Test("Bytes of rules stay as they are, and a file counts once")
    func bytes() {
        let text = "server { listen 80; location /\u{e9} { return 403; } }".unicodeScalars.map { UInt8($0.value) }
        var parsed: OpaquePointer?
        var inMemory: OpaquePointer?
        text.withUnsafeBytes { bytes in
            let lent = shunt_text(bytes: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length: bytes.count)
            #expect(shunt_rules_parse(lent, "a.conf", nil, &parsed, nil) == SHUNT_OK)
            withText("a.conf") { name in
                let file = shunt_field(name: name, value: lent)
                #expect(shunt_rules_archive([file], 1, nil, &inMemory, nil) == SHUNT_OK)
                var none: OpaquePointer?
                #expect(shunt_rules_archive([file, file], 2, nil, &none, nil) == SHUNT_INVALID_ARGUMENT)
                #expect(none == nil)
            }
        }
        for rules in [parsed, inMemory] {
            for (path, code) in [("/%E9", Int32(403)), ("/%EF%BF%BD", 0)] {
                let url = "http://a.test\(path)"
                let answer = Answer(url, capacity: 4096, { _ in }, by: { shunt_decide(rules, $0, $1, $2, $3) })
                #expect(answer.code == code, "\(path)")
            }
            shunt_rules_release(rules)
        }
    }

    @Test("Reports are lines of text or objects")
    func reports() throws {
        let caller = try Caller(
            "route GET /users/:id user;\nblock host a.test;\nserver { listen 80; location /b { auth_basic x; return 200; } }\n",
            counts: true
        )
        _ = caller.decide("http://a.test/")
        _ = caller.decide("http://a.test/")
        let expected: [(shunt_report, String, String)] = [
            (SHUNT_RULES, "a.conf:2:1: block host a.test", #""kind":"block","matcher":"host a.test""#),
            (SHUNT_ROUTES, "a.conf:1:11: GET /users/:id user", #""pattern":"/users/:id","name":"user""#),
            (SHUNT_HITS, "a.conf:2:1: 2 block host a.test", #""hits":2"#),
            (SHUNT_DIAGNOSTICS, "a.conf:3:", #""severity":"warning""#),
        ]
        for (report, text, object) in expected {
            let lines = caller.report(report) ?? ""
            #expect(lines.contains(text), "\(lines)")
            let objects = caller.report(report, SHUNT_JSON) ?? ""
            #expect(objects.contains(object), "\(objects)")
            for line in objects.split(separator: "\n") {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
        }
    }

    @Test("The library reports its version and its interface")
    func version() {
        #expect(shunt_interface() == UInt32(SHUNT_INTERFACE))
        #expect(String(cString: shunt_version()).split(separator: ".").count == 3)
    }
}
#endif
