#if Gateway
import NIOCore

/// A question of Envoy's `ext_proc` while it is read and answered.
///
/// Used on its event loop only.
final class ExtProcExchange {
    /// The text so far; nil once it is complete or not needed.
    var text: ByteBuffer? = ByteBuffer()
    /// The question; nil until all of it has come.
    var question: ExtProcQuestion?
    /// The request that it is about.
    private(set) var request: ExtProcRequest?

    /// Returns the question.
    ///
    /// - Throws: What is wrong with the request of Envoy's client.
    func asked(from connection: ClientConnection) throws(IncomingRequest.Refusal) -> DecisionQuestion? {
        guard let question else { return nil }
        let request = try ExtProcRequest(question)
        self.request = request
        return try DecisionQuestion(request, source: question.source, from: connection)
    }
}
#endif
