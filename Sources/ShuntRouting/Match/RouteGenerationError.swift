/// The reason why no URL could be generated from a route and its values.
@nonexhaustive public enum RouteGenerationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No route has this name.
    case unknownRoute(String)
    /// A parameter that the pattern needs has no value.
    case missingParameter(String)
    /// The pattern has no parameter with this name.
    case unknownParameter(String)
    /// A value does not fit the parameter's type or expression, or it is empty, `.` or `..`, which no path can hold.
    case unfitValue(parameter: String, value: String)
    /// A part of the pattern has no name by which a value could be given.
    case unnamedParameter
    /// The URL would lead to another route, or back to this one with other values; this is what it would be.
    case notInvertible(String)

    /// One sentence for people, without a full stop.
    public var description: String {
        switch self {
        case .unknownRoute(let name): "no route is named \"\(name)\""
        case .missingParameter(let name): "the parameter \"\(name)\" has no value"
        case .unknownParameter(let name): "the pattern has no parameter \"\(name)\""
        case .unfitValue(let parameter, let value): "\"\(value)\" does not fit the parameter \"\(parameter)\""
        case .unnamedParameter: "a \"*\" of the pattern has no name, so it cannot have a value"
        case .notInvertible(let url): "\"\(url)\" would lead to another route or to other values"
        }
    }
}
