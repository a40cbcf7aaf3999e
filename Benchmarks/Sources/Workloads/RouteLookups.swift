import Shunt

/// GitHub's routes in a table, and a path for each.
public struct RouteLookups {
    private let table: RouteTable
    private let scratch = RouteScratch()
    private var bytes: [UInt8] = []
    private var paths: [ByteRange] = []
    private var methods: [RouteMethodSet] = []

    /// Builds the table.
    public init() throws {
        var builder = RouteTableBuilder()
        for route in GitHubRoutes.all {
            builder.add(route.pattern, methods: [route.method])
        }
        table = try builder.build()
        for route in GitHubRoutes.all {
            let start = bytes.count
            bytes += Array(route.path.utf8)
            paths.append(ByteRange(start, bytes.count))
            methods.append(table.methods(named: route.method))
        }
    }

    /// The number of routes, and of paths.
    public var count: Int { paths.count }

    /// Looks up paths in turn.
    ///
    /// - Returns: The number of matches.
    @inline(never)
    public func run(count: Int) -> Int {
        let bytes = bytes.span
        let paths = paths.span
        let methods = methods.span
        var matches = 0
        var index = 0
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
