#if Gateway && Fleet
import TestFolder
import Testing

/// The view of the fleet that a node is one of.
@Suite(.serialized, .inBrowser, .timeLimit(.minutes(10))) struct PageFleetTests {
    @Test(
        "A node shows which release it has, who else has which, and how far a rollout is, whatever a release is called"
    )
    func showsTheFleet() async throws {
        let folder = try await FleetNodeTests.folder()
        let node = try await FleetNodeTests.node("edge-1", "file:\(folder.path)/releases", folder)
        let main = "document.querySelector('main').textContent"
        for (dark, width) in [(false, 1200), (true, 360)] {
            try await Browser.at(node.adminPort, dark: dark, width: width) { page in
                try await page.wait("document.querySelector('#views a[href=\"#/fleet\"]')")
                try await page.go("fleet")
                try await page.wait("\(main).includes('web: 1 node, 1 live')")
                if !dark {
                    #expect(
                        try await page.holds("\(main).includes('Nameedge-1Servesrelease 1Stateapplied of release 1')")
                    )
                    #expect(
                        try await page.holds(
                            "\(main).includes('None: every node has the release that it should have.')"
                        )
                    )
                    try FleetNodeTests.answer(202, folder)
                    let message = "<img src=x onerror=alert(1)>\u{202e}gnp"
                    try await FleetNodeTests.publish(folder, ["--message", message, "--stages", "1,100%"])
                }
                try await page.wait("\(main).includes('<img src=x onerror=alert(1)>')")
                #expect(try await page.holds("document.querySelector('main .ctl').textContent === 'U+202E'"))
                #expect(try await page.holds("!document.querySelector('main img')"))
                #expect(try await page.holds("\(main).includes('Rolloutrunning')"))
                let name = "fleet \(dark ? "dark" : "light") \(width)"
                try await AccessibilityCheck.check(page, name)
                #expect(try await page.holds("document.documentElement.scrollWidth <= innerWidth"), "\(name)")
            }
        }
        try folder.rename("releases", "away")
        let answer = try await node.ask("/fleet", from: node.adminPort)
        #expect(answer.status == 502, "\(answer.text)")
        try await Browser.at(node.adminPort, expecting: "502") { page in
            try await page.go("fleet")
            try await page.wait("document.querySelector('[role=alert]')?.textContent.includes('releases')")
            #expect(try await page.holds("\(main).includes('Nameedge-1')"))
        }
    }

    @Test("A gateway with its own files has no such view")
    func isForFleets() async throws {
        try await RunningGateway.with(["rules.conf": "server { return 200 ok; }"]) { gateway in
            #expect(try await gateway.get("/fleet", from: gateway.adminPort).status == 404)
            try await Browser.at(gateway.adminPort) { page in
                try await page.wait("document.querySelectorAll('#views a').length === 6")
            }
        }
    }
}
#endif
