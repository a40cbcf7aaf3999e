/// The methods that nginx or routes know by a number.
enum MethodKind: UInt8 {
    case get
    case head
    case post
    case put
    case delete
    case patch
    case other
    // Those that servers refuse come last, so that one comparison finds them.
    case trace
    case connect

    /// True for a method that servers refuse before any phase.
    var isRefused: Bool {
        @inline(__always)
        get { rawValue >= MethodKind.trace.rawValue }
    }

    /// The kind of a method, whose case matters.
    @inline(__always)
    init(_ name: Span<UInt8>) {
        // Most requests have this one.
        let isGet =
            name.count == 3 && name[0] == UInt8(ascii: "G") && name[1] == UInt8(ascii: "E")
            && name[2] == UInt8(ascii: "T")
        self = isGet ? .get : Self.other(name)
    }

    @inline(never)
    private static func other(_ name: Span<UInt8>) -> MethodKind {
        switch name.count {
        case 3 where equals(name, "PUT"): .put
        case 4 where equals(name, "HEAD"): .head
        case 4 where equals(name, "POST"): .post
        case 5 where equals(name, "PATCH"): .patch
        case 5 where equals(name, "TRACE"): .trace
        case 6 where equals(name, "DELETE"): .delete
        case 7 where equals(name, "CONNECT"): .connect
        default: .other
        }
    }

    /// True if the service reads the path: what static files answer, POST with 405.
    var isReading: Bool { self == .get || self == .head || self == .post }

    private static func equals(_ bytes: Span<UInt8>, _ name: StaticString) -> Bool {
        for index in bytes.indices {
            // Sound: the caller has compared the counts.
            guard unsafe bytes[index] == name.utf8Start[index] else { return false }
        }
        return true
    }
}
