#if Gateway
import NIOCore
import ShuntRules

/// The gates of a gateway: its passwords, for all event loops and all rule sets.
final class GateKeeper: Sendable {
    let passwords: PasswordFiles

    /// - Parameters:
    ///   - directory: The directory that paths in rules are relative to.
    ///   - clock: The milliseconds since some moment.
    init(directory: String, clock: @escaping @Sendable () -> Int64 = GateKeeper.uptime) {
        passwords = PasswordFiles(directory: directory, clock: clock)
    }

    /// The milliseconds since the machine started.
    static let uptime: @Sendable () -> Int64 = { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// The gates of a rule set; nil where it has none.
    func gates(of ruleSet: RuleSet) -> RuleGates? {
        ruleSet.program.tables.gates.isEmpty ? nil : RuleGates(passwords: passwords)
    }
}

/// The gates of a rule set.
final class RuleGates: Sendable {
    fileprivate let passwords: PasswordFiles

    fileprivate init(passwords: PasswordFiles) { self.passwords = passwords }
}

/// A request on its way through the gates.
final class GateVisit: AccessGate {
    private let gates: RuleGates

    init(_ gates: RuleGates) { self.gates = gates }

    func check(_ login: Login, in file: [UInt8], mayWait: Bool) -> PasswordAnswer {
        gates.passwords.check(login, in: file, mayWait: mayWait)
    }
}
#endif
