import ShuntCore
import ShuntRouting

/// The route of a decision without the values of its parameters: where it is in its table, and how it was found.
struct DecisionRoute: Sendable {
    let table: RouteTable
    var lookup: RouteLookup
    /// The place where the parts of the URL are.
    var parts: RouteSubject
    var methods: RouteMethodSet

    func match(url: [UInt8], values: [ByteRange]) -> RouteMatch? {
        table.match(lookup, url: url, parts: parts, method: methods, values: values)
    }
}
