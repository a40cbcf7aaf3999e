#if Gateway
import Foundation
import Shunt
import Testing

/// The files of the page, as they are sent.
@Suite struct PageFileTests {
    private static let folder =
        String(
            #filePath.dropLast("Tests/ShuntGatewayTests/Page/PageFileTests.swift".utf8.count)
        ) + "Sources/ShuntGateway/Page/Files"

    @Test("They are sent with a strict policy, once, and are what lies in the folder")
    func areServed() async throws {
        try await RunningGateway.with(["rules.conf": "server { return 200 ok; }"]) { gateway in
            var bytes = 0
            for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) {
                let path = name == "index.html" ? "/" : "/ui/\(name)"
                let response = try await gateway.get(path, from: gateway.adminPort)
                #expect(response.status == 200, "\(path)")
                let content = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)"))
                #expect(response.body == Array(content), "\(path): build the package again")
                bytes += content.count
                let policy = try #require(response["content-security-policy"])
                #expect(policy.contains("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"))
                #expect(response["x-content-type-options"] == "nosniff")
                #expect(response["referrer-policy"] == "no-referrer")
                #expect(response["cross-origin-opener-policy"] == "same-origin")
                #expect(response["cross-origin-resource-policy"] == "same-origin")
                let tag = try #require(response["etag"])
                let known = ["If-None-Match: \(tag)", "Content-Length: 0"]
                let lines = ["GET \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + known + ["", ""]
                let again = try await gateway.send(lines.joined(separator: "\r\n"), to: gateway.adminPort)
                #expect(again.first?.status == 304, "\(path)")
                #expect(again.first?["content-security-policy"] == policy, "\(path)")
            }
            #expect(bytes <= 72 * 1024)
            #expect(try await gateway.get("/status", from: gateway.adminPort)["cache-control"] == "no-store")
        }
    }

    @Test("To show a view at most 40 KB are loaded")
    func areSmall() throws {
        /// A script with all that it loads before it runs.
        func add(_ name: String, to names: inout Set<String>) throws {
            guard names.insert(name).inserted, name.hasSuffix(".js") else { return }
            let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
            for found in text.matches(of: #/ from '\./([a-z]+\.js)'/#) { try add(String(found.1), to: &names) }
        }
        let all = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        for view in all where view.hasSuffix(".js") {
            var names: Set<String> = ["index.html", "app.css"]
            try add("app.js", to: &names)
            #expect(names.count == 5, "app.js loads a view before somebody wants it")
            try add(view, to: &names)
            let bytes = try names.map { try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\($0)")).count }
            #expect(bytes.reduce(0, +) <= 40 * 1024, "\(view): \(names.sorted())")
        }
    }

    @Test("No script makes elements of text, nothing is inline, and no other origin is named")
    func areHarmless() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) {
            let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Storage", "style=",
                "<style",
            ] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
            // What a namespace is called, and what a field shows as an example.
            let origins = text.components(separatedBy: "http").dropFirst()
                .filter { $0.hasPrefix("://") || $0.hasPrefix("s://") }
                .filter {
                    !$0.hasPrefix("://www.w3.org/") && !$0.hasPrefix("s://www.example.com/") && !$0.hasPrefix("://${")
                        && !$0.hasPrefix("s://…")
                }
            #expect(origins.isEmpty, "\(name): \(origins.map { $0.prefix(30) })")
        }
    }
}
#endif
