#if Gateway
import NIOHTTP1
import Shunt
import ShuntTools

/// The answers of `/explain`: the decision about a request, with its steps.
enum ExplainReport {
    /// Answers `?url=URL`, or `?target=/path&host=HOST`, with `method`, `remote`, `time` and any number of
    /// `header=Name: value` and `input.NAME=value`.
    ///
    /// `held=true` evaluates the held rules as well, `draft=TEXT&file=NAME` the rules with another text of a file, and
    /// `why_not=FILE:LINE` adds why a rule did not apply; `notations=true` writes the request as a test.
    static func answer(_ query: String, to request: AdminRequest, by rules: ServedRules) async -> AdminResponse {
        let arguments = AdminArguments(query: query)
        let snapshot = rules.store.snapshot
        do throws(RequestError) {
            guard let question = try arguments.request() else {
                throw RequestError("use ?url=URL, or ?target=/path&host=HOST")
            }
            var report: JSONObject = ["version": snapshot.version]
            let (decision, trace) = snapshot.engine.explain(question)
            report = report.adding(members(of: decision, trace))
            if arguments.text("notations") == "true" {
                let notations = notations(of: question, decision, askedOf: request.authority ?? "localhost")
                report = report.adding(["notations": notations])
            }
            if arguments.text("held") == "true", let held = rules.engineOfHeldRules() {
                report = report.adding(["held": members(of: question, by: held)])
            }
            if let text = arguments["draft"] {
                let draft = try DraftRules(text, named: arguments.text("file") ?? "", in: snapshot)
                guard let outcome = await outcome(of: question, by: draft, rules) else { return busy }
                report = report.adding(["draft": outcome])
            }
            if let place = arguments.text("why_not") {
                guard let answers = await whyNot(at: place, question, by: snapshot.ruleSet, rules) else { return busy }
                guard !answers.isEmpty else {
                    throw RequestError("there is no rule at \(RequestFields.quoted(place))")
                }
                report = report.adding(["why_not": answers])
            }
            return .json(report.line)
        } catch {
            return .text("\(error)\n", status: .badRequest)
        }
    }

    private static let busy = AdminResponse.text(
        "another request is explained by a draft or by its near misses: try it again\n",
        status: .serviceUnavailable
    )

    private static func notations(
        of request: RuleRequest,
        _ decision: Decision,
        askedOf listener: String
    ) -> JSONObject {
        let description = RequestDescription(request)
        return [
            "expect": ExpectationText.directive(description, decision),
            "test": TestNotation.lines(description, decision),
            "line": ExpectationText.line(description),
            "curl": RequestNotation.curl(request, asking: listener),
        ]
    }

    private static func members(of request: RuleRequest, by engine: Engine) -> JSONObject {
        let (decision, trace) = engine.explain(request)
        return (["hash": engine.ruleSet.contentHash] as JSONObject).adding(members(of: decision, trace))
    }

    /// Returns the decision by a draft, or the errors in it; nil while another long question is answered.
    private static func outcome(
        of request: RuleRequest,
        by draft: DraftRules,
        _ rules: ServedRules
    ) async -> JSONObject? {
        var options = rules.engine
        // The text of a draft comes over the network: it learns nothing about the files of this machine.
        options.fileSystem = nil
        let ignoresUnknown = rules.ignoresUnknownDirectives
        let compiled = await rules.longQuestions.answer { [options] in
            Result { () throws(RuleSetError) in
                Engine(try draft.archive.compile(ignoringUnknownDirectives: ignoresUnknown), options: options)
            }
        }
        switch compiled {
        case .success(let engine)?: return members(of: request, by: engine)
        case .failure(let error)?:
            return ["diagnostics": error.diagnostics.map(AdminReports.object), "text": "\(error)"]
        case nil: return nil
        }
    }

    /// Returns why the rules at a place did not apply; a place is `FILE:LINE` or `FILE:LINE:COLUMN`.
    ///
    /// - Returns: The reasons; nil while another long question is answered.
    private static func whyNot(
        at place: String,
        _ request: RuleRequest,
        by ruleSet: RuleSet,
        _ rules: ServedRules
    ) async -> [JSONObject]? {
        var request = request
        let moment = request.time ?? .now()
        request.time = moment
        let answers = await rules.longQuestions.answer { [request] in
            WhyNot.answers(for: ruleSet, request, asOf: moment) { location in
                let shown = "/\(location):"
                return shown.hasSuffix("/\(place):") || shown.hasSuffix("/\(place):\(location.column):")
            }
        }
        return answers?.map(\.members)
    }

    private static func members(of decision: Decision, _ trace: Trace) -> JSONObject {
        let steps = trace.steps.map { TraceJSON.members(of: $0).adding(["rule": $0.rule?.description]) }
        return ["decision": object(decision), "trace": steps]
    }

    private static func object(_ decision: Decision) -> JSONObject {
        [
            "decision": decision.kind.rawValue,
            "status": decision.status,
            "url": decision.urlBytes,
            "uri": decision.uri,
            "args": decision.arguments,
            "body": decision.body,
            "server": decision.server,
            "location": decision.location,
            "route": decision.route,
            "rule": decision.rule?.description,
            "reason": decision.reason,
        ]
    }
}
#endif
