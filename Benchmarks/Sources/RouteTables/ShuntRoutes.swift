public import Shunt

/// A set of routes in a table of Shunt, and questions for it.
public struct ShuntRoutes {
    /// The table.
    public let table: RouteTable
    private let scratch = RouteScratch()
    private let bytes: [UInt8]
    private let paths: [ByteRange]
    private let methods: [RouteMethodSet]
    private let expected: [RouteID?]

    /// Builds the table.
    ///
    /// - Parameter questions: The routes and what is asked.
    /// - Throws: What is wrong with the routes.
    public init(_ questions: RouteQuestions) throws {
        var builder = RouteTableBuilder()
        var identifiers: [RouteID] = []
        for route in questions.set.routes {
            identifiers.append(builder.add(route.pattern, methods: [route.method]))
        }
        table = try builder.build()
        var bytes: [UInt8] = []
        var paths: [ByteRange] = []
        for question in questions.questions {
            let start = bytes.count
            bytes += Array(question.path.utf8)
            paths.append(ByteRange(start, bytes.count))
        }
        self.bytes = bytes
        self.paths = paths
        methods = questions.questions.map { [table] in table.methods(named: $0.method) }
        expected = questions.questions.map { $0.route.map { identifiers[$0] } }
    }

    /// The number of questions.
    public var count: Int { paths.count }

    /// The number of questions whose answer is not the route that it should be.
    public var wrongAnswers: Int {
        let bytes = bytes.span
        var wrong = 0
        for index in paths.indices {
            let found = table.lookup(bytes, path: paths[index], method: methods[index], scratch: scratch)
            if (found.isMatch ? found.route : nil) != expected[index] { wrong += 1 }
        }
        return wrong
    }

    /// Looks paths up in turn.
    ///
    /// - Parameters:
    ///   - first: The number of lookups that were done before.
    ///   - count: The number of lookups.
    /// - Returns: The number of matches.
    @inline(never)
    public func run(from first: Int, count: Int) -> Int {
        let bytes = bytes.span
        let paths = paths.span
        let methods = methods.span
        var matches = 0
        var index = first % paths.count
        for _ in 0..<count {
            if table.lookup(bytes, path: paths[index], method: methods[index], scratch: scratch).isMatch {
                matches += 1
            }
            index += 1
            if index == paths.count { index = 0 }
        }
        return matches
    }
}
