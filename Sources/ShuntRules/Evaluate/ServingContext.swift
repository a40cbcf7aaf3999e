/// The parts of a decision of the gateway that neither the request nor the rules have.
@usableFromInline
package struct ServingContext: Sendable {
    /// The files of passwords and the counts of other requests; nil where no rule reads them: one that does refuses then.
    package var gate: (any AccessGate)?
    /// The answers of the upstreams that got the request before, in order.
    package var answers: [UpstreamAnswer]

    /// The status of a request that is refused before a location is known: 400, 414, 494, or 497 for plain HTTP at a port of TLS; 0 for
    /// any other.
    package var refused: Int32

    /// The status in place of a 200 that has neither an ETag nor a time, by the conditions of the request: 304, 412, or 0 for none.
    package var unmet: Int32

    /// True if no upstream gets what the rules send nowhere: it is a file that is missing.
    package var isAlone: Bool

    /// True if the body of the request is longer than it may be where no `client_max_body_size` has another limit.
    package var isLong: Bool

    package init(
        gate: (any AccessGate)?,
        answers: [UpstreamAnswer] = [],
        refused: Int32 = 0,
        unmet: Int32 = 0,
        isAlone: Bool = false,
        isLong: Bool = false
    ) {
        self.gate = gate
        self.isAlone = isAlone
        self.isLong = isLong
        self.answers = answers
        self.refused = refused
        self.unmet = unmet
    }
}
