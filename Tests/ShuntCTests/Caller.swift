#if compiler(>=6.3)
import CShunt
import Foundation
import ShuntC
import Testing

/// A caller of the C interface, with the pointers of one.
struct Caller: ~Copyable {
    let rules: OpaquePointer

    init(_ text: String, counts: Bool = false) throws {
        var options = shunt_options()
        options.size = MemoryLayout<shunt_options>.size
        options.counts = counts
        var rules: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        let status = withText(text) { shunt_rules_parse($0, "a.conf", &options, &rules, &message) }
        try #require(status == SHUNT_OK, "\(takeText(message) ?? "")")
        self.rules = try #require(rules)
    }

    deinit { shunt_rules_release(rules) }

    func decide(_ url: String, capacity: Int = 4096, _ change: (inout shunt_request) -> Void = { _ in }) -> Answer {
        Answer(url, capacity: capacity, change) { shunt_decide(rules, $0, $1, $2, $3) }
    }

    func report(_ report: shunt_report, _ format: shunt_format = SHUNT_TEXT) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard shunt_rules_report(rules, report, format, &text) == SHUNT_OK else { return nil }
        return takeText(text)
    }
}

/// A decision with copies of its texts.
struct Answer: Equatable {
    var status = SHUNT_OK
    var kind = SHUNT_FORWARD
    var code: Int32 = 0
    var texts: [String: String] = [:]
    var headers: [String] = []
    var parameters: [String] = []
    var needed = 0

    init(
        _ url: String,
        capacity: Int,
        _ change: (inout shunt_request) -> Void,
        by decide: (
            UnsafePointer<shunt_request>, UnsafeMutableRawPointer, Int, UnsafeMutablePointer<shunt_decision>
        ) -> shunt_status
    ) {
        withText(url) { url in
            var request = shunt_request()
            request.size = MemoryLayout<shunt_request>.size
            request.url = url
            request.http_version = 1
            change(&request)
            var decision = shunt_decision()
            decision.size = MemoryLayout<shunt_decision>.size
            // One byte off, so that no alignment is taken for granted.
            let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity + 1, alignment: 16)
            defer { buffer.deallocate() }
            status = decide(&request, buffer + 1, capacity, &decision)
            needed = decision.needed
            guard status == SHUNT_OK else { return }
            (kind, code) = (decision.kind, decision.status)
            let all = [
                ("url", decision.url), ("target", decision.target), ("authority", decision.authority),
                ("path", decision.path), ("body", decision.body), ("reason", decision.reason), ("file", decision.file),
                ("route", decision.route),
            ]
            for (name, text) in all { texts[name] = Self.string(text) }
            if decision.line > 0 { texts["place"] = "\(decision.line):\(decision.column)" }
            headers = Self.list(decision.headers, decision.header_count)
            headers += Self.list(decision.success_headers, decision.success_header_count).map { "success \($0)" }
            headers += Self.list(decision.upstream_headers, decision.upstream_header_count).map { "upstream \($0)" }
            parameters = Self.list(decision.parameters, decision.parameter_count)
        }
    }

    private static func string(_ text: shunt_text) -> String? {
        guard let bytes = text.bytes else { return nil }
        #expect(bytes[text.length] == 0)
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: text.length), as: UTF8.self)
    }

    private static func list(_ fields: UnsafePointer<shunt_field>?, _ count: Int) -> [String] {
        (0..<count)
            .compactMap { index in
                fields.map { "\(string($0[index].name) ?? ""): \(string($0[index].value) ?? "")" }
            }
    }
}

/// Lends a text to C.
func withText<Result>(_ text: String, _ body: (shunt_text) -> Result) -> Result {
    Array(text.utf8)
        .withUnsafeBytes { bytes in
            body(shunt_text(bytes: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length: bytes.count))
        }
}

/// Takes a text that the library handed over.
func takeText(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { shunt_free(text) }
    return String(cString: text)
}

/// Runs a body on a separate thread, as callers in C do: those of Swift's tasks must not wait for tasks.
func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
#endif
