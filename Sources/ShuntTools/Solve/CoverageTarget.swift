package import ShuntCore
package import ShuntRouting
package import ShuntRules

/// The event that has to be seen for one counted thing.
package enum CoverageTarget: Sendable, Hashable {
    case rule(SourcePosition)
    /// A condition at an instruction, and how it comes out.
    case condition(ConditionIndex, at: Int, Bool)
    /// A rule on whole URLs, and what it says.
    case matcher(at: Int, Bool)
    /// A version in a condition at an instruction, and how a value compares with it.
    case boundary(ConditionIndex, at: Int, Ordering)
    /// The entry of a map that has a template.
    case mapEntry(Int, template: TemplateIndex, SourcePosition)
    /// The entry of a `geo` that has a value, and an address that it is for.
    case addressEntry(Int, value: ByteRange, InternetAddress)
    case share(Int, Int)
    /// An entry all of whose addresses these others take.
    case hiddenEntry(by: [SourcePosition])
    /// A way through an expression, which stands at a place.
    case way(ExpressionIndex, Int, at: SourcePosition)
    case server(Int)
    case location(Int)
    case route(RouteID)

    /// Returns true if evaluations have reached it.
    func isReached(_ counts: CoverageRecorder.Counts, in program: Program) -> Bool {
        switch self {
        case .rule(let position): counts.rules.contains(position)
        case .condition(let index, _, let outcome): counts.conditions[index]?.contains(outcome) ?? false
        case .matcher(let pc, let outcome): counts.matchers[pc]?.contains(outcome) ?? false
        case .boundary(let index, _, let order): counts.boundaries[index]?.contains(order) ?? false
        case .mapEntry(let index, let template, _): counts.mapValues[TableIndex(index)]?.contains(template) ?? false
        case .addressEntry(let index, let value, _): counts.addressValues[TableIndex(index)]?.contains(value) ?? false
        case .share(let index, let number):
            counts.shares[program.tables.splits[index].position]?.contains(number) ?? false
        case .hiddenEntry: false
        case .way(let pattern, let number, _): counts.ways[pattern]?.contains(number) ?? false
        case .server(let index): counts.servers.contains(TableIndex(index))
        case .location(let index): counts.locations.contains(TableIndex(index))
        case .route(let route): counts.routes.contains(route)
        }
    }
}

extension CoverageRecorder.Seen {
    fileprivate func contains(_ outcome: Bool) -> Bool { outcome ? isTrue : isFalse }
}
