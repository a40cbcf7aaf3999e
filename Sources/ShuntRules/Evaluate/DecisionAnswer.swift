public import ShuntCore

extension Decision {
    /// The answer of a decision that ends its request: every server sends the same one.
    public struct Answer: Sendable, Hashable {
        /// The status, from 200 to 999; nil if the connection is to be closed without an answer.
        public let status: Int?
        /// The headers in order, the Location last.
        ///
        /// None states where the answer ends: the server adds that.
        public let headers: [RuleRequest.Header]
        /// The bytes of the body of a rule; nil for a page of the server's own.
        public let bodyBytes: [UInt8]?
        /// For a failure, the problem, for people; nil for other decisions.
        public let reason: String?

        /// The body of a rule; nil for a page of the server's own.
        public var body: String? { bodyBytes.map { String(decoding: $0, as: UTF8.self) } }

        /// Makes the answer of a decision; `location` is nil where the client is not sent elsewhere.
        fileprivate init(
            _ kind: Kind,
            status: Int?,
            headers: [RuleRequest.Header],
            location: [UInt8]?,
            body: [UInt8]?,
            reason: String?
        ) {
            self.status = Self.status(of: kind, decided: status)
            var headers = headers.filter { header in
                !Self.isFraming(header.nameBytes.span)
                    && (location == nil || !Self.isSame(header.nameBytes.span, "location"))
            }
            if let location { headers.append(RuleRequest.Header(name: Array("Location".utf8), value: location)) }
            self.headers = headers
            self.bodyBytes = body
            self.reason = reason
        }

        /// Returns true if a header states where an answer ends: the server adds that, once.
        package static func isFraming(_ name: Span<UInt8>) -> Bool {
            switch name.count {
            case 10: isSame(name, "connection")
            case 14: isSame(name, "content-length")
            case 17: isSame(name, "transfer-encoding")
            default: false
            }
        }

        private static func isSame(_ name: Span<UInt8>, _ known: String) -> Bool {
            guard name.count == known.utf8.count else { return false }
            var bytes = known.utf8.makeIterator()
            return name.indices.allSatisfy { name[$0].asciiLowercased == bytes.next() }
        }

        /// The status that a decision's own stands for; nil for the connection to be closed.
        fileprivate static func status(of kind: Kind, decided status: Int?) -> Int? {
            if status == 444 { return nil }
            if kind == .degrade { return 302 }
            // A status below 200 cannot end an exchange.
            return status.flatMap { (200...999).contains($0) ? $0 : nil } ?? 500
        }
    }

    /// The answer to the request, without what `expires` adds; nil for a request that continues.
    ///
    /// `DecisionView.answer(at:)` has that, too.
    public var answer: Answer? {
        guard kind != .forward else { return nil }
        return Answer(kind, status: status, headers: headers, location: urlBytes, body: body, reason: reason)
    }

    /// Returns the headers that rules add to an answer of what the request is forwarded to.
    ///
    /// - Parameter status: The status of that answer.
    /// - Returns: The headers in order.
    public func additions(for status: Int) -> [RuleRequest.Header] {
        (headers + (Forward.isUsual(status) ? successHeaders : [])).filter { !Answer.isFraming($0.nameBytes.span) }
    }
}

extension DecisionView {
    /// The resulting URL; nil where the decision has none.
    ///
    /// It is a copy; `withURL` lends the bytes.
    public var url: String? { withURL { String(repairing: $0) } }

    /// Returns the answer to the request; nil for one that continues.
    ///
    /// - Parameter now: The time, for the headers of `expires`.
    /// - Returns: The answer.
    public func answer(at now: Timestamp = .now()) -> Decision.Answer? {
        guard kind != .forward else { return nil }
        var headers = expiryHeaders(at: now)
        withHeaders { headers.append(RuleRequest.Header(name: Array(copying: $0), value: Array(copying: $1))) }
        return Decision.Answer(
            kind,
            status: status,
            headers: headers,
            location: withURL { Array(copying: $0) },
            body: withBody { Array(copying: $0) },
            reason: reason
        )
    }

    /// The headers of `expires` for a decision that ends its request; none for one that continues.
    package func expiryHeaders(at now: Timestamp?) -> [RuleRequest.Header] {
        guard kind != .forward, let expiry = expiry?.headers(modified: nil, at: now ?? .now()) else { return [] }
        return [
            RuleRequest.Header("Expires", expiry.expires), RuleRequest.Header("Cache-Control", expiry.cacheControl),
        ]
    }

    /// The status of `answer(at:)`, without the rest of it.
    package var answerStatus: Int? { Decision.Answer.status(of: kind, decided: status) }
}
