import Shunt

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
        /// The text before a last wildcard that takes the slash after it alone; nil if there is none.
        var stem: String?

        /// The characters of the stem in the last component.
        var stemLength: Int { stem.map { $0.unicodeScalars.reversed().prefix { $0 != "/" }.count } ?? 0 }
    }

    private var lines: [Line] = []
    /// The patterns that are written already.
    private var seen: Set<String> = []

    private let platform: AppLinkPlatform

    init(_ routes: [AppLinkRoute], host: String, for platform: AppLinkPlatform) {
        self.platform = platform
        let schemes = [nil, "https", "http"]
        for route in routes where schemes.contains(route.pattern.scheme) && route.pattern.mayTake(host: host) {
            add(route)
        }
        write()
    }

    private mutating func add(_ route: AppLinkRoute) {
        guard let forms = route.pattern.forms(limit: Self.formLimit) else {
            let message = "\"\(route.pattern.text)\" can be written in more than \(Self.formLimit) ways"
            wider.append(Diagnostic(.error(.pattern), message, at: route.location, suggestion: "split the route"))
            return
        }
        var reasons: [String] = []
        var written: [String] = []
        for form in forms {
            self.forms.append((route, form))
            let text = AppLinkFormText(form, platform: platform, in: &variables)
            for (path, fragment, stem) in text.patterns {
                guard seen.insert("\(path)#\(fragment ?? "*")").inserted else { continue }
                written.append(path)
                let component = AppLinkComponent(path: path, fragment: fragment, comment: route.name)
                let exclusions = text.exclusions
                lines.append(Line(component: component, depth: text.depth, exclusions: exclusions, stem: stem))
            }
            for reason in text.reasons where !reasons.contains(reason) { reasons.append(reason) }
        }
        guard !reasons.isEmpty else { return }
        let message = "\"\(route.pattern.text)\" cannot be expressed exactly: \(reasons.joined(separator: "; "))"
        let advice = written.isEmpty ? nil : "the nearest that is wider is \"\(written.joined(separator: "\", \""))\""
        wider.append(Diagnostic(.error(.pattern), message, at: route.location, suggestion: advice))
    }

    private mutating func write() {
        let depths = Set(lines.map(\.depth)).sorted(by: >)
        for depth in depths {
            let here = lines.filter { $0.depth == depth }
            for pattern in here.flatMap(\.exclusions) { exclude(pattern) }
            // A slash alone is not a value: it is excluded right before its line, and after each line with a shorter
            // stem, which may have a value that ends like this stem.
            for line in here.sorted(by: { $0.stemLength < $1.stemLength }) where !isTaken(line.component) {
                if let stem = line.stem { exclude(stem + "/") }
                components.append(line.component)
            }
        }
    }

    /// True if a component before takes all that a path with a slash at its end takes, and more.
    private func isTaken(_ component: AppLinkComponent) -> Bool {
        guard let path = component.path, path.hasSuffix("/") else { return false }
        return components.contains { other in
            other.path == path + "*" && other.isExcluded != true && [nil, component.fragment].contains(other.fragment)
        }
    }

    private mutating func exclude(_ pattern: String) {
        if components.contains(where: { $0.isExcluded == true && $0.path == pattern }) { return }
        components.append(AppLinkComponent(path: pattern, isExcluded: true))
    }
}
