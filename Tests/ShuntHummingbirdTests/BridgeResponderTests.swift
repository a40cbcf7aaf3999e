#if Hummingbird && Modules
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Shunt
import ShuntLinks
import ShuntHummingbird
import ShuntInterfaces
import ShuntModules
import Testing

/// A bridge over HTTP, without a WebSocket.
@Suite struct BridgeResponderTests {
    static let add = ModuleAction<Sum, Int>("Sum.add", at: "sum://add", for: .web)
    static let user = ValueKey<String>("user")

    struct Sum: Codable, Sendable { var numbers: [Int] }
    struct NoSession: StatusError { var status: Int { 401 } }
    struct Sums: ProgramModule {
        func define(_ definition: inout ModuleDefinition<NoValue>) {
            definition.handle(BridgeResponderTests.add) { sum, _ in sum.numbers.reduce(0, +) }
        }
    }

    private static let message = #"{"id":1,"type":"post","url":"sum://add","param":{"numbers":[1,2]}}"#
    private static let origin = "https://shop.example.com"

    private static func test(_ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        var assembly = Assembly()
        assembly.add(Sums())
        let modules = try assembly.build()
        let links = try Links(modules, rules: Engine(try RuleSet(text: "")))
        var options = Bridge.Options()
        options.messageSize = 200
        let bridge = try Bridge(links, origins: [origin], options: options)
        let door = BridgeDoor(bridge, at: "/bridge") { request in
            guard !request.headers.contains(where: { $0.name.lowercased() == "if-match" }) else {
                throw NoSession()
            }
            return CallValues()
        }
        try await modules.run { _ in
            let router = Router()
            router.get("/other") { _, _ in "the router's" }
            let app = Application(
                responder: door.responder(otherwise: router.buildResponder()),
                server: door.server(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            try await app.test(.router, body)
        }
    }

    struct Case: Sendable {
        var method = HTTPRequest.Method.post
        var path = "/bridge"
        var origin: String? = BridgeResponderTests.origin
        var headers: HTTPFields = [:]
        var body = BridgeResponderTests.message
        var status: Int
        var expected: String?
    }

    private static let cases = [
        Case(status: 200, expected: #"{"id":1,"value":3}"#),
        Case(body: "[\(message),\(message)]", status: 200, expected: #"[{"id":1,"value":3},{"id":1,"value":3}]"#),
        Case(
            origin: nil,
            status: 403,
            expected: "pages of \"\" may not use the bridge: add the origin to its list"
        ),
        Case(
            origin: "https://evil.example",
            status: 403,
            expected: "pages of \"https://evil.example\" may not use the bridge: add the origin to its list"
        ),
        Case(headers: [.ifMatch: "blocked"], status: 401, expected: ""),
        Case(
            body: message + String(repeating: " ", count: 200),
            status: 413,
            expected: "the message has more bytes than messageSize allows"
        ),
        Case(method: .get, status: 426, expected: "connect with a WebSocket, or use POST"),
        Case(method: .delete, status: 405, expected: ""),
        Case(method: .options, status: 204, expected: ""),
        Case(method: .options, origin: "https://evil.example", status: 403, expected: ""),
        Case(method: .get, path: "/bridge.js", origin: nil, status: 200),
        Case(method: .get, path: "/other", status: 200, expected: "the router's"),
        Case(method: .post, path: "/other", status: 404),
    ]

    @Test("Requests to the path of a bridge are answered by it, all others by the router", arguments: 0..<cases.count)
    func answers(number: Int) async throws {
        let one = Self.cases[number]
        try await Self.test { client in
            var headers = one.headers
            headers[.origin] = one.origin
            let body = ByteBuffer(string: one.method == .post || one.method == .delete ? one.body : "")
            try await client.execute(uri: one.path, method: one.method, headers: headers, body: body) { response in
                #expect(response.status.code == one.status)
                if let expected = one.expected { #expect(String(buffer: response.body) == expected) }
                let isAllowed = one.path == "/bridge" && (200..<300).contains(one.status)
                #expect(response.headers[.accessControlAllowOrigin] == (isAllowed ? one.origin : nil))
            }
        }
    }

    @Test("The client is served as a module of JavaScript")
    func client() async throws {
        try await Self.test { client in
            try await client.execute(uri: "/bridge.js", method: .get) { response in
                #expect(response.headers[.contentType] == "text/javascript; charset=utf-8")
                #expect(Array(response.body.readableBytesView) == BridgeClient.javaScript)
            }
        }
    }
}
#endif
