import Shunt
import ShuntAppLinks
import ShuntLinks
import ShuntModules

/// Reads one long input at one entry point and nothing else, so that a tool outside can count what each part of it costs.
@main
struct SingleWalk {
    static let usage = """
        usage: single-walk list                  the entry points with the parts of their inputs, one pair a line
               single-walk ENTRY PART COUNT      read an input with so many of one part sixteen times
        """

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["list"] {
            for entry in Entry.allCases {
                for part in Part.allCases where entry.reads(part) { print(entry.rawValue, part.rawValue) }
            }
            return
        }
        guard arguments.count == 3, let entry = Entry(rawValue: arguments[0]), let part = Part(rawValue: arguments[1]),
            let count = Int(arguments[2])
        else { return print(usage) }
        print(try await entry.walk(part.request(count: count)))
    }
}

/// A part of a request that may be long, or many.
enum Part: String, CaseIterable {
    case labels, dots, host, components, slashes, steps, parents, escapes, path, arguments, value, fragment
    case headers, header, cookies, options

    /// A request with so many of the part.
    func request(count: Int) -> RuleRequest {
        func times(_ text: String) -> String { String(repeating: text, count: count) }
        if let header {
            var request = RuleRequest(url: "https://www.example.com/item/7")
            request.headers = Array(repeating: .init(header.name, times(header.unit)), count: 1)
            if self == .headers { request.headers = (0..<count).map { .init("X-\($0)", "1") } }
            return request
        }
        switch self {
        case .labels: return RuleRequest(url: "kl://" + times("a.") + "b/x")
        case .dots: return RuleRequest(url: "kl://" + times(".") + "b/x")
        case .host: return RuleRequest(url: "kl://" + times("ab") + "/x")
        case .components: return RuleRequest(url: "kl://Item/" + times("a/") + "b")
        case .slashes: return RuleRequest(url: "kl://Item/a" + times("/") + "b")
        case .steps: return RuleRequest(url: "kl://Item/a" + times("/.") + "/b")
        case .parents: return RuleRequest(url: "kl://Item/" + times("a/") + times("../") + "b")
        case .escapes: return RuleRequest(url: "kl://Item/" + times("%41"))
        case .path: return RuleRequest(url: "kl://Item/" + times("ab"))
        case .arguments: return RuleRequest(url: "kl://Item/7?" + times("a=1&") + "page=2")
        case .value: return RuleRequest(url: "kl://Item/7?page=" + times("ab"))
        default: return RuleRequest(url: "kl://Item/7#" + times("ab"))
        }
    }

    /// The header that is long, and what it is made of; nil for parts of the URL.
    var header: (name: String, unit: String)? {
        switch self {
        case .headers, .header: ("X-Long", "ab")
        case .cookies: ("Cookie", "a=1; ")
        case .options: ("Connection", "a, ")
        default: nil
        }
    }
}
