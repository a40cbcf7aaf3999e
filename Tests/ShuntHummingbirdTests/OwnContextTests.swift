#if Hummingbird
import Hummingbird
import HummingbirdTesting
import Shunt
import ShuntHummingbird
import Testing

/// A context of a program, which does not import NIOCore.
private struct ShopContext: DecidedRequestContext {
    var coreContext: CoreRequestContextStorage
    var decision: Decision?
    let channel: ConnectionChannel?
    var basket: [String] = []

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

@Suite struct OwnContextTests {
    @Test("A context of a program has the decision and values of its own")
    func context() async throws {
        let router = Router(context: ShopContext.self)
        router.get("/new") { _, context in "\(context.decision?.rule?.line ?? 0) \(context.basket.count)" }
        let engine = Engine(try RuleSet(text: "server { rewrite ^/old$ /new; }"))
        try await Application(responder: ShuntResponder(router.buildResponder(), rules: engine))
            .test(.router) { client in
                try await client.execute(uri: "/old", method: .get) { response in
                    #expect(String(buffer: response.body) == "1 0")
                }
            }
    }
}
#endif
