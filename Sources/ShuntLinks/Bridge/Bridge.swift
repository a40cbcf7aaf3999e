import Shunt
public import ShuntModules

/// The way in for web pages: envelopes of JSON that call what is exposed to `.web`.
///
/// Immutable and safe to use from any number of tasks. Each call has the caller `Caller(.web, name: origin)`.
///
/// An origin protects the visitors of a browser from other pages. It does not authenticate: a program that is not a
/// browser can send any origin. Pass the identity of a visitor in the values of a connection.
public struct Bridge: Sendable {
    /// The limits of a bridge.
    public struct Options: Sendable {
        /// The number of calls and feeds that may be under way in one connection, and of envelopes in a list.
        public var underWay = 100
        /// The largest message of a page, in bytes.
        public var messageSize = 64 << 10

        /// Makes the usual limits.
        public init() {}

        var tooMany: BridgeFailure { BridgeFailure(429, "more calls are under way than underWay allows (\(underWay))") }
    }

    private let links: Links
    private let origins: Set<String>
    /// The limits.
    public let options: Options

    /// Makes a bridge.
    ///
    /// - Parameters:
    ///   - links: The way to the modules.
    ///   - origins: The origins whose pages may use it, such as `https://shop.example.com`.
    ///   - options: The limits.
    /// - Throws: `BridgeError.invalidOrigin`.
    public init(_ links: Links, origins: [String], options: Options = Options()) throws(BridgeError) {
        var normal: Set<String> = []
        for origin in origins {
            guard let form = BridgeOrigin.normal(origin) else { throw .invalidOrigin(origin) }
            normal.insert(form)
        }
        self.links = links
        self.origins = normal
        self.options = options
    }

    /// Checks the origin of a page against the list.
    ///
    /// - Parameter origin: The origin; nil if the page has sent none, which is refused too.
    /// - Returns: The caller of its calls.
    /// - Throws: `BridgeError.refusedOrigin`.
    public func caller(from origin: String?) throws(BridgeError) -> Caller {
        guard let origin, let normal = BridgeOrigin.normal(origin), origins.contains(normal) else {
            throw .refusedOrigin(origin ?? "")
        }
        return Caller(.web, name: normal)
    }

    /// Answers a message at once: one envelope, or a list of them, whose answers have the same order.
    ///
    /// The calls of a list run side by side. Feeds need a `BridgeSession`.
    ///
    /// - Parameters:
    ///   - envelope: The message.
    ///   - origin: The origin of the page, as the platform reports it.
    ///   - values: The values that travel with the calls.
    /// - Returns: The answers as JSON.
    /// - Throws: `BridgeError.refusedOrigin`.
    public func open(
        envelope: String,
        from origin: String?,
        values: CallValues = CallValues()
    ) async throws(BridgeError) -> String {
        let caller = try caller(from: origin)
        let (envelopes, isList) = BridgeEnvelope.read(Array(envelope.utf8), limit: options.messageSize)
        let answers = await withTaskGroup(of: (Int, [UInt8]).self) { group in
            for (place, envelope) in envelopes.enumerated() {
                group.addTask { (place, await answer(envelope, at: place, caller: caller, values: values)) }
            }
            var answers = [[UInt8]](repeating: [], count: envelopes.count)
            for await (place, answer) in group { answers[place] = answer }
            return answers
        }
        guard isList else { return String(decoding: answers.first ?? [], as: UTF8.self) }
        var writer = JSONWriter()
        writer.array { writer in for answer in answers { writer.json(answer.span) } }
        return writer.text
    }

    private func answer(
        _ envelope: Result<BridgeEnvelope, BridgeFailure>,
        at place: Int,
        caller: Caller,
        values: CallValues
    ) async -> [UInt8] {
        switch envelope {
        case .failure(let failure): return BridgeAnswer.failed(failure).message(to: failure.id)
        case .success(let envelope):
            guard place < options.underWay else { return BridgeAnswer.failed(options.tooMany).message(to: envelope.id) }
            guard envelope.kind == .post else {
                let failure = BridgeFailure(400, "\"\(envelope.kind.rawValue)\" needs a WebSocket or a session")
                return BridgeAnswer.failed(failure).message(to: envelope.id)
            }
            return await open(envelope, caller: caller, values: values).answer.message(to: envelope.id)
        }
    }

    /// The outcome of a URL.
    enum Opened: Sendable {
        case answer(BridgeAnswer)
        case feed(FeedStream<any Sendable>)

        var answer: BridgeAnswer {
            switch self {
            case .answer(let answer): answer
            case .feed: .failed(BridgeFailure(400, "this is a feed: use \"listen\""))
            }
        }
    }

    /// Opens the URL of an envelope.
    func open(_ envelope: BridgeEnvelope, caller: Caller, values: CallValues) async -> Opened {
        do {
            let request = RuleRequest(url: envelope.url)
            let answer = try await links.open(request, body: envelope.parameters, from: caller, values: values)
            switch answer {
            case .stream(let elements): return .feed(elements)
            case .value(let value) where value is NoValue: return .answer(.null)
            case .value, .replies: return .answer(try answer.json().map(BridgeAnswer.value) ?? .null)
            case .decided: return .answer(Self.decided(try LinkResponse(answer)))
            }
        } catch {
            return .answer(.failed(BridgeFailure(LinkResponse(error))))
        }
    }

    /// The answer of rules: a text is a value, everything else an error.
    private static func decided(_ response: LinkResponse) -> BridgeAnswer {
        guard (200..<300).contains(response.status), case .bytes(let text) = response.body else {
            return .failed(BridgeFailure(response))
        }
        var writer = JSONWriter()
        writer.string(text.span)
        return .value(writer.bytes)
    }
}
