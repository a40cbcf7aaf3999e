import ShuntRules
import Testing

@Suite("The place where a request arrived")
struct RequestFieldsTests {
    @Test(
        "Addresses and ports",
        arguments: [
            ("8080", "*", 8080),
            ("*:81", "*", 81),
            ("*", "*", 80),
            ("127.0.0.1:8080", "127.0.0.1", 8080),
            ("127.0.0.1", "127.0.0.1", 80),
            ("[::1]:443", "::1", 443),
            ("[2001:DB8::0:1]", "2001:db8::1", 80),
            ("unix:/run/a.sock", "unix:/run/a.sock", 0),
        ]
    )
    func endpoints(text: String, address: String, port: Int) throws {
        let endpoint = try RequestFields.endpoint(text)
        #expect(endpoint.address == address)
        #expect(endpoint.port == port)
    }

    @Test(
        "The scheme in front",
        arguments: [
            ("https://127.0.0.1:8443", "127.0.0.1", 8443, true), ("http://443", "*", 443, false),
            ("https://unix:/run/a.sock", "unix:/run/a.sock", 0, true),
        ]
    )
    func schemes(text: String, address: String, port: Int, isSecure: Bool) throws {
        let endpoint = try RequestFields.endpoint(text)
        #expect(endpoint == RuleRequest.Endpoint(address: address, port: port, isSecure: isSecure))
        #expect(try RequestFields.endpoint(RequestFields.text(of: endpoint)) == endpoint)
    }

    @Test(
        "Texts that are neither",
        arguments: [
            "", ":", ":80", "0", "65536", "99999999999999999999", "a", "a:80", "1.2.3.4:", "1.2.3.4:x", "::1",
            "[1.2.3.4]:80", "[::1", "[::1]x", "https://", "ftp://80",
        ]
    )
    func refused(text: String) {
        #expect(throws: RequestError.self) { try RequestFields.endpoint(text) }
    }
}
