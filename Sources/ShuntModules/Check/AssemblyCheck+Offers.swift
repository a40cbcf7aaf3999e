import ShuntCore
import ShuntInterfaces

extension AssemblyCheck {
    /// Modules of one name cannot be distinguished in messages, logs and the catalogue.
    mutating func checkModuleNames() {
        var first: [String: Int] = [:]
        for (index, unit) in units.enumerated() where unit.isModule {
            if let before = first[unit.name] {
                reportDuplicate(index, of: .duplicateModule, unit.name, at: unit.place, before: units[before].place)
            } else {
                first[unit.name] = index
            }
        }
    }

    /// Collects the offers at the root.
    mutating func collectOffers() {
        var places: [Offer: SourceLocation] = [:]
        for (index, unit) in units.enumerated() {
            let services = unit.draft.services.map { (Offer(kind: .service, name: $0.name), $0.place) }
            let actions = unit.draft.endpoints.filter { $0.contract.kind != .event }
                .map { (Offer(kind: .action, name: $0.contract.name), $0.place) }
            for (offer, place) in services + actions {
                if let before = places[offer] {
                    let code: DiagnosticCode = offer.kind == .service ? .duplicateService : .duplicateAction
                    reportDuplicate(index, of: code, offer.name, at: place, before: before)
                } else {
                    places[offer] = place
                    offers[offer] = index
                }
            }
        }
    }

    private mutating func reportDuplicate(
        _ unit: Int,
        of code: DiagnosticCode,
        _ name: String,
        at place: SourceLocation,
        before: SourceLocation
    ) {
        let word = code == .duplicateModule ? "module" : code == .duplicateService ? "service" : "action"
        let note = Diagnostic(.note(.first), "the first is here", at: before)
        report(unit, Diagnostic(.error(code), "there are two of the \(word) \"\(name)\"", at: place, notes: [note]))
    }

    /// Checks the endpoints and slots of each module: duplicates, exposures that cannot work, slots without end.
    ///
    /// `open` has the callers that the slots around it let in; nil where no slot with an address is.
    mutating func checkEndpoints(of draft: ModuleDraft, in unit: Int, inside open: Exposure? = nil) {
        for problem in draft.problems { report(unit, problem) }
        var places: [String: SourceLocation] = [:]
        for endpoint in draft.endpoints {
            let contract = endpoint.contract
            // At the root, actions and feeds were compared with those of all modules already.
            if let before = places[contract.name], draft.depth > 0 || contract.kind == .event {
                reportDuplicate(unit, of: .duplicateAction, contract.name, at: endpoint.place, before: before)
            } else {
                places[contract.name] = endpoint.place
            }
            if endpoint.exposure != contract.exposure { warnOfProxy(endpoint) }
            if let open, contract.address != nil { warnOfClosedSlots(endpoint, draft: draft, open: open) }
            guard contract.encodeOutput == nil, !contract.exposure.isDisjoint(with: [.web, .network]) else { continue }
            let message = "\"\(contract.name)\" is exposed beyond the process, but \(contract.output) is not Encodable"
            let advice = "make \(contract.output) Encodable, or expose the action to .links or .code"
            report(unit, Diagnostic(.error(.notEncodable), message, at: endpoint.place, suggestion: advice))
        }
        guard draft.depth <= ModuleDraft.maximumDepth else {
            let message = "slots of \"\(units[unit].name)\" are nested more than \(ModuleDraft.maximumDepth) deep"
            let advice = "a module cannot have a slot for itself"
            return report(unit, Diagnostic(.error(.slotsTooDeep), message, at: units[unit].place, suggestion: advice))
        }
        for service in draft.services where service.list != nil && draft.depth > 0 {
            let message = "\"\(draft.name)\" is in a slot and provides a value for the list \"\(service.shownName)\""
            let advice = "provide it in a module of the program"
            report(unit, Diagnostic(.error(.listInSlot), message, at: service.place, suggestion: advice))
        }
        for slot in draft.slots {
            let inner = slot.address == nil ? nil : slot.exposure.intersection(open ?? slot.exposure)
            checkEndpoints(of: slot.module, in: unit, inside: inner)
        }
    }

    private mutating func warnOfProxy(_ endpoint: any AnyEndpoint) {
        let message =
            "\"\(endpoint.contract.name)\" is exposed to the network and sent to a server: "
            + "requests from outside do not reach it here"
        let advice = "leave out .network, or handle another action that checks the caller and calls this one"
        warnings.append(Diagnostic(.warning(.openProxy), message, at: endpoint.place, suggestion: advice))
    }

    private mutating func warnOfClosedSlots(_ endpoint: any AnyEndpoint, draft: ModuleDraft, open: Exposure) {
        let closed = endpoint.exposure.subtracting(open.union(.code))
        guard !closed.isEmpty else { return }
        let names = closed.names.dropFirst().map { ".\($0)" }.joined(separator: ", ")
        let message = "\"\(endpoint.contract.name)\" is exposed to \(names), but a slot on the way to it is not"
        let advice = "expose the slot of \"\(draft.name)\" too: for: [\(names)]"
        warnings.append(Diagnostic(.warning(.closedSlot), message, at: endpoint.place, suggestion: advice))
    }

    // MARK: Contracts

    /// One name has one meaning, wherever it is mentioned.
    mutating func checkContracts() {
        var first: [String: Contract] = [:]
        var services: [String: Any.Type] = [:]
        for index in units.indices {
            var drafts = [units[index].draft]
            while let draft = drafts.popLast() {
                let mentioned =
                    draft.endpoints.map { ($0.contract, $0.place) }
                    + draft.needs.compactMap { need in need.contract.map { ($0, draft.place) } }
                for (contract, place) in mentioned {
                    guard let before = first[contract.name] else {
                        first[contract.name] = contract
                        continue
                    }
                    guard !before.agrees(with: contract) else { continue }
                    let message = "\"\(contract.name)\" is \(before.description), and \(contract.description)"
                    report(index, Diagnostic(.error(.contractConflict), message, at: place))
                }
                let typed =
                    draft.services.map { ($0.shownName, $0.valueType, $0.place) }
                    + draft.needs.filter { $0.kind != .action }.map { ($0.name, $0.valueType, draft.place) }
                for (name, type, place) in typed {
                    guard let before = services[name] else {
                        services[name] = type
                        continue
                    }
                    guard before != type else { continue }
                    let message = "the service \"\(name)\" is of the type \(before), and of the type \(type)"
                    report(index, Diagnostic(.error(.contractConflict), message, at: place))
                }
                drafts += draft.slots.map(\.module)
            }
        }
    }
}

extension Contract {
    /// The kind, the types and the address.
    fileprivate var description: String {
        let place = address.map { " at \(method.map { $0 + " " } ?? "")\($0)" } ?? ""
        return signature + place
    }
}
