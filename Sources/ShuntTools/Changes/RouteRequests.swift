import Shunt
import ShuntPatterns

/// Requests for a route: URLs that its pattern takes, with values of several types in the places of its parameters.
struct RouteRequests {
    /// The most forms of a pattern, and the most requests for a route.
    private static let mostForms = 8
    private static let mostRequests = 64
    /// Values of which each type takes one and refuses another.
    private static let values = [
        "a", "7", "-7", "1.5", "true", "a-b", "a_b", "2026-01-31", "00000000-0000-4000-8000-000000000000",
    ]
    private static let host = "www.example.com"

    private let checker: ValueChecker
    private let options: RoutingOptions

    init(_ options: RoutingOptions, checker: ValueChecker) {
        self.options = options
        self.checker = checker
    }

    /// The requests, those with plain values first.
    func requests(for route: Route) -> [RequestDescription] {
        let pattern = route.fullPattern
        let usual = (route.methods + ["GET", "POST"])
            .reduce(into: [String]()) { methods, method in
                if !methods.contains(method) { methods.append(method) }
            }
        let urls = (pattern.forms(limit: Self.mostForms) ?? []).flatMap { self.urls(pattern, form: $0) }
        var found: [RequestDescription] = []
        for (number, url) in urls.prefix(Self.mostRequests).enumerated() {
            for method in usual.prefix(number == 0 ? usual.count : 1) {
                var request = RuleRequest(url: url)
                request.method = method
                found.append(RequestDescription(request))
            }
        }
        return found
    }

    /// The URLs of a form: one with plain values, and for each parameter those with other values.
    private func urls(_ pattern: RoutePattern, form: [PatternFormPart]) -> [String] {
        let host = options.host == .host || pattern.scheme == nil ? self.host(of: pattern) : nil
        let start = "\(pattern.scheme ?? "https"):" + (host.map { "//\($0)" } ?? "/")
        let plain = form.map { text(of: $0) }
        func url(_ parts: [String]) -> String {
            let path = parts.joined()
            return start + (path.isEmpty && host != nil ? "/" : path)
        }
        var found = [url(plain)]
        for (index, part) in form.enumerated() {
            switch part {
            case .value, .expression:
                for value in Self.values where value != plain[index] {
                    var parts = plain
                    parts[index] = value
                    found.append(url(parts))
                }
            default: continue
            }
        }
        return found
    }

    private func host(of pattern: RoutePattern) -> String {
        let form = pattern.hostForm
        return form == [.value(nil)] ? Self.host : form.map { text(of: $0) }.joined()
    }

    private func text(of part: PatternFormPart) -> String {
        switch part {
        case .text(let bytes): URLComponentCoding.encode(bytes.span, for: .pathSegment).asText
        case .slash: "/"
        case .value(let type):
            Self.values.first { value in type.map { $0.accepts(Array(value.utf8).span) } ?? true } ?? "a"
        case .expression(let expression, _): value(of: expression) ?? "7"
        case .oneByte, .other: "a"
        case .rest: "a/b"
        case .fragment: "#"
        }
    }

    /// The shortest text that an expression takes as a whole.
    private func value(of expression: [UInt8]) -> String? {
        guard let automaton = checker.automaton("^(?:\(expression.asText))\\z"),
            let text = try? Language.automaton(automaton).shortestSubject(), !text.isEmpty
        else { return nil }
        return URLComponentCoding.encode(text.span, for: .pathSegment).asText
    }
}
