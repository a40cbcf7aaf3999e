#if Gateway
import Foundation
import Shunt
import ShuntAnalysis
import ShuntGateway
import TestFolder
import Testing

/// Where the pictures go.
private enum PictureFolder {
    static let path = ProcessInfo.processInfo.environment["SHUNT_PAGE_PICTURES"]
}

/// The pictures of the documents: made where `SHUNT_PAGE_PICTURES` names a folder for them, as scripts/page-screenshots does.
@Suite(.serialized, .inBrowser, .enabled(if: PictureFolder.path != nil, "SHUNT_PAGE_PICTURES names no folder"))
struct PagePictures {
    /// Requests of several kinds: hosts and targets.
    private static let requests = [
        ("www.example.com", "/"), ("www.example.com", "/item/42"), ("shop.example", "/cart?id=7"),
        ("m.example.com", "/order/9"), ("ads.example.com", "/banner"), ("old.example.com", "/page"),
        ("shop12.example.com", "/a"), ("www.example.com", "/wp-admin/"), ("item.example.com", "/i5.htm"),
    ]

    /// The rules of the README in a folder of the gateway's own.
    private static func copyRules(to gateway: RunningGateway) throws {
        let files = FileManager.default
        for name in try files.subpathsOfDirectory(atPath: PageTests.example) {
            let path = PageTests.example + "/" + name
            var isDirectory: ObjCBool = false
            guard files.fileExists(atPath: path, isDirectory: &isDirectory) else { continue }
            if isDirectory.boolValue {
                try gateway.directory.makeDirectory(name)
            } else {
                try gateway.directory.write(Array(try Data(contentsOf: URL(fileURLWithPath: path))), to: name)
            }
        }
        try gateway.directory.remove("start.conf")
    }

    private static func ask(_ gateway: RunningGateway, _ round: Int) async throws {
        var text = ""
        for index in 0..<40 {
            let (host, target) = requests[(index * index + round) % requests.count]
            text += "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        }
        _ = try await gateway.send(text, responses: 40)
    }

    @Test("Pictures of every view, light and dark")
    func pictures() async throws {
        let folder = try #require(PictureFolder.path)
        let change = RunningGateway.Change { options in
            options.gate.maximumRemoved = ChangeBudget("3")
            options.gate.action = .hold
            options.showsArgumentValues = true
        }
        try await RunningGateway.with(["start.conf": "server { return 200 ok; }"], options: change) { gateway in
            try Self.copyRules(to: gateway)
            await gateway.gateway.reload()
            // What is drawn over time takes time.
            let end = ContinuousClock.now + .seconds(45)
            var round = 0
            while ContinuousClock.now < end {
                try await Self.ask(gateway, round)
                round += 1
                try await Task.sleep(for: .milliseconds(300 + 500 * (round % 4)))
            }
            let degrade = try gateway.directory.text("20-degrade.conf")
            try gateway.directory.replace(
                "20-degrade.conf",
                degrade.replacing("3.2.0", with: "3.4.0").replacing("^~ kl://Forum/", with: "^~ kl://Board/")
            )
            await gateway.gateway.reload()
            try await Self.take(gateway, folder)
        }
    }

    private static func take(_ gateway: RunningGateway, _ folder: String) async throws {
        for dark in [false, true] {
            try await Browser.at(gateway.adminPort, dark: dark) { page in
                func save(_ name: String) async throws {
                    let path = "\(folder)/page-\(name)-\(dark ? "dark" : "light").png"
                    try await page.picture().write(to: URL(fileURLWithPath: path))
                }
                try await page.wait("document.querySelectorAll('svg.chart').length === 2")
                try await page.wait("document.querySelector('main').textContent.includes('What lint found')")
                try await save("overview")
                try await page.go("rules?sort=-hits")
                try await page.click(".open-rule")
                try await page.wait("document.querySelector('.detail')?.textContent.includes('Explain it')")
                try await save("rules")
                try await page.go("explain?url=kl%3A%2F%2FCashier%2Fcheckout%3Fid%3D1&input.app_version=3.1.9")
                try await page.wait("document.getElementById('outcome')")
                try await page.run("scrollTo(0, 330)")
                try await save("explain")
                try await page.go("reloads")
                try await page.wait("document.querySelector('.flow')")
                try await save("reloads")
                try await page.go("routes?url=kl%3A%2F%2FUser%2F42")
                try await page.wait("document.querySelector('.tree .lit')")
                try await save("routes")
                try await page.go("live")
                try await page.wait("document.getElementById('main').dataset.listening")
                try await ask(gateway, 3)
                try await page.wait("document.querySelectorAll('.live tbody tr').length > 8")
                try await save("live")
            }
        }
    }
}
#endif
