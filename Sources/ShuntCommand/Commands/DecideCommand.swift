#if Gateway && Command
import ArgumentParser
import ShuntGateway

/// `shunt decide`: decisions for another proxy.
struct DecideCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide",
        abstract: "Decides by the rules for another proxy, which asks about each request and carries it.",
        discussion: """
            accel    for nginx: a request that goes on is answered with X-Accel-Redirect: \(DecisionService.goesOn), and \
            return 444 with \(DecisionService.closes).
            forward  for Caddy, HAProxy, Traefik and auth_request of nginx: a request that goes on is answered with 200. \
            return 444 is 403.
            observe  answers 204 whatever the rules say; the access log has the decision.

            What the rules answer themselves is answered as it is to a client. The body of a question is never read. \
            Besides the headers that rules add, an answer has:

            \(headers)

            Rules are reloaded, counted and looked at as with `shunt serve`.

            Examples:
                shunt decide --rules rules --listen 127.0.0.1:9000 --form accel --trusted-proxy 127.0.0.1
                shunt decide --rules rules --listen 127.0.0.1:9000 --form forward --question x-forwarded \
            --trusted-proxy 127.0.0.1
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

    @Option(help: "How it answers: accel, forward or observe.", transform: Self.form)
    var form: DecisionService.Form

    @Option(
        help: ArgumentHelp(
            """
            Where the request stands that is asked about: request, which is the question itself; x-forwarded, for \
            X-Forwarded-Uri, -Method and -Host; or x-original, for X-Original-URL or -URI, and -Method.
            """,
            valueName: "where"
        ),
        transform: Self.question
    )
    var question = DecisionService.Question.request

    @OptionGroup var gateway: GatewayArguments

    private static func form(_ text: String) throws -> DecisionService.Form {
        guard let form = DecisionService.Form(rawValue: text) else {
            throw ValidationError("--form is accel, forward or observe.")
        }
        return form
    }

    private static func question(_ text: String) throws -> DecisionService.Question {
        guard let question = DecisionService.Question(rawValue: text) else {
            throw ValidationError("--question is request, x-forwarded or x-original.")
        }
        return question
    }

    func validate() throws {
        if question != .request, gateway.trustedProxy.isEmpty {
            throw ValidationError("--question \(question.rawValue) needs --trusted-proxy: whose headers are believed?")
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
