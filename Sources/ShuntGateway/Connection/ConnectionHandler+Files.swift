#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntRules

/// Having a request answered with a file.
extension ConnectionHandler {
    /// Returns the course of a request that a file answers.
    func course(
        _ fields: HeaderFields,
        _ file: ServedFile,
        _ decision: borrowing DecisionView
    ) -> RequestCourse {
        let request = FileAnswer.Request(
            fields: fields,
            isHead: exchange?.account.head.method == .HEAD,
            status: decision.status ?? 200,
            number: connection.number &* 1_000_003 &+ requestCount
        )
        let interception = Interception(
            isOfFile: true,
            isQuestion: decision.isQuestion,
            statuses: decision.errorStatuses,
            isOfAnotherPath: decision.isOfAnotherPath,
            followsRedirects: false
        )
        return .file(FileExchange(file, to: request, for: self, interception))
    }

    /// Has a request answered with a file.
    func answer(with file: FileExchange) {
        guard exchange?.isOver == false else { return }
        if basis == nil, file.interception.keepsRules { basis = rules.basis }
        self.file = file
        let asked = Exchange.Asked(
            method: .GET,
            length: .none,
            given: nil,
            settings: UpstreamSettings(),
            asksUpgrade: false,
            interception: file.interception,
            room: pool.bodyRoom
        )
        // The rules have looked at the length of the body, which is dropped.
        handle(.forwarded(asked, limit: 0))
    }

    /// Has whatever answers a request carry out an effect.
    func performAtSource(_ effect: Exchange.Effect) {
        upstream?.perform(effect)
        file?.perform(effect)
        guard case .leaveUpstream = effect else { return }
        upstream = nil
        file = nil
    }
}
#endif
