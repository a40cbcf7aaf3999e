import Bank
import Foundation
import Hummingbird
import ShuntHummingbird
import ShuntModules

/// Serves a page that pays at http://127.0.0.1:8080: `swift run PayPage`.
@main
struct PayPage {
    static func main() async throws {
        let modules = try Bank.assembly().build()
        let bridge = try Bank.bridge(to: modules, rules: "rules", origins: ["http://127.0.0.1:8080"])
        let page = try String(contentsOfFile: "page/pay.html", encoding: .utf8)

        let router = Router()
        router.get("/") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/html; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: page))
            )
        }
        let door = BridgeDoor(bridge, at: "/bridge")
        let app = Application(responder: door.responder(otherwise: router.buildResponder()), server: door.server())
        try await modules.run { _ in try await app.runService() }
    }
}
