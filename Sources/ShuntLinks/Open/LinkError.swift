public import ShuntModules
public import ShuntRouting

/// The reason why a URL could not be opened.
///
/// Errors of handlers reach the caller unchanged.
@nonexhaustive public enum LinkError: Error, Sendable {
    /// Nothing has this URL: what was in the way, the addresses nearby, and the nearest.
    case unknown(url: String, miss: RouteMiss?, known: [String], suggestion: String?)
    /// The contract is not for this caller. Callers from outside must not learn that it is there.
    case notExposed(name: String, to: Caller)
    /// No scope with this input is in the slot.
    case notAttached(slot: String)
    /// The parameters do not make the input.
    case parameters(action: String, [ParameterProblem])
    /// The answer has another type.
    case wrongType(name: String, wanted: String, found: String)
    /// A filter refused the URL.
    case refused(filter: String, reason: String)
    /// URLs that open each other: the first ones.
    case tooDeep(urls: [String])
    /// The body of a request is larger than it may be, in bytes.
    case tooLarge(limit: Int)
    /// The modules did not start in time, or do not run.
    case notReady
}

extension LinkError: CustomStringConvertible {
    /// The error in one sentence, for a log of the program: a caller from outside gets `LinkStatus.status(of:)`.
    public var description: String {
        switch self {
        case .unknown(let url, _, _, let nearest):
            "no address matches \"\(url)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
        case .notExposed(let name, let caller): "\"\(name)\" is not exposed to .\(caller.kind.rawValue)"
        case .notAttached(let slot): "no scope with this input is attached in the slot of \"\(slot)\""
        case .parameters(let action, let problems):
            "the parameters do not fit \"\(action)\": "
                + problems.map { ($0.name.isEmpty ? "" : "\($0.name) is ") + $0.kind.text }.joined(separator: ", ")
        case .wrongType(let name, let wanted, let found): "\"\(name)\" returned \(found), not \(wanted)"
        case .refused(let filter, let reason): "the filter \"\(filter)\" refused the URL: \(reason)"
        case .tooDeep(let urls): "URLs open each other: \(urls.joined(separator: ", "))"
        case .tooLarge(let limit): "the body is larger than \(limit) bytes"
        case .notReady: "the modules do not run, or did not start in time"
        }
    }
}

/// The statuses that doors to the outside answer with.
public enum LinkStatus {
    /// The HTTP status for an error that opening a URL threw.
    ///
    /// What is not exposed is answered as what is not there.
    ///
    /// - Parameter error: The error.
    /// - Returns: The status; 500 for what nothing is known of.
    public static func status(of error: any Error) -> Int {
        switch error {
        case let error as any StatusError: error.status
        case let error as LinkError:
            switch error {
            case .unknown, .notExposed, .notAttached: 404
            case .parameters: 400
            case .refused: 403
            case .tooLarge: 413
            case .notReady: 503
            case .wrongType, .tooDeep: 500
            }
        case let error as CallError:
            switch error {
            case .notActive, .detached, .slotIsFull: 503
            case .timedOut: 504
            case .refused: 403
            case .recoveryFailed(_, let original, _): status(of: original)
            case .notOffered, .differentTypes, .circularService: 500
            }
        default: 500
        }
    }
}
