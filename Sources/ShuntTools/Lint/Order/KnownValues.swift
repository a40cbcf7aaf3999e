import ShuntRules

/// The values that a built-in variable has in a server, whatever the request.
enum KnownValues {
    case target
    case scheme
    case https
    case questionMark
    case method
    case port
    case address

    /// Nil for a variable that may have any value, and for the path and the host.
    init?(_ variable: BuiltinVariable) {
        switch variable {
        case .requestURI: self = .target
        case .scheme: self = .scheme
        case .https: self = .https
        case .isArguments: self = .questionMark
        case .requestMethod: self = .method
        case .serverPort, .remotePort: self = .port
        case .remoteAddress, .realIPRemoteAddress: self = .address
        default: return nil
        }
    }

    /// An expression that matches these values and no others.
    var expression: String {
        switch self {
        case .target: "^(?:/[^\\x00-\\x20\\x7f]*|\\*)?\\z"
        case .scheme: "^https?\\z"
        case .https: "^(?:on)?\\z"
        case .questionMark: "^\\??\\z"
        case .method: "^[A-Z_-]*\\z"
        case .port: "^[0-9]*\\z"
        case .address: "^(?:[0-9a-f.:]*|unix:)\\z"
        }
    }

    /// The sentence about the values.
    var fact: String {
        switch self {
        case .target: "it is the path and the query as sent: a slash first, no host and no spaces"
        case .scheme: "it is http or https"
        case .https: "it is on, or empty"
        case .questionMark: "it is a question mark, or empty"
        case .method: "methods are in capital letters"
        case .port: "it is a number"
        case .address: "it is the address of one host"
        }
    }
}
