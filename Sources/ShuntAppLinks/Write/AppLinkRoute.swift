public import Shunt
import ShuntInterfaces
public import ShuntLinks

/// A route whose URLs an app is to open.
public struct AppLinkRoute: Sendable {
    /// The name of the target.
    public var name: String
    /// Its pattern.
    public var pattern: RoutePattern
    /// The place where it was declared.
    public var location: SourceLocation

    /// Makes one.
    public init(name: String, pattern: RoutePattern, location: SourceLocation) {
        self.name = name
        self.pattern = pattern
        self.location = location
    }

    /// The routes of a table that a link may follow: those for every method, or for GET.
    ///
    /// - Parameter table: The table.
    /// - Returns: The routes, in the order of the table.
    public static func all(of table: RouteTable) -> [AppLinkRoute] {
        table.routes.filter { $0.methods.isEmpty || $0.methods.contains("GET") }
            .map { AppLinkRoute(name: $0.displayName, pattern: $0.fullPattern, location: $0.origin) }
    }
}

extension Links {
    /// The addresses that are exposed to links: what the association files of a website are written from.
    public var appLinkRoutes: [AppLinkRoute] {
        let exposed = Set(targets.filter { $0.allows(.link) }.map(\.address))
        return AppLinkRoute.all(of: dispatcher.routes).filter { exposed.contains($0.pattern.text) }
    }
}
