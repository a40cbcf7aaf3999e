#if Gateway
import NIOCore
import SeededRandom
import Testing

@testable import ShuntGateway

/// Reports of a trusted proxy in `Forwarded` and in the headers before it.
@Suite struct ForwardedHeadersTests {
    private static func read(
        _ lines: [(String, String)],
        _ names: Set<TrustedProxies.Header> = [.forwarded]
    ) throws(IncomingRequest.Refusal) -> ForwardedHeaders {
        var fields = HeaderFields()
        var bytes = ByteBuffer()
        var list: [HeaderFields.Field] = []
        for (name, value) in lines {
            let start = bytes.writerIndex
            bytes.writeString(name)
            let middle = bytes.writerIndex
            bytes.writeString(value)
            list.append(HeaderFields.Field(name: start..<middle, value: middle..<bytes.writerIndex))
        }
        fields = HeaderFields(bytes, list)
        return try ForwardedHeaders(fields, believing: names)
    }

    private static func forwarded(_ values: String...) throws(IncomingRequest.Refusal) -> ForwardedHeaders {
        try read(values.map { ("Forwarded", $0) })
    }

    @Test("The last element counts, with quotations and quoted pairs")
    func last() throws {
        let table: [(String, String?, Bool?)] = [
            ("for=192.0.2.1;proto=https;host=a.test", "a.test", true), ("host=evil, for=x;host=a.test", "a.test", nil),
            ("for=\"[2001:db8::1]:47\";host=\"a.test:80\";proto=http", "a.test:80", false),
            ("for=[2001:db8::1]:47;host=a.test", "a.test", nil),
            ("host=evil;for=\"a,b;host=c\", host=a.test", "a.test", nil),
            ("for=\"\\\"\";proto=https", nil, true), ("host=\"a\\.test\"", "a.test", nil),
            ("HOST=a.test ; Proto=HTTPS", "a.test", true),
            ("host=a.test, , ;", "a.test", nil), ("", nil, nil),
        ]
        for (value, host, isSecure) in table {
            let found = try Self.forwarded(value)
            #expect(found.host == host, "\(value)")
            #expect(found.isSecure == isSecure, "\(value)")
        }
        #expect(try Self.forwarded("host=evil", "host=a.test").host == "a.test")
        #expect(throws: IncomingRequest.Refusal.self) { try Self.forwarded("for=a;proto=ftp") }
    }

    @Test(
        "Nothing is read from what has another form",
        arguments: [
            "x=\"", "host=evil;x=\", for=192.0.2.1;proto=https;host=a.test", "x=\"\\", "x=\"\\\"", "host", "=a",
            "host =a",
            "host=a b", "host=\"a\"b", "host=a\"b\"", "host=a;host=b",
        ]
    )
    func refused(_ value: String) {
        #expect(throws: IncomingRequest.Refusal.self) { try Self.forwarded(value) }
        #expect(throws: IncomingRequest.Refusal.self) { try Self.forwarded(value, "host=a.test") }
    }

    @Test("Whatever the client sends, what the proxy adds counts, or the request is refused")
    func appended() {
        let pieces = ["\"", "\\", ",", ";", "=", "host=evil", "proto=https", "for=x", " ", "x", "[::1]", "\\\""]
        let added = ["for=192.0.2.1;proto=http;host=a.test", "for=\"[2001:db8::1]\";proto=http;host=\"a.test\""]
        var random = SeededGenerator(seed: 9)
        var read = 0
        for _ in 0..<20_000 {
            var client = ""
            for _ in 0...random.below(8) { client += random.pick(pieces) }
            let element = random.pick(added)
            guard let found = try? Self.forwarded("\(client), \(element)") else { continue }
            read += 1
            #expect(found.host == "a.test" && found.isSecure == false, "\(client)")
        }
        #expect(read > 500)
    }

    @Test("The last entry of the older headers counts")
    func others() throws {
        let found = try Self.read(
            [
                ("X-Forwarded-Host", "\"evil, a.test "), ("X-Forwarded-Proto", "https,http"),
                ("X-Forwarded-Port", "1, 8443"),
            ],
            [.host, .proto, .port]
        )
        #expect(
            found
                == {
                    var all = ForwardedHeaders()
                    (all.host, all.isSecure, all.port) = ("a.test", false, 8_443)
                    return all
                }()
        )
        #expect(ForwardedHeaders.last(["192.0.2.9", "192.0.2.1,\t192.0.2.2 "]) == "192.0.2.2")
        #expect(ForwardedHeaders.last([]) == nil)
    }
}
#endif
