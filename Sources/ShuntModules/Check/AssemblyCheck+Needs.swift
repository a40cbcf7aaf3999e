import ShuntCore
import ShuntInterfaces

extension AssemblyCheck {
    // MARK: What is missing

    /// Everything that a module, and what is in its slots, needs is there: in the module above, or at the root.
    mutating func checkNeeds(of draft: ModuleDraft, in unit: Int, above: [ModuleDraft]) {
        for need in draft.needs {
            let around = above + (draft.depth > 0 ? [draft] : [])
            if above.contains(where: { $0.offers(need) }) || isReplaced(need) { continue }
            if draft.depth > 0, draft.offers(need) {
                reportOwnNeed(need, draft: draft, unit: unit)
                continue
            }
            if offers[Offer(kind: need.kind, name: need.name)] != nil || need.isOptional { continue }
            let word = need.kind == .service ? "service" : "action"
            let known =
                offers.keys.filter { $0.kind == need.kind }.map(\.name)
                + around.flatMap { $0.offered(need.kind) }
            let subject = units[unit].isModule ? "\"\(draft.name)\"" : "the adapter for \"\(draft.name)\""
            let answers = need.kind == .service ? "provides" : "answers"
            let code: DiagnosticCode = need.kind == .service ? .missingService : .missingAction
            let message = "\(subject) requires the \(word) \"\(need.name)\", which no module \(answers)"
            let meant = Suggestion.meant(by: need.name, among: known)
            report(unit, Diagnostic(.error(code), message, at: draft.place, suggestion: meant))
        }
        for slot in draft.slots { checkNeeds(of: slot.module, in: unit, above: above + [draft]) }
    }

    private mutating func reportOwnNeed(_ need: ModuleDraft.Need, draft: ModuleDraft, unit: Int) {
        let message = "\"\(draft.name)\" requires \"\(need.name)\", which it has itself"
        report(unit, Diagnostic(.error(.dependencyCycle), message, at: draft.place))
    }

    private func isReplaced(_ need: ModuleDraft.Need) -> Bool {
        switch need.kind {
        case .service: assembly.replacedServices[need.name] != nil
        case .action: assembly.replacements[need.name] != nil
        case .list: false
        }
    }

    // MARK: Who needs whom

    /// For each unit the units that it needs at the root, with those that its slots need.
    func needsOfUnits() -> [[Int]] {
        units.indices.map { index in
            var needs: [Int] = []
            func collect(_ draft: ModuleDraft, _ above: [ModuleDraft]) {
                for need in draft.needs where !above.contains(where: { $0.offers(need) }) && !isReplaced(need) {
                    if need.kind == .list {
                        needs += providers(ofList: need.name).filter { $0 != index && !needs.contains($0) }
                    }
                    guard !need.isLate, let unit = offers[Offer(kind: need.kind, name: need.name)] else { continue }
                    if !needs.contains(unit) { needs.append(unit) }
                }
                for slot in draft.slots { collect(slot.module, above + [draft]) }
            }
            collect(units[index].draft, [])
            return needs
        }
    }

    /// The units that provide values for a list.
    private func providers(ofList name: String) -> [Int] {
        units.indices.filter { units[$0].draft.services.contains { $0.list == name } }
    }

    /// A basic module needs basic modules only, also through adapters.
    mutating func checkLevels(_ edges: [[Int]]) {
        for index in units.indices where units[index].isModule && units[index].draft.level == .basic {
            var seen: Set<Int> = []
            var open = edges[index]
            while let next = open.popLast() {
                guard seen.insert(next).inserted else { continue }
                guard units[next].isModule else {
                    open += edges[next]
                    continue
                }
                guard units[next].draft.level == .normal else { continue }
                let (basic, normal) = (units[index].name, units[next].name)
                let message = "the basic module \"\(basic)\" requires something of the normal module \"\(normal)\""
                let advice = "make \"\(normal)\" basic, or look it up at call time"
                report(index, Diagnostic(.error(.level), message, at: units[index].place, suggestion: advice))
            }
        }
    }

    /// Finds the modules that need themselves, directly or through others.
    mutating func checkCircles(_ edges: [[Int]]) {
        for circle in ModuleOrder.circles(edges) {
            let names = circle.map { units[$0].name }
            // The circle begins with what was put in first.
            guard let first = circle.min(), let start = circle.firstIndex(of: first) else { continue }
            let turned = names[start..<names.count - 1] + names[..<start]
            let message = "these need each other: \((turned + [units[first].name]).joined(separator: " → "))"
            let advice = "send an event, or look it up at call time instead of requiring it"
            report(first, Diagnostic(.error(.dependencyCycle), message, at: units[first].place, suggestion: advice))
        }
    }

    // MARK: What no one needs

    /// Warns of services that no one requires and adapters that nothing needs.
    mutating func checkUse() {
        var used: Set<String> = []
        var drafts = units.map(\.draft)
        while let draft = drafts.popLast() {
            used.formUnion(draft.needs.map(\.name))
            drafts += draft.slots.map(\.module)
        }
        for unit in units {
            let services = unit.draft.services.filter { !used.contains($0.shownName) }
            for service in services {
                let word = unit.isModule ? "the service" : unit.draft.needs.isEmpty ? "the value" : "the adapter for"
                let message = "no module requires \(word) \"\(service.shownName)\""
                warnings.append(Diagnostic(.warning(.unusedService), message, at: service.place))
            }
        }
    }
}

extension ModuleDraft {
    /// Returns true if the module itself has what is needed.
    func offers(_ need: Need) -> Bool { offered(need.kind).contains(need.name) }

    func offered(_ kind: Need.Kind) -> [String] {
        switch kind {
        case .service: services.map(\.name)
        case .list: []
        case .action: endpoints.filter { $0.contract.kind != .event }.map(\.contract.name)
        }
    }
}
