#if Gateway

/// A question of Envoy's `ext_proc` while it is answered.
struct ExtProcExchange {
    /// The question; nil until all of it has come.
    var question: ExtProcQuestion?
    /// The request that it is about.
    private(set) var request: ExtProcRequest?

    /// Returns the question.
    ///
    /// - Throws: What is wrong with the request of Envoy's client.
    mutating func asked(from connection: ClientConnection) throws(IncomingRequest.Refusal) -> DecisionQuestion? {
        guard let question else { return nil }
        let request = try ExtProcRequest(question)
        self.request = request
        return try DecisionQuestion(request, source: question.source, from: connection)
    }
}
#endif
