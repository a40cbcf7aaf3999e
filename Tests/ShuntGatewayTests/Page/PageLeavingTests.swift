#if Gateway
import Testing

extension PageTests {
    @Test("A view that is left while it asks reports nothing in the console")
    func leaving() async throws {
        try await RunningGateway.with(["rules.conf": "server { location /a { return 301 /b; } }\n"]) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                try await page.go("reloads")
                // What is asked for is answered by nothing but the end of the view.
                try await page.run(
                    """
                    const fetch = window.fetch;
                    window.asked = 0;
                    window.fetch = (_, { signal }) => new Promise((_, reject) => {
                      window.asked += 1;
                      signal.addEventListener('abort', () => reject(signal.reason));
                    });
                    dispatchEvent(new Event('rules-changed'));
                    window.fetch = fetch;
                    """
                )
                #expect(try await page.number("window.asked") > 0)
                try await page.go("rules")
            }
        }
    }
}
#endif
