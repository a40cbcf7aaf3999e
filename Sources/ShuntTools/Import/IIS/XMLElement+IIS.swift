/// Elements of a `web.config`.
extension XMLElement {
    var isEnabled: Bool { self["enabled"] != "false" }

    /// True for a check that may refuse requests: without anonymous clients, or for TLS only.
    var mayRefuse: Bool {
        switch name {
        case "anonymousAuthentication": !isEnabled
        case "access":
            self["sslFlags"].map { !["", "None", "SslNegotiateCert"].contains($0) } ?? false
        case "requestFiltering": children.contains { !$0.isBodyLimit }
        default: true
        }
    }

    /// True for a limit of the length of bodies, and of nothing else.
    private var isBodyLimit: Bool {
        name == "requestLimits" && children.isEmpty && attributes.allSatisfy { $0.name == "maxAllowedContentLength" }
    }

    /// The name in notes.
    var title: String { name == "rule" ? "rule \(self["name"] ?? "")" : name }

    /// True if it is for one place of the site.
    var isPlace: Bool { name == "location" && !["", ".", "/"].contains(self["path"] ?? "") }

    subscript(_ name: String, default value: String) -> String { self[name] ?? value }
}
