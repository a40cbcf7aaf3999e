package import ShuntCore

/// The failure that ends an evaluation that cannot decide: thrown, so that no caller can continue as if there were a
/// value.
package struct EvaluationFailure: Error, Sendable {
    package var reason: FailureReason
    package var status: Int32
    /// The rule that was being tried.
    package var position: SourcePosition
    var urlError: URLSyntaxError?
    /// True if `error_page` has been asked and did not take it.
    var isFinal = false

    init(_ reason: FailureReason, status: Int32, at position: SourcePosition) {
        self.reason = reason
        self.status = status
        self.position = position
    }

    /// True if `error_page` may take it: what nginx answers with a status as it does any other request.
    ///
    /// What reaches one of our limits is never taken. What was asked for is not known then, and the page could let through
    /// what a rule was about to block.
    var isForErrorPages: Bool {
        if isFinal { return false }
        return switch reason {
        case .malformedTarget, .malformedHost, .missingHost, .invalidMethod, .malformedHeader, .targetTooLong,
            .headersTooLong, .tooManyHeaders, .unknownVersion, .rewriteCycle, .emptyPath, .pathWithoutSlash,
            .unknownNamedLocation, .aliasAfterRewrite:
            true
        case .none, .emptyURL, .malformedURL, .patternLimit, .valueTooLong, .malformedResult, .degradedElsewhere,
            .recursionLimit, .stepLimit, .routeLimit, .unknownUpstreamAnswer, .waitsForPassword, .waitsForLimit:
            false
        }
    }
}

package enum FailureReason: UInt8, Sendable {
    case none
    case emptyURL
    case malformedURL
    case malformedTarget
    case malformedHost
    case missingHost
    case invalidMethod
    case malformedHeader
    case targetTooLong
    case headersTooLong
    case tooManyHeaders
    case unknownVersion
    case rewriteCycle
    case emptyPath
    case pathWithoutSlash
    case patternLimit
    case routeLimit
    case valueTooLong
    case unknownNamedLocation
    case malformedResult
    case degradedElsewhere
    case recursionLimit
    case stepLimit
    case aliasAfterRewrite
    case unknownUpstreamAnswer
    case waitsForPassword
    case waitsForLimit

    /// True if the work reached a limit, so that another one with more of it may reach a decision.
    package var isLimitOfWork: Bool {
        switch self {
        case .patternLimit, .routeLimit, .stepLimit, .waitsForPassword, .waitsForLimit: true
        default: false
        }
    }

    package var text: String {
        switch self {
        case .none: ""
        case .emptyURL: "the URL is empty"
        case .malformedURL: "the URL is malformed"
        case .malformedTarget: "the request target is malformed"
        case .malformedHost: "the Host is malformed"
        case .missingHost: "an HTTP/1.1 request needs a Host"
        case .invalidMethod: "the method is malformed"
        case .malformedHeader: "a header is malformed"
        case .targetTooLong: "the request target is longer than \(EvaluationLimits.targetBytes) bytes"
        case .headersTooLong: "the headers are longer than \(EvaluationLimits.headerBytes) bytes"
        case .tooManyHeaders: "the request has more header lines than \"max_headers\" allows"
        case .unknownVersion: "the version of HTTP is not 1.0 or 1.1"
        case .rewriteCycle: "rewrite or internal redirection cycle: more than 10 changes of the path"
        case .emptyPath: "a rewrite left an empty path"
        case .pathWithoutSlash: "a rewrite left a path that does not begin with a slash"
        case .patternLimit: "a regular expression reached its match limit"
        case .routeLimit: "a limit was reached before it was known which route comes first"
        case .valueTooLong: "the values of the request are longer than \(EvaluationLimits.valueBytes) bytes"
        case .unknownNamedLocation: "there is no such named location"
        case .malformedResult: "a rule made a malformed URL"
        case .degradedElsewhere: "\"degrade\" led to something else than an http or https URL"
        case .recursionLimit:
            "variables refer to variables more than \(EvaluationLimits.variableDepth) levels deep"
        case .stepLimit: "the variables of the request take more than \(EvaluationLimits.variableSteps) steps"
        case .aliasAfterRewrite: "\"alias\" cannot be used where the path was rewritten"
        case .unknownUpstreamAnswer: "the rules have changed since an upstream got the request"
        case .waitsForPassword: "a password takes long to check"
        case .waitsForLimit: "\"limit_req\" delays the request"
        }
    }
}
