public import ShuntInterfaces
import Synchronization

/// Repairs what made calls fail, and makes them again: sign-in after a 401, a connection that was lost.
///
/// However many calls fail with one cause, there is one repair at a time, and each call is made again as often as its
/// own budget allows. What a repair returns is added to the values of the calls that are made again and of all that
/// come later, so put the recovery around as little as possible.
///
/// Safe to use from any task. Copies share what repairs returned.
public struct Recovery: Interceptor {
    /// The repetitions of a call, and the time and the pause of repairs.
    public struct Limits: Sendable {
        /// The number of times one call is repeated.
        public var attempts = 1
        /// The time after which a repair is cancelled and fails.
        public var repairTime: Duration = .seconds(120)
        /// The pause after a failed repair before another is tried.
        public var pause: Duration = .seconds(5)

        /// Makes the usual limits.
        public init() {}
    }

    private let state: any RecoveryState

    /// Makes it.
    ///
    /// - Parameters:
    ///   - name: A name for people.
    ///   - limits: What it may cost.
    ///   - cause: What has to be repaired for an error to go away; nil for an error that is not to be repaired. Failed
    ///     calls with equal causes share one repair.
    ///   - repair: Repairs it, in a task of the scope that has the interceptor. What it returns is added to the values of
    ///     the calls that are made again, and of all that come later, until the next repair or `forget()`. Calls that it
    ///     makes itself are not recovered.
    public init<Cause: Hashable & Sendable>(
        _ name: String,
        limits: Limits = Limits(),
        cause: @escaping @Sendable (any Error, CallContext) -> Cause?,
        repair: @escaping @Sendable (Cause, Scope) async throws -> CallValues
    ) {
        state = RecoveryOf<Cause>(name: name, limits: limits, cause: cause, repair: repair)
    }

    /// Forgets what repairs returned, as after signing out.
    public func forget() { state.forget() }

    /// Hands the call on, and again after a repair.
    ///
    /// - Throws: What the call throws in the end; `CallError.recoveryFailed` with both errors where the repair failed.
    public func intercept<I, O>(_ input: I, _ call: CallContext, next: NextCall<I, O>) async throws -> O {
        var attempts = 0
        while true {
            var current = call
            let mark = state.begin(&current.values)
            do {
                return try await next(input, current)
            } catch {
                if let input = input as? any RepeatableInput, !input.canBeRepeated { throw error }
                guard attempts < state.limits.attempts else { throw error }
                attempts += 1
                try await state.recover(from: error, current, since: mark, in: next.host(of: call))
            }
        }
    }
}

/// The state of a recovery, whatever the type of its causes.
private protocol RecoveryState: Sendable {
    var limits: Recovery.Limits { get }
    /// Adds what repairs returned; returns the number of repairs so far.
    func begin(_ values: inout CallValues) -> Int
    /// Returns when the call may be made again, else throws.
    func recover(from error: any Error, _ call: CallContext, since mark: Int, in scope: Scope) async throws
    func forget()
}

/// The recoveries whose repairs a task belongs to.
private enum Repairing {
    @TaskLocal static var recoveries: [ObjectIdentifier] = []
}

private final class RecoveryOf<Cause: Hashable & Sendable>: RecoveryState {
    private struct State {
        /// The number of repairs that succeeded, of all causes.
        var repairs = 0
        /// That number when the last repair of a cause succeeded.
        var lastRepair: [Cause: Int] = [:]
        var pausedUntil: [Cause: Duration] = [:]
        var values: [Cause: CallValues] = [:]
        /// All of them together, made when they change so that a call costs nothing.
        var allValues = CallValues()
    }

    let name: String
    let limits: Recovery.Limits
    private let cause: @Sendable (any Error, CallContext) -> Cause?
    private let repair: @Sendable (Cause, Scope) async throws -> CallValues
    private let state = Mutex(State())
    private let repairs = SharedWork<Cause, Void>()

    init(
        name: String,
        limits: Recovery.Limits,
        cause: @escaping @Sendable (any Error, CallContext) -> Cause?,
        repair: @escaping @Sendable (Cause, Scope) async throws -> CallValues
    ) {
        self.name = name
        self.limits = limits
        self.cause = cause
        self.repair = repair
    }

    func begin(_ values: inout CallValues) -> Int {
        let (all, mark) = state.withLock { ($0.allValues, $0.repairs) }
        if !all.isEmpty { values = values.merging(all) }
        return mark
    }

    func forget() {
        let old = state.withLock { state in
            defer {
                state.values = [:]
                state.allValues = CallValues()
            }
            return (state.values, state.allValues)
        }
        _ = old
    }

    func recover(from error: any Error, _ call: CallContext, since mark: Int, in scope: Scope) async throws {
        let own = ObjectIdentifier(self)
        guard !Repairing.recoveries.contains(own), let cause = cause(error, call) else { throw error }
        let clock = scope.program.clock
        let now = clock.now
        let (isRepaired, isPaused) = state.withLock { state in
            ((state.lastRepair[cause] ?? 0) > mark, state.pausedUntil[cause].map { now < $0 } ?? false)
        }
        if isRepaired { return }
        if isPaused { throw error }
        do {
            try await repairs.share(cause, in: scope, as: "repair \(name)") { [self] in
                try await Repairing.$recoveries.withValue(Repairing.recoveries + [own]) {
                    try await repair(cause, since: mark, in: scope, clock)
                }
            }
        } catch let repairError {
            try Task.checkCancellation()
            throw CallError.recoveryFailed(name: name, original: error, repair: repairError)
        }
    }

    private func repair(_ cause: Cause, since mark: Int, in scope: Scope, _ clock: ModuleClock) async throws {
        // Between the check of the state and here another repair may have ended.
        if state.withLock({ ($0.lastRepair[cause] ?? 0) > mark }) { return }
        do {
            let repair = repair
            let values = try await clock.limit(limits.repairTime) { try await repair(cause, scope) }
            state.withLock { state in
                state.repairs += 1
                state.lastRepair[cause] = state.repairs
                state.pausedUntil[cause] = nil
                state.values[cause] = values
                state.allValues = state.values.values.reduce(CallValues()) { $0.merging($1) }
            }
        } catch {
            // A repair that was given up because no one waits for it has not failed.
            if !Task.isCancelled {
                let end = clock.now + limits.pause
                state.withLock { $0.pausedUntil[cause] = end }
            }
            throw error
        }
    }
}
