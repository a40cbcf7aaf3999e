package import ShuntCore
package import ShuntRouting

/// Why a request failed.
package enum FailureReason: UInt8, Sendable {
    case none
    case emptyURL
    case malformedURL
    case malformedTarget
    case malformedHost
    case missingHost
    case invalidMethod
    case methodNotAllowed
    case malformedHeader
    case targetTooLong
    case headersTooLong
    case tooManyHeaders
    case unknownVersion
    case rewriteCycle
    case emptyPath
    case patternLimit
    case routeLimit
    case valueTooLong
    case unknownNamedLocation
    case malformedResult
    case degradedElsewhere
    case recursionLimit
    case aliasAfterRewrite
    case fileProblem

    /// The reason for people.
    package var text: String {
        switch self {
        case .none: ""
        case .emptyURL: "the URL is empty"
        case .malformedURL: "the URL is malformed"
        case .malformedTarget: "the request target is malformed"
        case .malformedHost: "the Host is malformed"
        case .missingHost: "an HTTP/1.1 request needs a Host"
        case .invalidMethod: "the method is malformed"
        case .methodNotAllowed: "the method is not allowed"
        case .malformedHeader: "a header is malformed"
        case .targetTooLong: "the request target is longer than \(EvaluationLimits.targetBytes) bytes"
        case .headersTooLong: "the headers are longer than \(EvaluationLimits.headerBytes) bytes"
        case .tooManyHeaders: "the request has more header lines than \"max_headers\" allows"
        case .unknownVersion: "the version of HTTP is not 1.0 or 1.1"
        case .rewriteCycle: "rewrite or internal redirection cycle: more than 10 changes of the path"
        case .emptyPath: "a rewrite left an empty path"
        case .patternLimit: "a regular expression reached its match limit"
        case .routeLimit: "a limit was reached before it was known which route comes first"
        case .valueTooLong: "the values of the request are longer than \(EvaluationLimits.valueBytes) bytes"
        case .unknownNamedLocation: "there is no such named location"
        case .malformedResult: "a rule made a malformed URL"
        case .degradedElsewhere: "\"degrade\" led to something else than an http or https URL"
        case .recursionLimit: "a variable is defined by itself"
        case .aliasAfterRewrite: "\"alias\" cannot be used where the path was rewritten"
        case .fileProblem: "the file system refused a file"
        }
    }
}

/// The limits of an evaluation.
package enum EvaluationLimits {
    /// The longest request target or URL, in bytes.
    package static let targetBytes = 65_536
    /// The longest header block, in bytes, names and values together.
    package static let headerBytes = 65_536
    /// The most bytes that all values of one request may take together.
    package static let valueBytes = 4 << 20
    /// How many times the path may change, as in nginx.
    package static let changes = 10
    /// How deep variables may refer to variables.
    package static let variableDepth = 100
}

/// What an evaluation came to, as ranges of the evaluator's arena: trivial to copy, valid until the next evaluation.
package struct Outcome: Sendable {
    package var action: Decision.Action = .forward
    package var status: Int32 = 0
    /// The Location, the degraded URL or the upstream's; unused where `hasURL` is false.
    package var url = ByteRange.empty
    package var hasURL = false
    /// Whether `url` is put together only when somebody asks for it: see `Evaluator.resultURL`.
    package var urlIsPending = false
    package var body = ByteRange.empty
    package var hasBody = false
    package var position = SourcePosition.none
    package var reason = FailureReason.none
    package var uri = ByteRange.empty
    package var arguments = ByteRange.empty
    package var hasURI = false
    package var server: Int32 = -1
    package var location: Int32 = -1
    /// The route of a forwarded request; its values are in the evaluator's scratch.
    package var route: RouteLookup?

    package init() {}
}
