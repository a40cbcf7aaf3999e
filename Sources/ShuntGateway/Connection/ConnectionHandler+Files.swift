#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// Having a request answered with a file.
extension ConnectionHandler {
    /// Returns the action for a request that a file answers.
    ///
    /// - Parameters:
    ///   - fields: The headers of the request.
    ///   - file: The file.
    ///   - decision: The decision.
    ///   - isPage: Whether the request cannot be read: no rule decides about it again.
    /// - Returns: The action.
    func action(
        _ fields: HeaderFields,
        file: ServedFile,
        decision: borrowing DecisionView,
        isPage: Bool = false
    ) -> RequestAction {
        let request = FileAnswer.Request(
            // A question is about the request, whatever part of a file that one wants.
            fields: decision.isQuestion ? HeaderFields() : fields,
            isHead: exchange?.account.head.method == .HEAD,
            status: RuleAdditions.status(of: decision).map { Int($0.code) } ?? 200,
            number: connection.number &* 1_000_003 &+ requestCount,
            added: exchange?.additions?.state ?? (nil, nil)
        )
        let interception = Interception(
            isOfFile: true,
            isQuestion: decision.isQuestion,
            statuses: isPage ? [] : decision.errorStatuses,
            isOfAnotherPath: !isPage && decision.isOfAnotherPath,
            followsRedirects: false
        )
        return .file(FileExchange(file, to: request, for: self, interception))
    }

    /// Has a request answered with a file.
    func answer(with file: FileExchange) {
        guard exchange?.isOver == false else { return }
        keepRules(for: file.interception)
        self.file = file
        let asked = Exchange.OutgoingRequest(
            method: .GET,
            length: .none,
            given: nil,
            settings: UpstreamSettings(),
            asksUpgrade: false,
            interception: file.interception,
            room: pool.bodyRoom
        )
        // The body is dropped.
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
