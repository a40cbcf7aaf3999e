#if Hummingbird && Modules
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import ShuntAppLinks
import ShuntHummingbird
import Testing

/// Association files behind a server.
@Suite struct AppLinksResponderTests {
    @Test("The files have their type and no redirect; all else goes to the router")
    func serves() async throws {
        var file = AppSiteAssociation()
        file.details = [.init(appIDs: ["ABCDE12345.com.example.app"], components: [AppLinkComponent(path: "/item/*")])]
        let router = Router()
        router.get("/about") { _, _ in "router" }
        let app = Application(
            responder: AppLinksResponder(AppLinkFiles(apple: file), otherwise: router.buildResponder()),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let expected = String(decoding: file.json(), as: UTF8.self)
        try await app.test(.router) { client in
            for path in AppLinkFiles.applePaths + ["/apple-app-site-association?v=2"] {
                try await client.execute(uri: path, method: .get) { response in
                    #expect(response.status == .ok && response.headers[.contentType] == "application/json")
                    #expect(String(buffer: response.body) == expected)
                }
                try await client.execute(uri: path, method: .head) { response in
                    #expect(response.status == .ok && response.headers[.contentType] == "application/json")
                    #expect(response.body.readableBytes == 0)
                }
                try await client.execute(uri: path, method: .post) { #expect($0.status == .notFound) }
            }
            try await client.execute(uri: AppLinkFiles.androidPath, method: .get) { #expect($0.status == .notFound) }
            try await client.execute(uri: "/about", method: .get) { #expect(String(buffer: $0.body) == "router") }
        }
    }
}
#endif
