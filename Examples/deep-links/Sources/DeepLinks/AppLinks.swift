import Shunt

/// The screen that the app opens for a link.
public enum Screen: Sendable, Equatable {
    case item(Int)
    case pay(page: String)
    case web(String)
    case signIn(then: String)
    case home
}

/// The app's links: rules first, then the screens behind the routes.
public struct AppLinks: Sendable {
    private let dispatcher: Dispatcher<Screen>
    private let version: String

    /// Loads the rules.
    public init(rules path: String, version: String) throws {
        try self.init(Engine(RuleSet(path: path)), version: version)
    }

    /// Uses rules that have been loaded.
    public init(_ engine: Engine, version: String) throws {
        var builder = DispatcherBuilder<Screen>()
        builder.addFilter(named: "signed in") { request, values in
            guard request.url.hasPrefix("kl://Pay/") else { return .proceed }
            return values.value("user", as: String.self) == nil ? .refuse("sign in first") : .proceed
        }
        builder.handle(route: "item") { link in
            guard let id = link["id"].flatMap({ Int($0) }) else { return .declined("no number") }
            return .handled(.item(id))
        }
        builder.handle(route: "pay") { link in .handled(.pay(page: link["page"] ?? "")) }
        builder.onUnmatched { _ in .handled(.home) }
        dispatcher = try builder.build(rules: engine)
        self.version = version
    }

    /// Returns the screen for a link.
    public func screen(for url: String, user: String?) async throws -> Screen? {
        var request = RuleRequest(url: url)
        request.inputs["app_version"] = version
        var values = DispatchValues()
        values["user"] = user
        switch try await dispatcher.dispatch(request, values: values) {
        case .handled(let screen): return screen
        case .refused: return .signIn(then: url)
        case .decided(let decision):
            switch decision.action {
            case .degrade(let degrade): return .web(degrade.url)
            case .redirect(let redirect): return .web(redirect.location)
            default: return nil
            }
        case .unmatched: return nil
        @unknown default: return nil
        }
    }
}
