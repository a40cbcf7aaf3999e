import Workloads

/// Routes of one table, each with a path that leads to it.
public struct RouteSet: Sendable {
    /// One route.
    public struct Route: Sendable {
        /// The method.
        public var method: String
        /// The pattern, with parameters as `:name`.
        public var pattern: String
        /// A path that the pattern matches.
        public var path: String
    }

    /// The name, for tables.
    public let name: String
    /// The routes.
    public let routes: [Route]

    /// Makes a set of routes.
    public init(name: String, routes: [Route]) {
        self.name = name
        self.routes = routes
    }

    /// The 203 routes that benchmarks of routers have used since 2014.
    public static let github203 = RouteSet(
        name: "github-203",
        routes: GitHubRoutes.all.map { Route(method: $0.method, pattern: $0.pattern, path: $0.path) }
    )

    /// Reads routes from a short form.
    ///
    /// A word is a digit, letters and the rest of a path: the digit is the number of components that are the same as
    /// in the word before, the letters are methods, and a component `:` is a parameter. Its name is made of its position,
    /// because some routers want one name for all parameters of a place.
    init(name: String, compact: String) {
        let methods: [Character: String] = [
            "g": "GET", "p": "POST", "u": "PUT", "d": "DELETE", "a": "PATCH", "h": "HEAD", "o": "OPTIONS",
        ]
        var routes: [Route] = []
        var components: [Substring] = []
        for word in compact.split(whereSeparator: \.isWhitespace) {
            let head = word.prefix { $0 != "/" }
            let rest = word.dropFirst(head.count + 1)
            components =
                components.prefix(head.first?.wholeNumberValue ?? 0)
                + rest.split(separator: "/", omittingEmptySubsequences: false)
            var pattern = ""
            var path = ""
            for (index, component) in components.enumerated() {
                pattern += component == ":" ? "/:p\(index)" : "/\(component)"
                path += component == ":" ? "/value-\(index)" : "/\(component)"
            }
            for letter in head.dropFirst() {
                routes.append(Route(method: methods[letter] ?? "GET", pattern: pattern, path: path))
            }
        }
        self.init(name: name, routes: routes)
    }

    /// Routes for an application of any size: texts, parameters in the middle and at the end, and tails.
    public static func generated(_ count: Int) -> RouteSet {
        RouteSet(
            name: "generated-\(count)",
            routes: (0..<count)
                .map { index in
                    switch index % 4 {
                    case 0:
                        let path = "/section-\(index % 977)/item-\(index)"
                        return Route(method: "GET", pattern: path, path: path)
                    case 1:
                        let start = "/api/v\(index % 7)/thing\(index)"
                        return Route(method: "GET", pattern: "\(start)/:id/edit", path: "\(start)/4711/edit")
                    case 2:
                        return Route(
                            method: "GET",
                            pattern: "/shop\(index)/:category/:product",
                            path: "/shop\(index)/shoes/red-one"
                        )
                    default:
                        return Route(
                            method: "GET",
                            pattern: "/files/d\(index)/*rest",
                            path: "/files/d\(index)/a/b/c.txt"
                        )
                    }
                }
        )
    }

    /// Every pattern of components that are `a` or a parameter, so that a path of `a`s keeps all of them alive.
    ///
    /// - Parameter depth: The number of components; there are 2 to its power routes.
    /// - Returns: The routes.
    public static func ambiguous(depth: Int) -> RouteSet {
        let path = String(repeating: "/a", count: depth)
        return RouteSet(
            name: "backtracking",
            routes: (0..<(1 << depth))
                .map { choice in
                    let components = (0..<depth).map { choice >> $0 & 1 == 0 ? "/a" : "/:p\($0)" }
                    return Route(method: "GET", pattern: components.joined() + "/end", path: path + "/end")
                }
        )
    }
}

/// Questions that are asked of a table.
public struct RouteQuestions: Sendable {
    /// One question.
    public struct Question: Sendable {
        /// The method.
        public var method: String
        /// The path.
        public var path: String
        /// The index of the route in the set; nil when there is none.
        public var route: Int?
    }

    /// The name, for tables.
    public let name: String
    /// The routes.
    public let set: RouteSet
    /// The questions.
    public let questions: [Question]

    /// Each route of a set once.
    public init(_ set: RouteSet) {
        self.init(
            set.name,
            set,
            set.routes.enumerated().map { Question(method: $1.method, path: $1.path, route: $0) }
        )
    }

    private init(_ name: String, _ set: RouteSet, _ questions: [Question]) {
        self.name = name
        self.set = set
        self.questions = questions
    }

    /// One path with GET, which has the route with a pattern, or none.
    private init(_ name: String, _ set: RouteSet, _ path: String, _ pattern: String?) {
        let route = set.routes.firstIndex { $0.method == "GET" && $0.pattern == pattern }
        self.init(name, set, [Question(method: "GET", path: path, route: route)])
    }

    /// The same routes with at most so many of the questions, in an order that has nothing to do with theirs.
    public func sample(_ count: Int) -> RouteQuestions {
        var numbers = RandomNumbers(seed: 1)
        return RouteQuestions(name, set, Array(questions.shuffled(using: &numbers).prefix(count)))
    }

    /// All questions of the comparison.
    public static let all: [RouteQuestions] = {
        let five = RouteSet(
            name: "five",
            routes: [.init(method: "GET", pattern: "/:a/:b/:c/:d/:e", path: "/test/test/test/test/test")]
        )
        return [
            RouteQuestions(.github203),
            RouteQuestions("static", .github203, "/user/repos", "/user/repos"),
            RouteQuestions("1 parameter", .github203, "/users/octocat", "/users/:user"),
            RouteQuestions("5 parameters", five, "/test/test/test/test/test", "/:a/:b/:c/:d/:e"),
            RouteQuestions("miss", .github203, "/repos/apple/swift/nothing/here", nil),
            RouteQuestions(.github),
            RouteQuestions(.kubernetes),
            RouteQuestions("backtracking", .ambiguous(depth: 8), String(repeating: "/a", count: 8) + "/none", nil),
        ]
    }()
}
