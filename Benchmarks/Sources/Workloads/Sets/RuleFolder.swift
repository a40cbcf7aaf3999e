/// Rules as people have them, with requests for them: what becomes a folder with `rules/` and `urls.txt`.
public struct RuleFolder: Sendable {
    /// The same for nginx.
    public struct Server: Sendable {
        /// The directives of its `http` block; `@socket@` is the place where it listens.
        public var rules: String
        /// The directive that answers in the same way where there are no rules.
        public var answer: String
    }

    /// The name of the folder.
    public let name: String
    /// The title of the set, in a few words.
    public let title: String
    /// The files of the rule set, by their paths below `rules/`.
    public var files: [String: String]
    /// The requests, each as `shunt run` reads it.
    public var requests: [String]
    /// The rules for nginx, if it has the same.
    public var server: Server?
    /// Rules without the part that the set is about, where that part is what counts.
    public var without: String?
    /// The name of another set that is measured in turns with this one, where their ratio is what counts.
    public var beside: String?
    /// True if only loading the rules counts.
    public var isForLoading = false

    init(_ name: String, _ title: String, rules: String, requests: [String]) {
        self.name = name
        self.title = title
        files = ["rules.conf": rules]
        self.requests = requests
    }

    /// The number of requests of each set; each is another one.
    static let requestCount = 1024

    /// The generators of the sets; the largest take some seconds.
    public static var makers: [@Sendable () -> RuleFolder] {
        [
            { deepLinks() }, { specifications() }, { manuals() },
            { redirects(100_000) }, { redirects(1_000_000) }, { secureHosts() }, { blockedHosts(1_000_000) },
            { clients() }, { tenants() }, { strangers(10) }, { strangers(100_000) },
            { map(1_000_000) }, { rewrites(1_000_000) },
        ] + parts
    }

    /// A number with commas, for titles.
    static func shown(_ number: Int) -> String {
        number < 1000 ? "\(number)" : shown(number / 1000) + ",\(String(1000 + number % 1000).dropFirst())"
    }

    /// A request to a server, as `shunt run` reads it.
    static func served(_ target: String, host: String = "www.example.com") -> String {
        #"{"target": "\#(target)", "host": "\#(host)"}"#
    }

    /// A server for nginx that listens at a chosen place.
    static func server(_ names: String, _ body: String) -> String {
        "server {\nlisten unix:@socket@;\nserver_name \(names);\n\(body)}\n"
    }
}
