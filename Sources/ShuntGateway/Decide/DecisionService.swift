#if Gateway
/// The service of a gateway that decides for another proxy: the proxy asks about each request and carries it.
public struct DecisionService: Sendable, Hashable {
    /// The form of its answers.
    @nonexhaustive
    public enum Form: String, Sendable, CaseIterable {
        /// Has nginx continue in a named location, by `X-Accel-Redirect`.
        case accel
        /// Answers 200 where the request continues.
        case forward
        /// Answers in JSON what Envoy's filter `ext_proc` is to do; always 200, unless the question is invalid.
        case extProc = "ext-proc"
        /// Answers 204 to everything: what would be decided is only logged and counted.
        case observe
    }

    /// The place where the request is that is asked about.
    @nonexhaustive
    public enum Question: String, Sendable, CaseIterable {
        /// The request of the proxy is that of its client, but for the body.
        case request
        /// `X-Forwarded-Uri`, with `X-Forwarded-Method` and `X-Forwarded-Host`.
        case forwarded = "x-forwarded"
        /// `X-Original-URL` or `X-Original-URI`, with `X-Original-Method`.
        case original = "x-original"
        /// The body is a `ProcessingRequest` of Envoy's filter `ext_proc`, as JSON.
        case extProc = "ext-proc"
    }

    /// The named location of nginx where requests continue.
    public static let goesOn = "@shunt"
    /// The named location of nginx that closes the connection, for `return 444`.
    public static let closes = "@shunt_close"

    /// The form of its answers.
    public let form: Form
    /// The place where the request is that is asked about.
    ///
    /// Headers and bodies are believed of trusted proxies only.
    public let question: Question

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - form: How it answers. `extProc` has a separate question, whatever `question` has.
    ///   - question: Where the request is that is asked about; `extProc` is for the forms `extProc` and `observe` only.
    public init(form: Form, question: Question = .request) {
        self.form = form
        self.question = form == .extProc ? .extProc : question
    }
}

/// The headers of an answer for the proxy that sent the request.
public enum DecisionHeader: String, Sendable, CaseIterable {
    /// The decision: `forward`, `redirect`, `degrade`, `respond`, `block` or `fail`.
    case action = "X-Shunt-Action"
    /// The status that the client is to see, where the rules set one.
    case status = "X-Shunt-Status"
    /// The path and arguments of a request that continues, encoded for a request line.
    case target = "X-Shunt-Target"
    /// The Host for the upstream.
    case host = "X-Shunt-Host"
    /// The scheme and host of `proxy_pass`; left out if no rule names an upstream.
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
