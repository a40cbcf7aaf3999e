import ShuntFleet

/// The last pointers whose signatures people have checked: they look far more often than the carrier changes.
final class CheckedPointers {
    private var known: [(bytes: [UInt8], trusted: TrustedPointer?)] = []

    /// Returns the pointer as people see it; nil if it cannot be read, or is not signed.
    func trusted(_ bytes: [UInt8], by fleet: TestFleet) -> TrustedPointer? {
        if let known = known.last(where: { $0.bytes == bytes }) { return known.trusted }
        let trusted = try? fleet.trusted(ReleasePointer(decoding: bytes))
        known = known.suffix(3) + [(bytes, trusted)]
        return trusted
    }
}

/// The fleet's own people, who use what they find in the carrier.
extension FleetSimulation {
    /// The pointer that a publisher or conductor finds: without an attacker only nodes are shown what is old.
    var found: TrustedPointer? {
        checked.trusted(options.hasAttacker ? bytes : pastBytes[pastBytes.count - 1], by: fleet)
    }

    /// Puts back what was written last.
    mutating func restore() { if let last = pastBytes.last { bytes = last } }

    /// Signs the next release.
    ///
    /// - Returns: False if it has to be tried again later.
    mutating func publish(_ number: Int) -> Bool {
        guard let found else {
            restore()
            return false
        }
        guard [.done, .aborted].contains(found.progress.state),
            let release = try? found.next(fleet.release(1, set: number, plan: Self.plan))
        else { return false }
        let most = options.hasRollbackKey ? (signed.count + 1) * (Release.longestJump + 1) : signed.count + 1
        if release.sequence > most { violate("the publisher signs number \(release.sequence)") }
        if !signed.contains(where: { $0.set == release.base }) { violate("the publisher signs for a set of another") }
        signed.insert(release)
        numbers[release.set] = number
        var pointer = found.document
        pointer.release = fleet.signed(release)
        pointer.progress = RolloutProgress(state: .running, live: 240, since: TestFleet.date)
        write(pointer)
        return true
    }

    /// Resumes what an attacker has paused.
    mutating func steer() {
        guard var found, found.progress.state == .paused else { return }
        found.progress.state = .running
        found.progress.callAgain()
        write(found.document)
    }

    /// Returns true if nodes may use a release: the fleet's own people have signed it, or published its set for a
    /// rollback.
    func isOwn(_ release: Release) -> Bool {
        if signed.contains(release) { return true }
        return options.hasRollbackKey && release.kind == .rollback && isOwn(release.set)
    }

    /// Returns true if the fleet's own people have published a set.
    func isOwn(_ set: ShuntFleet.ContentName) -> Bool { signed.contains { $0.set == set } }
}
