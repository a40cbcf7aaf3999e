public import Shunt
public import ShuntModules

/// The response of a door that speaks HTTP: the same for every such door.
public struct LinkResponse: Sendable {
    /// The bytes of an answer, or the events of a feed.
    @nonexhaustive public enum Body: Sendable {
        /// All of it; empty for none.
        case bytes([UInt8])
        /// The elements of a feed, each written with `LinkResponse.event(_:)`.
        case events(FeedStream<any Sendable>)
    }

    /// The status of HTTP, such as 200.
    public var status: Int
    /// The headers in the order in which they are sent.
    public var headers: [(name: String, value: String)]
    /// The bytes, or the feed whose elements are sent as they come.
    public var body: Body
    /// The body as text; nil for a feed.
    public var text: String? {
        guard case .bytes(let bytes) = body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An element of a feed as an event of `text/event-stream`.
    ///
    /// - Throws: What the type of the element throws.
    public static func event(_ element: any Sendable) throws -> [UInt8] {
        Array("data: ".utf8) + (try Answer.json(of: element) ?? Array("null".utf8)) + Array("\n\n".utf8)
    }

    init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    init(_ status: Int, json: [UInt8]) {
        self.init(status, headers: [("Content-Type", "application/json")], body: json)
    }

    // MARK: Answers

    package init(_ answer: Answer) throws {
        switch answer {
        case .value(let value) where value is NoValue: self.init(204)
        case .decided(let decision): self.init(decision)
        case .stream(let elements):
            self.init(200, headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")])
            body = .events(elements)
        case .value, .replies:
            if let json = try answer.json() { self.init(200, json: json) } else { self.init(204) }
        }
    }

    /// Creates the response for a decision of rules: a redirect, also for a URL that degrades to another, an answer, or
    /// a refusal.
    private init(_ decision: Decision) {
        // A connection that is to be closed is not the door's.
        let answer = decision.answer
        self.init(answer.map { $0.status ?? 403 } ?? 500, body: answer?.bodyBytes ?? [])
        headers = answer?.headers.map { ($0.name, $0.value) } ?? []
    }

    // MARK: Errors

    /// Creates the response for an error: its status, and for parameters their problems.
    ///
    /// Nothing else of it is revealed.
    package init(_ error: any Error) {
        let status = LinkStatus.status(of: error)
        var parameters: [JSONObject]?
        if case LinkError.parameters(_, let problems) = error {
            parameters = problems.map { ["name": $0.name, "problem": $0.kind.text] }
        }
        let object: JSONObject = ["status": status, "parameters": parameters]
        self.init(status, json: object.bytes)
    }
}

extension ParameterProblem.Kind {
    var text: String {
        switch self {
        case .missing: "missing"
        case .repeated: "repeated"
        case .unreadable(_, let wanted): "not \(wanted)"
        }
    }
}

extension Links {
    /// Opens the URL of an HTTP request, and puts its result into an HTTP response.
    ///
    /// - Parameters:
    ///   - request: The request, its method included.
    ///   - body: The body; the members of a JSON object count as parameters.
    ///   - caller: The caller, as the door knows it.
    ///   - values: What travels with the call.
    /// - Returns: The response: values as JSON with 200, `NoValue` as 204, feeds as `text/event-stream`, and errors with
    ///   the status of `LinkStatus`.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func respond(
        to request: RuleRequest,
        body: [UInt8] = [],
        from caller: Caller,
        values: CallValues = CallValues()
    ) async throws -> LinkResponse {
        do {
            return try LinkResponse(try await open(request, body: body, from: caller, values: values))
        } catch {
            try Task.checkCancellation()
            return LinkResponse(error)
        }
    }

    /// Returns true if a request leads to something that this caller may use, or the rules answer it.
    ///
    /// Does not wait: no filter and no handler runs, and the body is not needed.
    public func reaches(_ request: RuleRequest, from caller: Caller) -> Bool {
        let engine = source.currentEngine()
        let decision = engine.decide(Self.request(request, from: caller))
        guard decision.kind == .forward, let url = decision.url else { return true }
        let method = request.method
        let reached: (String?) -> Bool = { name in
            targets.contains { $0.name == name && $0.allows(caller.kind) }
        }
        if let table = engine.ruleSet.routes {
            for match in table.candidates(for: url, method: method) where reached(match.route.name) { return true }
        }
        return dispatcher.routes.candidates(for: url, method: method)
            .contains { match in targets.contains { $0.answers(match.route) && $0.allows(caller.kind) } }
    }
}
