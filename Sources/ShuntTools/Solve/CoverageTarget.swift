package import Shunt

/// The event that has to be seen for one counted thing.
package enum CoverageTarget: Sendable, Hashable {
    case rule(SourcePosition)
    /// A condition at a step, and how it comes out.
    case condition(RuleModel.Condition, at: RuleModel.Step, Bool)
    /// A rule on whole URLs, and its outcome.
    case matcher(at: RuleModel.Step, Bool)
    /// A version in a condition at a step, and how a value compares with it.
    case boundary(RuleModel.Condition, at: RuleModel.Step, Ordering)
    case mapEntry(RuleModel.Map, at: SourcePosition)
    /// The entry of a `geo` that an address is for.
    case addressEntry(RuleModel.AddressTable, at: SourcePosition, InternetAddress)
    case share(RuleModel.Split, at: SourcePosition, Int)
    /// An entry all of whose addresses these others take.
    case hiddenEntry(by: [SourcePosition])
    /// A way through an expression, which is at a place.
    case way(RuleModel.Expression, Int, at: SourcePosition)
    case server(RuleModel.Server)
    case location(RuleModel.Location)
    case route(RouteID)

    /// Returns true if evaluations have reached it.
    func isReached(_ counts: CoverageRecorder.Counts) -> Bool {
        switch self {
        case .rule(let position): counts.rules.contains(position)
        case .condition(let condition, _, let outcome): counts.saw(condition, outcome)
        case .matcher(let step, let outcome): counts.saw(step, outcome)
        case .boundary(let condition, _, let order): counts.saw(condition, order)
        case .mapEntry(let map, let position): counts.saw(entryAt: position, ofTableAt: map.position)
        case .addressEntry(let table, let position, _): counts.saw(entryAt: position, ofTableAt: table.position)
        case .share(let split, let position, _): counts.saw(entryAt: position, ofTableAt: split.position)
        case .hiddenEntry: false
        case .way(let expression, let number, _): counts.saw(expression, way: number)
        case .server(let server): counts.saw(server)
        case .location(let location): counts.saw(location)
        case .route(let route): counts.routes.contains(route)
        }
    }
}
