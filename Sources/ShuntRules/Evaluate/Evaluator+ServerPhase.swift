import ShuntCore
import ShuntPatterns

/// nginx's phases: server rewrite → find location → location rewrite → access → try_files → content.
extension Evaluator {
    /// Where the phases go on.
    enum Step {
        case serverRewrite
        case findLocation
        case locationRewrite
        case postRewrite
        case access
        case content
        case done
    }

    /// Decides about the request that `host`, `uri` and `arguments` describe.
    func runServerPhase() {
        recorder?.record(phase: "server", at: .none, in: self)
        guard selectServer() else { return }
        useServerSettings()
        run(from: prepare())
    }

    /// Ends with a status before any rule has run: the default server's `error_page` may still take it.
    func refuse(_ reason: FailureReason, status: Int32) {
        fail(reason, status: status)
        guard listen >= 0 else { return }
        phase = .server
        nextStamp()
        server = program.listens[Int(listen)].defaultServer
        useServerSettings()
        run(from: special(status))
    }

    private func run(from start: Step) {
        var step = start
        while step != .done {
            switch step {
            case .serverRewrite:
                step = run(sequence: serverSettings.sequence, then: .findLocation)
            case .findLocation:
                step = findLocation()
            case .locationRewrite:
                let settings = program.settings[Int(currentSettings)]
                // A request that no location matched does not run the server's rules twice.
                step = currentLocation < 0 ? .access : run(sequence: settings.sequence, then: .postRewrite)
            case .postRewrite:
                step = postRewrite()
            case .access:
                step = checkAccess()
            case .content:
                step = findContent()
            case .done:
                break
            }
        }
    }

    /// What happens before the first phase: methods that are refused, and the client's real address.
    private func prepare() -> Step {
        if methodKind == .trace || methodKind == .connect {
            position = .none
            return special(405)
        }
        takeRealAddress()
        return .serverRewrite
    }

    private var serverSettings: Settings {
        program.settings[Int(program.servers[Int(server)].settings)]
    }

    /// Makes the server's own settings current.
    func useServerSettings() {
        currentSettings = program.servers[Int(server)].settings
        currentLocation = -1
        limitMethods()
    }

    /// Makes settings current, and those of `limit_except` instead where the method is not among the listed ones.
    func enter(settings: Int32) {
        currentSettings = settings
        limitMethods()
        let entered = program.settings[Int(currentSettings)]
        if entered.namesHandler { contentHandler = entered.handler }
    }

    private func limitMethods() {
        let settings = program.settings[Int(currentSettings)]
        guard settings.methodLimit >= 0 else { return }
        let limit = program.methodLimits[Int(settings.methodLimit)]
        for allowed in limit.methods where isMethod(allowed) { return }
        currentSettings = limit.settings
    }

    private func run(sequence: Int32, then next: Step) -> Step {
        guard sequence >= 0 else { return next }
        switch runSequence(from: sequence) {
        case .finished: return next
        case .status(let code): return special(code)
        case .decided: return .done
        }
    }

    private func postRewrite() -> Step {
        guard uriChanged else { return .access }
        changesLeft -= 1
        guard changesLeft > 0 else {
            // The rule that goes round in circles, not the one that was tried last.
            position = changePosition
            return cycle()
        }
        useServerSettings()
        return .findLocation
    }

    private func cycle() -> Step {
        fail(.rewriteCycle, status: 500)
        return special(500)
    }

    /// Goes to another path within the server, as `error_page`, `try_files` and `index` do.
    func redirectInternally(to path: ByteRange, arguments newArguments: ByteRange) -> Step {
        changesLeft -= 1
        guard changesLeft > 0 else { return cycle() }
        uri = path
        arguments = newArguments
        changePosition = position
        isInternal = true
        addsURIToAlias = false
        receivedTargetIsValid = false
        locationIsValid = true
        uriChanged = false
        recorder?.record(redirect: path, in: self)
        useServerSettings()
        return .serverRewrite
    }

    /// Goes to a named location of the server.
    func goTo(named name: ByteRange) -> Step {
        changesLeft -= 1
        guard changesLeft > 0 else { return cycle() }
        let found = arena.withBytes(name) { program.servers[Int(server)].named.value($0) } ?? -1
        guard found >= 0 else {
            fail(.unknownNamedLocation, status: 500)
            return special(500)
        }
        isInternal = true
        uriChanged = false
        contentHandler = .none
        currentLocation = found
        recorder?.record(location: found, in: self)
        enter(settings: program.locations[Int(found)].settings)
        return .locationRewrite
    }

    private func checkAccess() -> Step {
        takeRealAddress()
        let settings = program.settings[Int(currentSettings)]
        guard settings.accessRules >= 0 else { return .content }
        for rule in program.accessRules[Int(settings.accessRules)] {
            guard covers(rule.scope, remoteAddress) else { continue }
            guard !rule.allows else { return .content }
            position = rule.position
            recorder?.record(note: "access denied", at: rule.position, in: self)
            return special(403)
        }
        return .content
    }

    private func isMethod(_ name: [UInt8]) -> Bool {
        arena.withBytes(method) { bytes in
            guard bytes.count == name.count else { return false }
            for index in name.indices where bytes[index] != name[index] { return false }
            return true
        }
    }
}
