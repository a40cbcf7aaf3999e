import ShuntCore

/// The request that is being decided, part by part.
///
/// It is the caller's own and not a copy, each of whose many arrays would be counted. `evaluate` sets the pointer and
/// takes it back around the evaluation, for which `withUnsafePointer` keeps the request where it is; between evaluations
/// there is no request, and every part is empty.
extension Evaluator {
    /// The header lines, a Host that goes with the target not among them.
    var headers: [Request.Header] {
        guard let current = unsafe current else { return [] }
        return unsafe current.pointee.headers
    }

    /// The value of the Host that goes with the target.
    var requestHost: [UInt8]? {
        guard let current = unsafe current, case .target(_, let host) = unsafe current.pointee.subject else {
            return nil
        }
        return host
    }

    /// Whether the request is for a URL.
    var isForURL: Bool {
        guard let current = unsafe current, case .url = unsafe current.pointee.subject else { return false }
        return true
    }

    /// The method as it came in.
    var requestMethod: [UInt8] {
        guard let current = unsafe current else { return [] }
        return unsafe current.pointee.method
    }

    /// The version of HTTP.
    var requestVersion: String {
        guard let current = unsafe current else { return "1.1" }
        return unsafe current.pointee.version
    }

    /// The address of the connection.
    var requestAddress: String {
        guard let current = unsafe current else { return "" }
        return unsafe current.pointee.remoteAddress
    }

    /// The port of the connection.
    var requestPort: Int {
        guard let current = unsafe current else { return 0 }
        return unsafe current.pointee.remotePort
    }

    /// Where the request arrived, if it says so.
    var requestListen: Request.Endpoint? {
        guard let current = unsafe current else { return nil }
        return unsafe current.pointee.listen
    }

    /// The time of the request, if it says so.
    var requestTime: Timestamp? {
        guard let current = unsafe current else { return nil }
        return unsafe current.pointee.time
    }

    /// What the caller supplies under a name.
    func input(_ name: String) -> [UInt8]? {
        guard let current = unsafe current else { return nil }
        return unsafe current.pointee.inputs[name]
    }
}
