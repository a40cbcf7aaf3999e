import ShuntRouting
import Testing

/// Namespace of the case tables.
enum AncestorCases {}

/// A table of routes and the questions that are asked of it.
///
/// A case file is a text: `---` begins a table, `O` sets an option, `R` adds a route (`|| name`, `|| priority`,
/// `|| scheme` and `|| accept` may follow), `#` is a remark. A question is `ID = URL -> ROUTE ; NAME=VALUE …` when the
/// values are all there are, `ID ~ URL -> …` when there may be more, `-> nothing` when no route matches, and
/// `-> !ambiguous` when no table can be made. `NAME` alone is a query item without a value, `-NAME` has none, `^NAME` is
/// replaced by the caller, `*=` is the components of the tail. `ID G VALUES -> URL` generates, and `-> !` fails.
struct AncestorTable: Sendable, CustomTestStringConvertible {
    struct Question: Sendable {
        var id: String
        var kind: String
        var input: String
        var expected: String
        var values: [String]
    }

    struct DeclaredRoute: Sendable {
        var pattern: String
        var name: String?
        var priority = 0
        var scheme: String?
        var accept: (name: String, value: String)?
    }

    var options: RoutingOptions
    var fallsBackSchemes: [String] = []
    var routes: [DeclaredRoute] = []
    var questions: [Question] = []

    var testDescription: String { questions.map(\.id).joined(separator: " ") }

    /// Reads a case file.
    static func tables(_ text: String, preset: RoutingOptions) -> [AncestorTable] {
        var tables: [AncestorTable] = []
        for line in text.split(separator: "\n").map(String.init) {
            if line == "---" {
                tables.append(AncestorTable(options: preset))
            } else if !tables.isEmpty, !line.hasPrefix("#") {
                tables[tables.count - 1].read(line)
            }
        }
        return tables
    }

    private mutating func read(_ line: String) {
        if line.hasPrefix("O ") {
            readOption(line.split(separator: " ").map(String.init))
        } else if line.hasPrefix("R ") {
            readRoute(String(line.dropFirst(2)))
        } else {
            readQuestion(line)
        }
    }

    private mutating func readOption(_ words: [String]) {
        let value = words[2]
        switch words[1] {
        case "case_sensitive": options.caseSensitive = value == "yes"
        case "end": options.matchesPrefix = value == "no"
        case "decode_plus":
            options.plusInPath = .never
            options.plusInQuery = .never
        case "treat_host_as_path_component": if value == "yes" { options.host = .component }
        case "app_schemes": options.hostComponentSchemes = Set(value.split(separator: ",").map(String.init))
        case "fallback_to_global": fallsBackSchemes = value.split(separator: ",").map(String.init)
        default: preconditionFailure("unknown option \(words[1])")
        }
    }

    private mutating func readRoute(_ text: String) {
        let parts = split(text, by: " || ")
        var route = DeclaredRoute(pattern: parts[0])
        for part in parts.dropFirst() {
            let (key, value) = cut(part, at: " ")
            switch key {
            case "name": route.name = value
            case "priority": route.priority = Int(value) ?? 0
            case "scheme": route.scheme = value
            case "accept": route.accept = cut(value, at: "=")
            default: preconditionFailure("unknown word \(key)")
            }
        }
        routes.append(route)
    }

    private mutating func readQuestion(_ line: String) {
        let (id, afterIdentifier) = cut(line, at: " ")
        let (kind, rest) = cut(afterIdentifier, at: " ")
        let (input, answer) = rest.hasPrefix("-> ") ? ("", String(rest.dropFirst(3))) : cut(rest, at: " -> ")
        let parts = split(answer, by: " ; ")
        questions.append(
            Question(id: id, kind: kind, input: input, expected: parts[0], values: Array(parts.dropFirst()))
        )
    }

    /// The table of routes.
    func build() throws -> RouteTable {
        var builder = RouteTableBuilder(options: options)
        for route in routes {
            builder.add(route.pattern, name: route.name, priority: route.priority, scheme: route.scheme)
        }
        for scheme in fallsBackSchemes { builder.setFallsBack(true, scheme: scheme) }
        return try builder.build()
    }
}

/// Returns the texts before and after the first `mark`.
func cut(_ text: String, at mark: String) -> (String, String) {
    guard let range = text.firstRange(of: mark) else { return (text, "") }
    return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
}

/// The parts between marks.
func split(_ text: String, by mark: String) -> [String] {
    var parts: [String] = []
    var rest = Substring(text)
    while let range = rest.firstRange(of: mark) {
        parts.append(String(rest[..<range.lowerBound]))
        rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
}
