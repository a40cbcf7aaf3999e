import ShuntCore

/// A lookup of the namespaces that apply to a host.
struct HostSearch {
    let schemeHash: UInt64
    let scheme: ByteRange
    let host: ByteRange
    let port: ByteRange?
    let url: PathBytes
    let automaton: RouteAutomaton
    let scratch: RouteScratch
}
