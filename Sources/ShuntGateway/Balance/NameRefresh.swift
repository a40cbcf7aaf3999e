#if Gateway
import Logging
import NIOCore
import Shunt
import Synchronization

/// Looks the names of servers up again: when someone asks for a reload and the files are unchanged, and later if one had no address.
final class NameRefresh: Sendable {
    private struct State {
        /// The number of tries, by which the pauses grow.
        var tries = 0
        var timer: Scheduled<Void>?
        var reload: (@Sendable () async -> Void)?
    }

    /// The longest pause between two tries.
    static let longestPause = 60
    private static let logged = "no address for servers of upstream groups"

    private let peers: PeerTable
    private let loop: any EventLoop
    private let logger: Logger
    private let unit: TimeAmount
    private let state = Mutex(State())

    /// - Parameters:
    ///   - peers: Where the servers are.
    ///   - loop: Has the timer.
    ///   - unit: The first pause.
    ///   - logger: Gets a warning while a server has no address.
    init(_ peers: PeerTable, on loop: any EventLoop, unit: TimeAmount = .seconds(1), logger: Logger) {
        (self.peers, self.loop, self.unit, self.logger) = (peers, loop, unit, logger)
    }

    /// Loads the rules again after names had no address; nil if nothing does.
    func onRetry(_ reload: (@Sendable () async -> Void)?) { state.withLock { $0.reload = reload } }

    /// Takes an event of the store in; may block while names are looked up.
    func tell(_ event: RuleStoreEvent) {
        guard case .reload(let report) = event else { return }
        if report.failure?.diagnostics.contains(where: { $0.has(.unknownHost) }) == true {
            return retry { [weak self] in
                if let reload = self?.state.withLock({ $0.reload }) { Task { await reload() } }
            }
        }
        switch report.outcome {
        case .unchanged where report.trigger != .source: refresh(report.snapshot.ruleSet)
        case .loaded, .recovered:
            state.withLock { $0.tries = 0 }
            follow(report.snapshot.ruleSet, isMissing: peers.isMissing(in: report.snapshot.ruleSet))
        default: break
        }
    }

    private func refresh(_ ruleSet: RuleSet) { follow(ruleSet, isMissing: peers.refresh(ruleSet)) }

    private func follow(_ ruleSet: RuleSet, isMissing: Bool) {
        guard isMissing else {
            return state.withLock { state in
                state.timer?.cancel()
                (state.timer, state.tries) = (nil, 0)
            }
        }
        logger.warning("\(Self.logged): they are out of use until their names have one")
        retry { [self] in _ = BackgroundThread.start { self.refresh(ruleSet) } }
    }

    private func retry(_ work: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let pause = min(Self.longestPause, 1 << min(state.tries, 6))
            state.tries += 1
            state.timer?.cancel()
            state.timer = loop.scheduleTask(in: unit * pause, work)
        }
    }
}
#endif
