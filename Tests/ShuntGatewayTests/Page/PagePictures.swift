#if Gateway
import Foundation
import Shunt
import ShuntGateway
import ShuntTools
import TestFolder
import Testing
import TestSettings

/// The place where the pictures go.
private enum PictureFolder {
    static let path = TestSettings.pagePictures
}

/// The pictures of the documents: made where `SHUNT_PAGE_PICTURES` names a folder for them, as scripts/page-screenshots does.
@Suite(
    .serialized,
    .inBrowser,
    .timeLimit(.minutes(10)),
    .enabled(if: PictureFolder.path != nil, "SHUNT_PAGE_PICTURES names no folder")
)
struct PagePictures {
    /// Requests of several kinds: hosts and targets.
    private static let requests = [
        ("www.example.com", "/"), ("www.example.com", "/item/42"), ("shop.example", "/cart?id=7"),
        ("m.example.com", "/order/9"), ("ads.example.com", "/banner"), ("old.example.com", "/page"),
        ("shop12.example.com", "/a"), ("www.example.com", "/wp-admin/"), ("item.example.com", "/i5.htm"),
    ]

    /// A folder with the rules of the README.
    private static func copiedRules() throws -> TestFolder {
        let files = FileManager.default
        let folder = try TestFolder()
        for name in try files.subpathsOfDirectory(atPath: PageTests.example) {
            let path = PageTests.example + "/" + name
            var isDirectory: ObjCBool = false
            guard files.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue else { continue }
            try folder.write(Array(try Data(contentsOf: URL(fileURLWithPath: path))), to: "rules/" + name)
        }
        return folder
    }

    private static func ask(_ gateway: RunningGateway, _ round: Int) async throws {
        for index in 0..<20 {
            // A connection each: some rules close it.
            let (host, target) = requests[(index * index + round) % requests.count]
            _ = try await gateway.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        }
    }

    @Test("Pictures of every view, light and dark")
    func pictures() async throws {
        let folder = try #require(PictureFolder.path)
        let copy = try Self.copiedRules()
        let change = RunningGateway.Change { options in
            options.gate.maximumRemoved = ChangeLimit("3")
            options.gate.action = .hold
            options.showsArgumentValues = true
            options.rules = copy.path + "/rules"
        }
        try await RunningGateway.with([:], options: change) { gateway in
            // What is drawn over time takes time.
            let end = ContinuousClock.now + .seconds(45)
            var round = 0
            while ContinuousClock.now < end {
                try await Self.ask(gateway, round)
                round += 1
                try await Task.sleep(for: .milliseconds(300 + 500 * (round % 4)))
            }
            let degrade = try copy.text("rules/20-degrade.conf")
            try copy.replace(
                "rules/20-degrade.conf",
                degrade.replacing("3.2.0", with: "3.4.0").replacing("^~ kl://Forum/", with: "^~ kl://Board/")
            )
            await gateway.gateway.reload()
            try await Self.take(gateway, folder)
        }
    }

    #if Fleet
    @Test("Pictures of a fleet in the middle of a rollout, light and dark")
    func fleet() async throws {
        let folder = try #require(PictureFolder.path)
        let files = try await FleetNodeTests.folder()
        var nodes: [ServedProgram] = []
        for name in ["edge-1", "edge-2", "edge-3", "edge-4"] {
            nodes.append(try await FleetNodeTests.node(name, "file:\(files.path)/releases", files))
        }
        try FleetNodeTests.answer(202, files)
        let rollout = ["--wait", "--stages", "1,50%,100%", "--bake", "20s", "--message", "answer 202"]
        async let published = FleetNodeTests.publish(files, rollout)
        for dark in [false, true] {
            try await Browser.at(nodes[0].adminPort, dark: dark) { page in
                try await page.go("fleet")
                try await page.wait("document.querySelectorAll('progress').length === 2")
                let path = "\(folder)/page-fleet-\(dark ? "dark" : "light").png"
                try await page.picture().write(to: URL(fileURLWithPath: path))
            }
        }
        _ = try await published
    }
    #endif

    private static func take(_ gateway: RunningGateway, _ folder: String) async throws {
        for dark in [false, true] {
            try await Browser.at(gateway.adminPort, dark: dark) { page in
                func save(_ name: String) async throws {
                    let path = "\(folder)/page-\(name)-\(dark ? "dark" : "light").png"
                    try await page.picture().write(to: URL(fileURLWithPath: path))
                }
                try await page.wait("document.querySelectorAll('svg.chart').length === 2")
                try await page.wait("document.querySelector('main').textContent.includes('Lint findings')")
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
                // Of many at a time few are shown.
                for round in 0..<50 {
                    try await ask(gateway, round)
                    if try await page.holds("document.querySelectorAll('.live tbody tr').length > 16") { break }
                }
                try await save("live")
            }
        }
    }
}
#endif
