#if Gateway
import Shunt
import ShuntGateway
import Testing

/// The page without a mouse, without good eyes, and on a small screen.
@Suite(.serialized, .inBrowser, .timeLimit(.minutes(10))) struct PageAccessibilityTests {
    private static let rules = [
        "rules.conf": "route /user/:id name=user;\nserver { location = /a { return 301 /b; } }\n"
    ]

    static let views = [
        "overview", "rules", "rules?q=rename", "explain?url=kl%3A%2F%2FCashier%2Fcheckout%3Fid%3D1", "reloads",
        "routes?url=kl%3A%2F%2FUser%2F42", "live",
    ]

    @Test("Every view has names, labels, contrast and headings, light and dark, and fits 360 pixels")
    func isAccessible() async throws {
        try await RunningGateway.with([:], options: PageTests.exampleRules) { gateway in
            for (dark, width) in [(false, 1200), (true, 360)] {
                try await Browser.at(gateway.adminPort, dark: dark, width: width) { page in
                    for view in Self.views {
                        try await page.go(view)
                        if view == "rules?q=rename" {
                            try await page.click(".open-rule")
                            try await page.wait("document.querySelector('.detail h2')")
                        }
                        let name = "\(view) \(dark ? "dark" : "light") \(width)"
                        try await AccessibilityCheck.check(page, name)
                        let fits = "document.documentElement.scrollWidth <= innerWidth"
                        #expect(try await page.holds(fits), "\(name) scrolls sideways")
                        guard width == 360 else { continue }
                        let shows =
                            "[...document.querySelectorAll('.rows .row > *, main td')].every(one => one.checkVisibility())"
                        #expect(try await page.holds(shows), "\(name) hides a column")
                    }
                }
            }
        }
    }

    @Test("The keyboard reaches every control, and the focus is seen")
    func isUsedByKeyboard() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                for view in ["overview", "rules", "explain?url=http%3A%2F%2Fa.test%2Fa", "reloads", "routes", "live"] {
                    try await page.go(view)
                    try await page.run(
                        """
                        const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
                        const controls = [...document.querySelectorAll(selector)].filter(one => one.checkVisibility() && !one.disabled);
                        // What shows numbers that change may be drawn again, as an equal element.
                        const seen = new Set();
                        window.unseen = [];
                        addEventListener('focusin', ({ target }) => {
                          seen.add(target).add(target.id || target.outerHTML);
                          if (getComputedStyle(target).outlineStyle === 'none') unseen.push(target.outerHTML.slice(0, 90));
                        });
                        window.missed = () => controls
                          .filter(one => one.isConnected && !seen.has(one) && !seen.has(one.id || one.outerHTML))
                          .map(one => one.outerHTML.slice(0, 90));
                        document.activeElement.blur();
                        """
                    )
                    // Once around; what was drawn again under the focus may take a second time.
                    let controls = Int(try await page.number("missed().length"))
                    for _ in 0..<2 where try await page.holds("missed().length") {
                        try await page.press("\u{e004}", times: controls + 2)
                    }
                    let unseen = try await page.text("unseen.join()")
                    #expect(unseen == "", "\(view): the focus is not seen")
                    let missed = try await page.text("missed().join()")
                    #expect(missed == "", "\(view)")
                }
            }
        }
    }
}
#endif
