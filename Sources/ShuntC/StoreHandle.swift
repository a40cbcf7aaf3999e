#if compiler(>=6.3)
public import CShunt
import Dispatch
import Shunt
import Synchronization

/// The store that a caller holds.
final class StoreHandle: Sendable {
    let store: RuleStore
    private let counts: Bool
    private let latest: Mutex<(snapshot: RuleSnapshot, rules: RulesHandle)>
    let listener: ReloadListener
    private let watching = Mutex<RuleWatch?>(nil)

    init(_ store: RuleStore, counts: Bool, listener: ReloadListener) {
        self.store = store
        self.counts = counts
        self.listener = listener
        let snapshot = store.snapshot
        latest = Mutex((snapshot, RulesHandle(snapshot.engine, counts: counts)))
    }

    /// The store at a pointer; nil for NULL.
    static func at(_ pointer: OpaquePointer?) -> StoreHandle? {
        pointer.map { Unmanaged<StoreHandle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    /// The rules of a snapshot, whose counters continue from those of the rules before.
    func rules(for snapshot: RuleSnapshot) -> RulesHandle {
        latest.withLock { latest in
            // A thread may still have the snapshot before.
            if latest.snapshot !== snapshot, latest.snapshot.version < snapshot.version {
                let rules = RulesHandle(snapshot.engine, counts: counts, continuing: latest.rules)
                latest = (snapshot, rules)
            }
            return latest.rules
        }
    }

    func watch() {
        watching.withLock { $0 = store.startWatching() }
    }

    func close() {
        watching.withLock { $0?.cancel() }
        listener.close()
    }
}

/// The function of a caller that hears of reloads.
///
/// Sound: the function and its context are the caller's, who allows any thread to call it. It is called on a queue,
/// which `close` waits for, and so may itself reload or close the store.
final class ReloadListener: @unchecked Sendable {
    private let isOpen = Atomic(true)
    private let queue = DispatchQueue(label: "shunt.reloaded")
    private let function: shunt_reloaded?
    private let context: UnsafeMutableRawPointer?
    private let isJSON: Bool
    private static let isCalling = DispatchSpecificKey<ObjectIdentifier>()

    init(_ function: shunt_reloaded?, context: UnsafeMutableRawPointer?, isJSON: Bool) {
        (self.function, self.context, self.isJSON) = (function, context, isJSON)
        queue.setSpecific(key: Self.isCalling, value: ObjectIdentifier(self))
    }

    func hear(_ report: ReloadReport) {
        guard let function, report.trigger != .start, let (status, message) = result(of: report) else { return }
        queue.async { [self] in
            if isOpen.load(ordering: .acquiring) { message.withCString { function(context, status, $0) } }
        }
    }

    func close() {
        let isInCall = DispatchQueue.getSpecific(key: Self.isCalling) == ObjectIdentifier(self)
        // What has been reloaded so far is heard of.
        if !isInCall { queue.sync {} }
        isOpen.store(false, ordering: .releasing)
        if !isInCall { queue.sync {} }
    }

    /// The status of a reload and a text about it; nil if the rules are those in use.
    func result(of report: ReloadReport) -> (status: shunt_status, message: String)? {
        switch report.outcome {
        case .unchanged: return nil
        case .loaded(let changes):
            let counts = "\(changes.addedCount) added, \(changes.removedCount) removed, \(changes.editedCount) edited"
            return (
                SHUNT_OK, "loaded version \(report.snapshot.version) with \(report.snapshot.ruleCount) rules: \(counts)"
            )
        case .failed(let failure), .recovered(let failure):
            return result(of: failure)
        }
    }

    /// The status of a failure and its message.
    func result(of failure: ReloadError) -> (status: shunt_status, message: String) {
        guard failure.reason == .invalid else { return (SHUNT_UNAVAILABLE, failure.description) }
        guard isJSON else { return (SHUNT_INVALID_RULES, failure.description) }
        return (SHUNT_INVALID_RULES, String(decoding: failure.diagnostics.flatMap { $0.json.line }, as: UTF8.self))
    }
}

/// See `shunt.h`.
@c @implementation
public func shunt_store_open(
    _ path: UnsafePointer<CChar>!,
    _ options: UnsafePointer<shunt_options>!,
    _ reloaded: shunt_reloaded!,
    _ context: UnsafeMutableRawPointer!,
    _ store: UnsafeMutablePointer<OpaquePointer?>!,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> shunt_status {
    if let message = message { message.pointee = nil }
    guard let path = path, let store = store, let options = HandleOptions(options) else {
        return SHUNT_INVALID_ARGUMENT
    }
    store.pointee = nil
    let listener = ReloadListener(reloaded, context: context, isJSON: options.isJSON)
    var storeOptions = RuleStore.Options()
    storeOptions.trustedDirectories = options.trusted
    storeOptions.ignoresUnknownDirectives = options.ignoresUnknown
    storeOptions.lastKnownGood = options.lastKnownGood.map { LastKnownGood(path: $0) }
    let engine = options.engine
    storeOptions.makeEngine = { Engine($0, options: engine) }
    storeOptions.observers = [{ event in if case .reload(let report) = event { listener.hear(report) } }]
    let name = String(cString: path)
    do throws(ReloadError) {
        let opened = try RuleStore.open(path: name, options: storeOptions)
        let handle = StoreHandle(opened, counts: options.counts, listener: listener)
        if options.watches { handle.watch() }
        store.pointee = OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
        return SHUNT_OK
    } catch {
        let (status, text) = listener.result(of: error)
        OwnedText.give(text, to: message)
        return status
    }
}

/// See `shunt.h`.
@c @implementation
public func shunt_store_retain(_ store: OpaquePointer!) -> OpaquePointer! {
    StoreHandle.at(store).map { OpaquePointer(Unmanaged.passRetained($0).toOpaque()) }
}

/// See `shunt.h`.
@c @implementation
public func shunt_store_rules(_ store: OpaquePointer!) -> OpaquePointer! {
    guard let store = StoreHandle.at(store) else { return nil }
    return store.rules(for: store.store.snapshot).retained()
}

/// See `shunt.h`.
@c @implementation
public func shunt_store_generation(_ store: OpaquePointer!) -> UInt64 {
    StoreHandle.at(store).map { UInt64(clamping: $0.store.snapshot.version) } ?? 0
}

/// See `shunt.h`.
@c @implementation
public func shunt_store_reload(
    _ store: OpaquePointer!,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> shunt_status {
    if let message = message { message.pointee = nil }
    guard let handle = StoreHandle.at(store) else { return SHUNT_INVALID_ARGUMENT }
    let (status, text) = handle.listener.result(of: handle.store.reload()) ?? (SHUNT_OK, "unchanged")
    OwnedText.give(text, to: message)
    return status
}

/// See `shunt.h`.
@c @implementation
public func shunt_store_status(
    _ store: OpaquePointer!,
    _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> shunt_status {
    guard let store = StoreHandle.at(store), let text = text else { return SHUNT_INVALID_ARGUMENT }
    OwnedText.give(
        store.store.status.json.adding(["error": store.store.status.lastFailure?.description]).line,
        to: text
    )
    return SHUNT_OK
}

/// See `shunt.h`.
@c @implementation
public func shunt_store_close(_ store: OpaquePointer!) {
    guard let store = store else { return }
    let handle = Unmanaged<StoreHandle>.fromOpaque(UnsafeRawPointer(store)).takeRetainedValue()
    handle.close()
    ThreadScratch.current?.forget(handle)
}
#endif
