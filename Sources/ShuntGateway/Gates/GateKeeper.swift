#if Gateway
import Logging
import NIOCore
import ShuntRules
import Synchronization

/// The gates of a gateway: its passwords and its counts, for all event loops and all rule sets.
final class GateKeeper: Sendable {
    /// The parts of a zone that have to be the same for rules that are loaded again to continue with its counts.
    private struct ZoneIdentity: Hashable {
        let kind: LimitZone.Kind
        let name: String
        let key: [UInt8]
        let size: Int
    }

    private struct ZoneReference {
        weak var zone: ZoneMemory?
    }

    private let passwords: PasswordFiles
    private let zones = Mutex<[ZoneIdentity: ZoneReference]>([:])
    private let clock: @Sendable () -> Int64
    private let logger: Logger

    /// - Parameters:
    ///   - directory: The directory that paths in rules are relative to.
    ///   - logger: The log of refused requests and of files of passwords that cannot be read.
    ///   - clock: The milliseconds since some moment.
    init(directory: String, logger: Logger, clock: @escaping @Sendable () -> Int64 = GateKeeper.uptime) {
        passwords = PasswordFiles(directory: directory, logger: logger, clock: clock)
        self.logger = logger
        self.clock = clock
    }

    /// The milliseconds since the machine started.
    static let uptime: @Sendable () -> Int64 = { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// The gates of a rule set; nil where it has none.
    func gates(of ruleSet: RuleSet) -> RuleGates? {
        guard ruleSet.hasGates else { return nil }
        let described = ruleSet.limitZones
        let memories = zones.withLock { known in
            known = known.filter { $0.value.zone != nil }
            return described.map { zone in
                let identity = ZoneIdentity(kind: zone.kind, name: zone.name, key: zone.keyText, size: zone.size)
                if let memory = known[identity]?.zone { return memory }
                let memory = ZoneMemory(of: zone.kind, named: zone.name, size: zone.size)
                known[identity] = ZoneReference(zone: memory)
                return memory
            }
        }
        return RuleGates(passwords: passwords, zones: Array(zip(described, memories)), clock: clock, logger: logger)
    }
}

/// The gates of a rule set.
final class RuleGates: Sendable {
    let passwords: PasswordFiles
    /// The zones by their numbers in the rules.
    let zones: [(zone: LimitZone, memory: ZoneMemory)]
    let clock: @Sendable () -> Int64
    let logger: Logger

    fileprivate init(
        passwords: PasswordFiles,
        zones: [(LimitZone, ZoneMemory)],
        clock: @escaping @Sendable () -> Int64,
        logger: Logger
    ) {
        self.passwords = passwords
        self.zones = zones
        self.clock = clock
        self.logger = logger
    }
}
#endif
