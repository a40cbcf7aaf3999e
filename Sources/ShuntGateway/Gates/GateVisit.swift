#if Gateway
import Logging
import ShuntRules
import Synchronization

/// A request on its way through the gates, and what it was counted for.
///
/// It goes with the request wherever that is decided again, so that one request counts once and gets one answer.
final class GateVisit: AccessGate {
    /// The count by limits of a kind.
    private struct Count {
        var answer: LimitAnswer?
        /// The value of the variable.
        var status = ""
        /// True if this decision has had the answer: as in nginx, limits at a later place do not count the request again.
        var isGiven = false
    }

    private struct State {
        var requests = Count()
        var connections = Count()
        /// The counted connections.
        var held: [(memory: ZoneMemory, place: Int)] = []
        var delay: Int?
        var hasLeft = false

        subscript(kind: LimitZone.Kind) -> Count {
            get { kind == .requests ? requests : connections }
            set { if kind == .requests { requests = newValue } else { connections = newValue } }
        }
    }

    private let gates: RuleGates
    private let client: String
    private let state = Mutex(State())

    init(_ gates: RuleGates, client: String) { (self.gates, self.client) = (gates, client) }

    deinit { leave() }

    func check(_ login: Login, in file: [UInt8], mayWait: Bool) -> PasswordAnswer {
        gates.passwords.check(login, in: file, mayWait: mayWait)
    }

    func begin() {
        state.withLock { state in
            state.requests.isGiven = false
            state.connections.isGiven = false
        }
    }

    func limitStatus(_ kind: LimitZone.Kind) -> String {
        state.withLock { $0[kind].isGiven ? $0[kind].status : "" }
    }

    /// Takes the time, in milliseconds, after which the request is decided about again, and passes; nil if it does not wait.
    func takeDelay() -> Int? {
        state.withLock { state in
            guard let delay = state.delay else { return nil }
            state.delay = nil
            state.requests.answer = .passes
            return delay
        }
    }

    /// Releases what the request is counted for while it lasts; it has ended.
    func leave() {
        state.withLock { state in
            state.hasLeft = true
            for (memory, place) in state.held { memory.leave(place) }
            state.held = []
        }
    }

    func count(_ kind: LimitZone.Kind, limits: [ZoneLimit], keys: [[UInt8]], settings: LimitSettings) -> LimitAnswer {
        let longest = kind == .requests ? 65_535 : 255
        let counted = zip(limits, keys).map { ($0, (1...longest).contains($1.count) ? $1 : []) }
        guard counted.contains(where: { !$1.isEmpty }) else { return .passes }
        return state.withLock { state in
            // No one waits for the answer any more.
            guard !state.hasLeft else { return .refuses }
            if state[kind].isGiven { return .passes }
            state[kind].isGiven = true
            if let answer = state[kind].answer { return answer }
            let answer =
                kind == .requests
                ? countRequest(counted, settings: settings, in: &state)
                : countConnection(counted, settings: settings, in: &state)
            state[kind].answer = answer
            return answer
        }
    }

    // MARK: Requests

    private func countRequest(_ limits: [(ZoneLimit, [UInt8])], settings: LimitSettings, in state: inout State)
        -> LimitAnswer
    {
        let limits = limits.map { limit, key in
            let (zone, memory) = gates.zones[limit.zoneNumber]
            return RequestCount.Limit(memory: memory, rate: zone.rate, burst: limit.most, free: limit.free, key: key)
        }
        let trial = settings.isTrial ? "_DRY_RUN" : ""
        func log(_ text: String, excess: Int, number: Int, level: Logger.Level) {
            let thousandths = String(excess % 1_000 + 1_000).dropFirst()
            gates.logger.log(
                level: level,
                "\(text) by limit_req\(settings.isTrial ? ", dry run" : "")",
                metadata: [
                    "zone": "\(limits[number].memory.name)", "excess": "\(excess / 1_000).\(thousandths)",
                    "client": "\(client)",
                ]
            )
        }
        switch RequestCount.count(limits, at: gates.clock()) {
        case .passes:
            state.requests.status = "PASSED"
            return .passes
        case .isTooMany(let excess, let number):
            if let excess {
                log("request refused", excess: excess, number: number, level: settings.level.logged.refusals)
            }
            state.requests.status = "REJECTED" + trial
            return settings.isTrial ? .passes : .refuses
        case .waits(let milliseconds, let excess, let number):
            log("request delayed", excess: excess, number: number, level: settings.level.logged.delays)
            state.requests.status = "DELAYED" + trial
            if settings.isTrial { return .passes }
            state.delay = milliseconds
            return .waits
        }
    }

    // MARK: Connections

    private func countConnection(_ limits: [(ZoneLimit, [UInt8])], settings: LimitSettings, in state: inout State)
        -> LimitAnswer
    {
        state.connections.status = "PASSED"
        for (limit, key) in limits where !key.isEmpty {
            let memory = gates.zones[limit.zoneNumber].memory
            if let place = memory.enter(key, most: limit.most) {
                state.held.append((memory, place))
                continue
            }
            for (memory, place) in state.held { memory.leave(place) }
            state.held = []
            gates.logger.log(
                level: settings.level.logged.refusals,
                "connection refused by limit_conn\(settings.isTrial ? ", dry run" : "")",
                metadata: ["zone": "\(memory.name)", "client": "\(client)"]
            )
            state.connections.status = settings.isTrial ? "REJECTED_DRY_RUN" : "REJECTED"
            return settings.isTrial ? .passes : .refuses
        }
        return .passes
    }
}

extension LimitSettings.LogLevel {
    /// The log levels of refusals and of delays; delays have the next lower level.
    fileprivate var logged: (refusals: Logger.Level, delays: Logger.Level) {
        switch self {
        case .info: (.info, .debug)
        case .notice: (.notice, .info)
        case .warn: (.warning, .notice)
        case .error: (.error, .warning)
        }
    }
}
#endif
