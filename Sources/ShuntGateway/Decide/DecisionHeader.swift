#if Gateway
/// The headers of an answer that are for the proxy which asked.
public enum DecisionHeader: String, Sendable, CaseIterable {
    /// The decision: `forward`, `redirect`, `degrade`, `respond`, `block` or `fail`.
    case action = "X-Shunt-Action"
    /// The status that the client is to see, where the rules set one.
    case status = "X-Shunt-Status"
    /// The path and arguments of a request that continues, encoded for a request line.
    case target = "X-Shunt-Target"
    /// The Host for the upstream.
    case host = "X-Shunt-Host"
    /// The scheme and host of `proxy_pass`; there is none where no rule names an upstream.
    case upstream = "X-Shunt-Upstream"
    /// The route that matches.
    case route = "X-Shunt-Route"
    /// The rule that decided: file, line and column.
    case rule = "X-Shunt-Rule"
    /// The version of the rules.
    case version = "X-Shunt-Version"

    /// The content in a few words.
    public var summary: String {
        switch self {
        case .action: "forward, redirect, degrade, respond, block or fail"
        case .status: "the status for the client, if the rules set one"
        case .target: "the path and arguments to request, encoded"
        case .host: "the Host for the upstream"
        case .upstream: "the scheme and host of proxy_pass, if any"
        case .route: "the route that matches, if any"
        case .rule: "the rule that decided, as file:line:column"
        case .version: "the version of the rules"
        }
    }
}
#endif
