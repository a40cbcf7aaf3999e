#if Fleet
import Shunt

/// Follows one key of an etcd: the network and the clock around `EtcdFollowing`.
actor EtcdFollower {
    private let client: EtcdClient
    private let key: String
    private let clock: any StoreClock
    private let signal = EtcdSignal()
    private var following: EtcdFollowing
    /// The last value of the key that was read, or the error; nil if no one follows it, or before the first answer.
    private(set) var value: Result<[UInt8]?, EtcdError>?
    private var isRunning = false
    private var watching: Task<Void, Never>?
    private var reading: Task<Void, Never>?
    private var waking: (time: Duration, task: Task<Void, Never>)?

    init(_ client: EtcdClient, key: String, interval: Duration, clock: any StoreClock) {
        self.client = client
        self.key = key
        self.clock = clock
        following = EtcdFollowing(interval: interval)
    }

    func start() {
        guard !isRunning else { return }
        isRunning = true
        take(.started)
    }

    func stop() {
        isRunning = false
        for task in [watching, reading, waking?.task] { task?.cancel() }
        (watching, reading, waking) = (nil, nil, nil)
    }

    /// Waits until the value is known and another one; throws `CancellationError`.
    func changed(since seen: [UInt8]?) async throws {
        let times = signal.times()
        if isOther(seen) { return }
        for await _ in times where isOther(seen) { return }
        throw CancellationError()
    }

    private func isOther(_ seen: [UInt8]?) -> Bool {
        guard case .success(let known)? = value else { return false }
        return known != seen
    }

    private func take(_ event: EtcdFollowing.Event) {
        guard isRunning else { return }
        for effect in following.handle(event, at: clock.now, random: Double.random(in: 0...1)) {
            switch effect {
            case .read(let number):
                reading?.cancel()
                reading = Task { await self.read(number) }
            case .watch(let number, let revision):
                watching?.cancel()
                watching = Task { await self.watch(number, revision) }
            case .close:
                watching?.cancel()
                watching = nil
            case .tell(let known):
                value = .success(known)
                signal.fire()
            case .fail(let failure):
                value = .failure(failure)
                signal.fire()
            }
        }
        setAlarm()
    }

    private func setAlarm() {
        guard waking?.time != following.wakeTime else { return }
        waking?.task.cancel()
        waking = following.wakeTime.map { time in
            let task = Task {
                do { try await clock.sleep(until: time) } catch { return }
                waking = nil
                take(.time)
            }
            return (time, task)
        }
    }

    private func read(_ number: Int) async {
        let result: Result<EtcdFollowing.Seen, EtcdError>
        do throws(EtcdError) {
            let answer = try await client.range(EtcdRange(key), limit: EtcdClient.longestPointer)
            let entry = answer.entries.first
            let changed = entry?.revision ?? 0
            result = .success(EtcdFollowing.Seen(revision: answer.revision, value: entry?.value, changed: changed))
        } catch {
            result = .failure(error)
        }
        take(.read(number, result))
    }

    private func watch(_ number: Int, _ revision: Int64) async {
        do throws(EtcdError) {
            try await client.watch(key, from: revision) { line in
                guard case .changes(let changes) = line else { return }
                for change in changes where change.key == self.key {
                    await self.take(.changed(watch: number, change))
                }
            }
        } catch {
            take(.over(watch: number, error))
        }
    }
}
#endif
