#if Command
import Shunt
import ShuntTools

/// A server that runs on the file that was imported, with its places on loopback.
protocol ImportServer {
    /// Files and folders that are there for every request.
    var files: [String] { get }

    /// Sends it a request; nil where it does not listen for such a request.
    func answer(_ request: WireRequest, files: [String]) throws -> WireAnswer?
}

extension WireAnswer {
    /// The names of the headers in which a server shows what it was about to do.
    static let headers = ["X-Shunt-Path", "X-Shunt-Arguments", "X-Shunt-Upstream", "X-Shunt-Root"]

    /// An answer of a server that shows where a request goes; `folder` has the folders of sites.
    init(_ head: WireHead, folder: String = "") {
        self.init(status: head.status, location: head["location"])
        // A path that lost its first slash is invalid here.
        guard var path = head["x-shunt-path"], path.isEmpty || path[0] == UInt8(ascii: "/") else { return }
        if path.isEmpty { path = [UInt8(ascii: "/")] }
        self.path = path
        arguments = head["x-shunt-arguments"] ?? []
        upstream = head["x-shunt-upstream"] ?? []
        let root = Array((head["x-shunt-root"] ?? []).dropFirst(folder.utf8.count))
        if upstream == [], !root.isEmpty { file = root + path }
    }
}
#endif
