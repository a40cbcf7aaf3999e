import ShuntCore

/// The parameters of a query, in their order; a name may come more than once.
public struct RouteQuery: Sendable, Hashable {
    /// One parameter.
    public struct Item: Sendable, Hashable {
        /// The name, decoded.
        public var name: String
        /// The value, decoded; nil when there is no `=`.
        public var value: String?

        /// Makes a parameter.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The parameters in the order of the URL.
    public private(set) var items: [Item] = []

    /// Makes a query of parameters.
    public init(_ items: [Item] = []) { self.items = items }

    /// The value of the first parameter with a name that has a value.
    public subscript(_ name: String) -> String? { items.first { $0.name == name && $0.value != nil }?.value }

    /// All values of a name, in order; a parameter without `=` is nil.
    ///
    /// - Parameter name: The name, decoded.
    /// - Returns: The values; none when the name does not occur.
    public func values(of name: String) -> [String?] { items.filter { $0.name == name }.map(\.value) }

    /// The names, each once, in the order of their first parameters.
    public var names: [String] {
        var seen: Set<String> = []
        return items.map(\.name).filter { seen.insert($0).inserted }
    }

    /// True if there are no parameters.
    public var isEmpty: Bool { items.isEmpty }

    init(_ range: ByteRange, of url: [UInt8], plus: RoutingOptions.PlusDecoding, keepsValueless: Bool) {
        var iterator = QueryIterator(range)
        while let pair = iterator.next(in: url.span) {
            if pair.value == nil, !keepsValueless { continue }
            let name = String(decoding: URLBytes.decoded(pair.name, of: url, plus: plus), as: UTF8.self)
            let value = pair.value.map { String(decoding: URLBytes.decoded($0, of: url, plus: plus), as: UTF8.self) }
            items.append(Item(name: name, value: value))
        }
    }

    mutating func append(_ other: RouteQuery) { items += other.items }

    /// Removes the parameters whose names occur in `other`, and appends those.
    mutating func replace(with other: RouteQuery) {
        let names = Set(other.items.map(\.name))
        items.removeAll { names.contains($0.name) }
        items += other.items
    }
}
