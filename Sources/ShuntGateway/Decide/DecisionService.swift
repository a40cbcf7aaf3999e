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
#endif
