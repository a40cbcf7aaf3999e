/// One connection of a page as a state machine: events go in, effects come out.
///
/// It has no network, no task and no clock.
package struct BridgeConnection: Sendable {
    package enum Event: Sendable {
        /// The page has sent a message.
        case received([UInt8])
        /// A feed has an element, as JSON.
        case element(Int, [UInt8])
        /// A call or a feed has ended, with its answer or the end.
        case finished(Int, BridgeAnswer)
        /// The transport can take no more messages.
        case filled
        /// The transport can take messages again.
        case drained
        /// The page has gone.
        case closed
    }

    /// An effect on the modules or on the page.
    package enum Effect: Sendable, Equatable {
        /// Send a message to the page.
        case send([UInt8])
        /// Begin a call or a feed.
        case start(BridgeEnvelope)
        /// Read the next element of a feed.
        case next(Int)
        /// Cancel a call or a feed; `finished` must still follow.
        case cancel(Int)
    }

    /// A call or a feed that is under way, until its task has ended.
    private struct Work {
        var isLeaving = false
        /// The feed has sent an element, and waits for the transport.
        var isWaiting = false
    }

    private let options: Bridge.Options
    private var work: [Int: Work] = [:]
    private var isFull = false
    private var isClosed = false

    /// Makes a connection with nothing under way.
    package init(_ options: Bridge.Options = Bridge.Options()) { self.options = options }

    /// The number of calls and feeds under way.
    package var underWay: Int { work.count }

    /// Handles an event, and returns the effects in their order.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .received(let text):
            guard !isClosed else { return [] }
            let envelopes = BridgeEnvelope.read(text, limit: options.messageSize).envelopes
            return envelopes.compactMap { receive($0) }
        case .element(let id, let json):
            guard !isClosed, work[id]?.isLeaving == false else { return [] }
            let message = Effect.send(BridgeAnswer.value(json).message(to: id))
            guard isFull else { return [message, .next(id)] }
            work[id]?.isWaiting = true
            return [message]
        case .finished(let id, let answer):
            guard let ended = work.removeValue(forKey: id), !isClosed else { return [] }
            return [.send((ended.isLeaving ? .end : answer).message(to: id))]
        case .filled:
            isFull = true
            return []
        case .drained:
            isFull = false
            let waiting = work.filter(\.value.isWaiting).keys.sorted()
            for id in waiting { work[id]?.isWaiting = false }
            return waiting.map(Effect.next)
        case .closed:
            isClosed = true
            let left = work.filter { !$0.value.isLeaving }.keys.sorted()
            for id in left { work[id] = Work(isLeaving: true) }
            return left.map(Effect.cancel)
        }
    }

    private mutating func receive(_ envelope: Result<BridgeEnvelope, BridgeFailure>) -> Effect? {
        switch envelope {
        case .failure(let failure):
            // An answer with a number that is in use would end the call that has it.
            let id = failure.id.flatMap { work[$0] == nil ? $0 : nil }
            return .send(BridgeAnswer.failed(failure).message(to: id))
        case .success(let envelope) where envelope.kind == .leave:
            guard let old = work[envelope.id] else {
                return refuse(404, "nothing is under way with the id \(envelope.id)", id: envelope.id)
            }
            work[envelope.id] = Work(isLeaving: true)
            return old.isLeaving ? nil : .cancel(envelope.id)
        case .success(let envelope):
            guard work[envelope.id] == nil else { return refuse(409, "the id \(envelope.id) is under way", id: nil) }
            guard work.count < options.underWay else {
                return .send(BridgeAnswer.failed(options.tooMany).message(to: envelope.id))
            }
            work[envelope.id] = Work()
            return .start(envelope)
        }
    }

    private func refuse(_ status: Int, _ message: String, id: Int?) -> Effect {
        .send(BridgeAnswer.failed(BridgeFailure(status, message)).message(to: id))
    }
}
