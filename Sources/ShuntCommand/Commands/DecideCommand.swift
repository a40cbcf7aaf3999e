#if Gateway && Command
import ArgumentParser
import ShuntGateway

struct DecideCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide",
        abstract: "Decides each request for another proxy, which forwards it.",
        discussion: """
            accel    for nginx: a request that continues is answered with X-Accel-Redirect: \(DecisionService.goesOn), and return 444 with \
            \(DecisionService.closes).
            forward  for Caddy, HAProxy, Traefik, auth_request of nginx and ext_authz of Envoy: a request that continues is answered with \
            200. return 444 is 403.
            ext-proc for ext_proc of Envoy by HTTP: the question is a ProcessingRequest as JSON, and the answer lists the headers with \
            which the request continues, or what the client gets. return 444 is 403.
            observe  answers 204 whatever the rules decide, or with the question ext-proc that nothing changes; the access log has the \
            decision.

            An answer of the rules is returned as to a client. The body of a question is never read, unless the question is ext-proc. In \
            addition to the headers that rules add, an answer, or with ext-proc the request that continues, has:

            \(headers)

            Rules are reloaded, counted and shown as with `shunt serve`.

            Examples:
                shunt decide --rules rules --listen 127.0.0.1:9000 --form accel --trusted-proxy 127.0.0.1
                shunt decide --rules rules --listen 127.0.0.1:9000 --form forward --question x-forwarded \
            --trusted-proxy 127.0.0.1
                shunt decide --rules rules --listen 127.0.0.1:9000 --form ext-proc --trusted-proxy 127.0.0.1
            """
    )

    private static var headers: String {
        DecisionHeader.allCases
            .map { header in
                let gap = String(repeating: " ", count: 18 - header.rawValue.count)
                return "    \(header.rawValue)\(gap)\(header.summary)"
            }
            .joined(separator: "\n")
    }

    @Option(help: "The form of its answers: accel, forward, ext-proc or observe.", transform: Self.form)
    var form: DecisionService.Form

    @Option(
        help: .value(
            "where",
            """
            The place of the request to decide: request, which is the question itself; x-forwarded, for X-Forwarded-Uri, -Method and \
            -Host; x-original, for X-Original-URL or -URI, and -Method; or ext-proc, the only one of the form ext-proc.
            """
        ),
        transform: {
            try DecisionService.Question(rawValue: $0)
                .valid(or: "--question is request, x-forwarded, x-original or ext-proc.")
        }
    )
    var question = DecisionService.Question.request

    @OptionGroup var gateway: GatewayArguments

    private static func form(_ text: String) throws -> DecisionService.Form {
        try DecisionService.Form(rawValue: text).valid(or: "--form is accel, forward, ext-proc or observe.")
    }

    func validate() throws {
        let service = DecisionService(form: form, question: question)
        if form == .extProc, question != .request, question != .extProc {
            throw ValidationError("--form ext-proc has its own question: leave out --question \(question.rawValue).")
        }
        if question == .extProc, form != .extProc, form != .observe {
            throw ValidationError("--question ext-proc is answered by --form ext-proc and --form observe.")
        }
        if service.question != .request, gateway.trustedProxy.isEmpty {
            let option = form == .extProc ? "--form ext-proc" : "--question \(question.rawValue)"
            throw ValidationError("\(option) needs --trusted-proxy: the addresses whose questions are trusted")
        }
        _ = try gateway.options()
    }

    func run() throws {
        var options = try gateway.options()
        options.decisionService = DecisionService(form: form, question: question)
        try gateway.serve(options)
    }
}
#endif
