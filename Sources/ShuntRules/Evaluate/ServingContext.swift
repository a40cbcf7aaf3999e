/// The parts of a decision of the gateway that neither the request nor the rules have.
@usableFromInline
package struct ServingContext: Sendable {
    /// The files of passwords and the counts of other requests; nil where no rule reads them.
    package var gate: (any AccessGate)?
    /// The answers of the upstreams that got the request before, in order.
    package var answers: [UpstreamAnswer]

    package init(gate: (any AccessGate)? = nil, answers: [UpstreamAnswer] = []) {
        self.gate = gate
        self.answers = answers
    }
}
