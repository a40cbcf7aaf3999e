import ShuntFleet

/// The conditions that must always be true.
extension FleetSimulation {
    mutating func violate(_ text: String) { violations.append("\(now): \(text)") }

    mutating func checkLoad(_ index: Int, _ release: Release) {
        // What it knows itself: on a full disk it remembers more than was written.
        let (name, memory) = (nodes[index].name, nodes[index].process?.node.memory ?? nodes[index].memory)
        if !isOwn(release) { violate("\(name) loads what nobody signed: \(release.sequence)") }
        if let serving = nodes[index].process?.node.serving, release.sequence < memory.floor,
            !memory.isPoison(serving.set), !memory.hasTried(serving.sequence)
        {
            violate("\(name) goes to \(release.sequence), below its floor \(memory.floor)")
        }
        let attempts = memory.marker.map { $0.set == release.set ? $0.attempts : 0 } ?? 0
        if attempts > 2 { violate("\(name) tries \(release.sequence) for the \(attempts). time") }
    }

    mutating func checkReport(_ index: Int, _ status: NodeStatus) {
        guard status.state == .applied else { return }
        if nodes[index].memory.kept.first?.sequence != status.sequence || !nodes[index].sets.contains(status.set) {
            violate("\(status.node) says that \(status.sequence) is applied, and a restart would not serve it")
        }
    }

    mutating func checkServing(_ index: Int) {
        guard let process = nodes[index].process else { return }
        let name = nodes[index].name
        guard let serving = process.node.serving else {
            if process.hasServed { violate("\(name) has stopped serving") }
            return
        }
        process.hasServed = true
        if !isOwn(serving.set) { violate("\(name) serves what nobody signed") }
        guard !options.hasAttacker, let truth else { return }
        // A node that cannot use the stable one, because it ended the process twice, keeps what it has.
        var isInside = serving.sequence <= stable.sequence || nodes[index].refuses(stable)
        // An old pointer of the fleet's own is followed as long as the carrier shows it.
        for pointer in isInside ? [] : [truth, shown] {
            isInside = isInside || pointer?.gives(serving.sequence, to: name) == true
        }
        // A node that is shown only what is older than what it has had learns nothing, and keeps what was for all when
        // it learned something last.
        if !isInside, serving.isConfirmed, let shown, let release = try? Release(decoding: shown.stable.payload) {
            isInside = release.sequence < process.node.memory.floor
        }
        if isInside {
            nodes[index].outsideSince = nil
        } else {
            let since = nodes[index].outsideSince ?? now
            nodes[index].outsideSince = since
            if now - since > .seconds(Self.plan.confirmSeconds + 60) {
                violate("\(nodes[index].name) has \(serving.sequence) for longer than nobody confirms it")
            }
        }
    }

    mutating func checkAgreement() {
        // Who has the rollback key can sign other sets under the numbers of releases, and so keep nodes from a release that is
        // stable: such nodes keep what they have, and that must be of the fleet's own people.
        guard let truth, !options.hasRollbackKey else { return }
        // Nodes whose floor a lie has raised hold a rollout back; who lies may do that.
        if !options.hasAttacker, ![.done, .aborted].contains(truth.progress.state) {
            violate("the rollout is still \(truth.progress.state)")
        }
        for index in nodes.indices {
            guard let serving = nodes[index].process?.node.serving else {
                // One that never had anything may wait for more than is stable, too, or has crashed twice with the stable one.
                let isAhead = options.hasAttacker && nodes[index].memory.floor > stable.sequence
                let memory = nodes[index].process?.node.memory ?? nodes[index].memory
                let isBarred = memory.kept.isEmpty && memory.isPoison(stable.set)
                if !isAhead, !isBarred { violate("\(nodes[index].name) serves nothing") }
                continue
            }
            // A lie may have raised its floor, also with a set that it cannot use; it takes part again with the next release above it.
            let isAhead = options.hasAttacker && nodes[index].memory.floor > stable.sequence
            if serving.sequence != stable.sequence, !nodes[index].refuses(stable), !isAhead {
                violate("\(nodes[index].name) serves \(serving.sequence), and \(stable.sequence) is stable")
            }
        }
    }
}
