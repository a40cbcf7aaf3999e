import ShuntCore

/// The parts of the request that is being decided.
///
/// Those that most evaluations read are copied into the arena; the others are kept as they came, and only where there are
/// any: a request is borrowed, and taking an array out of it counts references, which costs more than the bytes.
extension Evaluator {
    /// Takes over what the evaluation needs of a request.
    func take(_ request: borrowing Request) {
        isForURL = request.isForURL
        subjectFits = request.bytes.count <= EvaluationLimits.targetBytes
        if subjectFits {
            let mark = arena.mark
            arena.append(request.bytes)
            subject = arena.range(from: mark)
        }
        methodKind = MethodKind(request.method.span)
        if methodKind == .get {
            method = Self.get
        } else {
            let mark = arena.mark
            arena.append(request.method)
            method = arena.range(from: mark)
        }
        originalMethod = method
        hasRequestHost = request.host != nil
        if hasRequestHost { takeHost(request) }
        requestPort = request.remotePort
        requestTime = request.time
        // Mostly they are what they were, and comparing costs less than counting references.
        if unsafe memory.pointee.address != request.remoteAddress {
            unsafe memory.pointee.address = request.remoteAddress
        }
        if unsafe memory.pointee.version != request.version { unsafe memory.pointee.version = request.version }
        if request.listen != nil { unsafe memory.pointee.listen = request.listen }
        if !request.headers.isEmpty { unsafe memory.pointee.headers = request.headers }
        if !request.inputs.isEmpty { unsafe memory.pointee.inputs = request.inputs }
    }

    /// Gives back what was kept of the request: an evaluator that waits must not hold on to what a client has sent.
    func forgetRequest() {
        if !headers.isEmpty { unsafe memory.pointee.headers = [] }
        if requestListen != nil { unsafe memory.pointee.listen = nil }
        if !inputs.isEmpty { unsafe memory.pointee.inputs = [:] }
    }

    private func takeHost(_ request: borrowing Request) {
        guard let host = request.host else { return }
        let mark = arena.mark
        arena.append(host)
        requestHost = arena.range(from: mark)
    }

    /// The header lines, a Host that goes with the target not among them.
    var headers: [Request.Header] {
        @inline(__always) _read { yield unsafe memory.pointee.headers }
    }

    /// The version of HTTP.
    var requestVersion: String {
        @inline(__always) _read { yield unsafe memory.pointee.version }
    }

    /// The address of the connection.
    var requestAddress: String {
        @inline(__always) _read { yield unsafe memory.pointee.address }
    }

    /// Where the request arrived, if it says so.
    var requestListen: Request.Endpoint? {
        @inline(__always) _read { yield unsafe memory.pointee.listen }
    }

    private var inputs: [String: [UInt8]] {
        @inline(__always) _read { yield unsafe memory.pointee.inputs }
    }

    /// What the caller supplies under a name.
    func input(_ name: String) -> [UInt8]? { inputs[name] }
}
