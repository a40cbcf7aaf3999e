#if Gateway
import Foundation
import Testing

/// Lets the tests of several suites have the window one after the other.
private actor Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func give() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}

/// A window of the headless browser that all tests share, one after the other.
final class Browser: Sendable {
    private let driver: Chromedriver
    private let session: String

    private static let turns = Turns()
    private static let shared = Task { try await Browser() }

    private init() async throws {
        driver = try await Chromedriver()
        let arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
        ]
        let capabilities: [String: any Sendable] = [
            "browserName": "chrome", "goog:loggingPrefs": ["browser": "ALL"],
            "goog:chromeOptions": ["args": arguments],
        ]
        let answer = try await driver.send("POST", "/session", ["capabilities": ["alwaysMatch": capabilities]])
        guard let session = (answer.value as? [String: Any])?["sessionId"] as? String else {
            throw TestProblem("there is no session")
        }
        self.session = session
    }

    /// Reads the page of a listener: every line of the console is an issue, but for what has the words `expecting`.
    static func at(
        _ port: UInt16,
        dark: Bool = false,
        width: Int = 1200,
        expecting: String? = nil,
        _ body: (Browser) async throws -> Void
    ) async throws {
        await turns.take()
        do {
            try await look(port, dark: dark, width: width, expecting: expecting, body)
        } catch {
            await turns.give()
            throw error
        }
        await turns.give()
    }

    private static func look(
        _ port: UInt16,
        dark: Bool,
        width: Int,
        expecting: String?,
        _ body: (Browser) async throws -> Void
    ) async throws {
        let browser = try await shared.value
        try await browser.command(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]]]
        )
        try await browser.command(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false]
        )
        _ = try await browser.console()
        try await browser.open("http://127.0.0.1:\(port)/")
        let result: Result<Void, any Error>
        do { result = .success(try await body(browser)) } catch { result = .failure(error) }
        for message in try await browser.console() where expecting.map({ !message.contains($0) }) ?? true {
            Issue.record("the console: \(message)")
        }
        try await browser.open("about:blank")
        try result.get()
    }

    private func send(_ method: String, _ path: String, _ body: [String: any Sendable]? = nil) async throws -> Any? {
        try await driver.send(method, "/session/\(session)\(path)", body).value
    }

    func open(_ url: String) async throws { _ = try await send("POST", "/url", ["url": url]) }

    /// Goes to a view and waits for it.
    func go(_ fragment: String) async throws {
        try await run(
            "delete document.getElementById('main').dataset.ready; location.hash = arguments[0]",
            "#/" + fragment
        )
        let name = String(fragment.prefix { $0 != "?" })
        try await wait("document.getElementById('main').dataset.ready === '\(name)'")
    }

    /// Runs a script in the page; `arguments` has the values.
    @discardableResult
    func run(_ script: String, _ values: any Sendable...) async throws -> Any? {
        try await send("POST", "/execute/sync", ["script": script, "args": values as [any Sendable]])
    }

    func text(_ expression: String) async throws -> String {
        try await run("return String(\(expression))") as? String ?? ""
    }

    func number(_ expression: String) async throws -> Double {
        (try await run("return Number(\(expression))") as? NSNumber)?.doubleValue ?? .nan
    }

    func holds(_ expression: String) async throws -> Bool {
        (try await run("return Boolean(\(expression))") as? Bool) == true
    }

    /// Waits until an expression holds.
    func wait(_ expression: String) async throws {
        try await Wait.until("the page: \(expression)") { try await holds(expression) }
    }

    /// Clicks on an element, as a person does: it has to be in view, with nothing above it.
    func click(_ selector: String) async throws {
        // What shows numbers that change may be drawn again between the two.
        try await Wait.until("a click on \(selector)") {
            do {
                _ = try await send("POST", "/element/\(try await find(selector))/click", [:])
                return true
            } catch let problem as TestProblem where "\(problem)".contains("stale element") {
                return false
            }
        }
    }

    /// Types into an element in the place of what it has.
    func type(_ text: String, into selector: String) async throws {
        let element = try await find(selector)
        _ = try await send("POST", "/element/\(element)/clear", [:])
        _ = try await send("POST", "/element/\(element)/value", ["text": text])
    }

    /// Presses a key wherever the focus is.
    func press(_ key: String, times: Int = 1) async throws {
        let actions: [[String: any Sendable]] = (0..<times)
            .flatMap { _ in [["type": "keyDown", "value": key], ["type": "keyUp", "value": key]] }
        let source: [String: any Sendable] = ["type": "key", "id": "keyboard", "actions": actions]
        _ = try await send("POST", "/actions", ["actions": [source]])
    }

    private func find(_ selector: String) async throws -> String {
        try await wait("document.querySelector(\(Self.quoted(selector)))")
        let answer = try await send("POST", "/element", ["using": "css selector", "value": selector]) as? [String: Any]
        guard let element = answer?.values.first as? String else { throw TestProblem("no element \(selector)") }
        return element
    }

    static func quoted(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }

    private func command(_ name: String, _ parameters: [String: any Sendable]) async throws {
        _ = try await send("POST", "/goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    /// The lines of the console since the last call: errors, refused loads, violations of the policy.
    private func console() async throws -> [String] {
        let entries = try await send("POST", "/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
        return entries.filter { $0["level"] as? String != "INFO" && $0["level"] as? String != "DEBUG" }
            .map { "\($0["level"] ?? "") \($0["message"] ?? "")" }
    }

    /// A picture of the window as PNG.
    func picture() async throws -> Data {
        let text = try await send("GET", "/screenshot") as? String ?? ""
        guard let data = Data(base64Encoded: text) else { throw TestProblem("there is no picture") }
        return data
    }
}
#endif
