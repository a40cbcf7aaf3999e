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
