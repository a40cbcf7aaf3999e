import ShuntCore
import ShuntRouting

/// Components for routes.
///
/// A parameter ends at a slash and a wildcard does not. So a component for paths of three parts follows one that excludes all
/// longer paths that begin alike, and both follow the routes with longer paths. Routes with a rest come first of all, since
/// nothing is too long for them.
struct AppLinkComponents {
    /// The most ways in which what is optional may be left out.
    static let formLimit = 64

    /// The components written so far, in order.
    private(set) var components: [AppLinkComponent] = []
    /// The variables of its patterns.
    private(set) var variables = AppLinkVariables()
    /// The forms of the routes, in which what is optional is there or not.
    private(set) var forms: [(route: AppLinkRoute, form: [PatternFormPart])] = []
    /// Routes whose components take more than they do.
    private(set) var wider: [Diagnostic] = []

    private struct Line {
        var component: AppLinkComponent
        var depth: Int
        /// The patterns that its wildcards match beyond the route, to be excluded before it.
        var exclusions: [String]
    }

    private var lines: [Line] = []
    /// The patterns that are written already.
    private var seen: Set<String> = []

    private let platform: AppLinkPlatform

    init(_ routes: [AppLinkRoute], host: String, for platform: AppLinkPlatform) {
        self.platform = platform
        for route in routes where Self.isWeb(route.pattern) && route.pattern.mayTake(host: host) { add(route) }
        write()
    }

    private static func isWeb(_ pattern: RoutePattern) -> Bool {
        pattern.scheme == nil || pattern.scheme == "https" || pattern.scheme == "http"
    }

    private mutating func add(_ route: AppLinkRoute) {
        guard let forms = route.pattern.forms(limit: Self.formLimit) else {
            let message = "\"\(route.pattern.text)\" can be written in more than \(Self.formLimit) ways"
            wider.append(
                Diagnostic(.error, code: "pattern", message: message, at: route.location, suggestion: "split the route")
            )
            return
        }
        var reasons: [String] = []
        var written: [String] = []
        for form in forms {
            self.forms.append((route, form))
            let text = AppLinkFormText(form, platform, &variables)
            for (path, fragment) in text.patterns {
                guard seen.insert("\(path)#\(fragment ?? "*")").inserted else { continue }
                written.append(path)
                let component = AppLinkComponent(path: path, fragment: fragment, comment: route.name)
                lines.append(Line(component: component, depth: text.depth, exclusions: text.exclusions))
            }
            for reason in text.reasons where !reasons.contains(reason) { reasons.append(reason) }
        }
        guard !reasons.isEmpty else { return }
        wider.append(
            Diagnostic(
                .error,
                code: "pattern",
                message: "\"\(route.pattern.text)\" cannot be said exactly: \(reasons.joined(separator: "; "))",
                at: route.location,
                suggestion: written.isEmpty
                    ? nil : "the nearest that is wider is \"\(written.joined(separator: "\", \""))\""
            )
        )
    }

    private mutating func write() {
        let depths = Set(lines.map(\.depth)).sorted(by: >)
        for depth in depths {
            let here = lines.filter { $0.depth == depth }
            var excluded: Set<String> = []
            for line in here {
                for pattern in line.exclusions where excluded.insert(pattern).inserted {
                    components.append(AppLinkComponent(path: pattern, isExcluded: true))
                }
            }
            components += here.map(\.component)
        }
    }
}
