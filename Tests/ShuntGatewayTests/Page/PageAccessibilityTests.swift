#if Gateway
import Shunt
import ShuntGateway
import Testing

/// The page without a mouse, without good eyes, and on a small screen.
@Suite(.serialized, .inBrowser) struct PageAccessibilityTests {
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
                    let controls = try await page.number(
                        """
                        (() => {
                          const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
                          window.controls = [...document.querySelectorAll(selector)].filter(one => one.checkVisibility() && !one.disabled);
                          window.seen = new Set();
                          window.unseen = [];
                          addEventListener('focusin', ({ target }) => {
                            window.seen.add(target.id || target.outerHTML);
                            if (getComputedStyle(target).outlineStyle === 'none') window.unseen.push(target.outerHTML.slice(0, 90));
                          });
                          document.activeElement.blur();
                          return window.controls.length;
                        })()
                        """
                    )
                    try await page.press("\u{e004}", times: Int(controls) + 2)
                    #expect(try await page.text("window.unseen.join()") == "", "\(view): the focus is not seen")
                    let missed =
                        "window.controls.filter(one => one.isConnected && !window.seen.has(one.id || one.outerHTML))"
                    #expect(
                        try await page.text(missed + ".map(one => one.outerHTML.slice(0, 90)).join()") == "",
                        "\(view)"
                    )
                }
            }
        }
    }
}
#endif
