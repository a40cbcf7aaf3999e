#if Hummingbird
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Shunt
import ShuntHummingbird
import Testing

/// The middleware for redirects and blocks.
@Suite struct ShuntMiddlewareTests {
    @Test("It redirects and blocks, and rewrites nothing", arguments: ShuntResponderTests.Transport.allCases)
    func answers(_ transport: ShuntResponderTests.Transport) async throws {
        let engine = try ShuntResponderTests.engine(
            """
            block ~ /blocked 403;
            server { rewrite ^/go$ /new redirect; rewrite ^/old$ /new; absolute_redirect off; add_header X-Rule 1; }
            """
        )
        let router = Router(context: DecidedContext.self)
        router.add(middleware: ShuntMiddleware(rules: engine))
        for path in ["/go", "/blocked", "/old"] {
            router.get(RouterPath(path)) { request, context in
                "\(request.uri.path) \(String(decoding: context.decision?.uri ?? [], as: UTF8.self))"
            }
        }
        try await Application(router: router)
            .test(transport.setup) { client in
                try await client.execute(uri: "/go", method: .get) { response in
                    #expect(response.status == .found)
                    #expect(response.headers[.location] == "/new")
                }
                try await client.execute(uri: "/blocked", method: .get) { response in
                    #expect(response.status == .forbidden)
                }
                try await client.execute(uri: "/old", method: .get) { response in
                    #expect(String(buffer: response.body) == "/old /new")
                    #expect(response.header("X-Rule") == "1")
                }
            }
    }
}
#endif
