import ShuntCore
import ShuntPatterns

/// nginx's phases: server rewrite → find location → location rewrite → access → try_files → content.
extension Evaluation {
    /// The place where the phases continue.
    enum Step {
        case selectServer
        case serverRewrite
        case findLocation
        case locationRewrite
        case postRewrite
        case access
        case content
        /// With a status that `error_page` may take over.
        case status(Int32)
        /// With the failure in `answer`, which `error_page` may take over.
        case failed
        case done
    }

    /// Chooses the server and runs the phases in it; where nothing is after its rewrites, these alone.
    @inline(__always)
    mutating func runServer() throws(EvaluationFailure) {
        guard mayTakeStraightWay, recorder == nil else { return try run(from: .selectServer) }
        let next: Step
        do throws(EvaluationFailure) {
            try selectServer()
            if takesStraightWay {
                guard let step = try goStraight() else { return }
                next = step
            } else {
                useServerSettings()
                next = prepare()
            }
        } catch {
            next = try step(after: error)
        }
        try run(from: next)
    }

    /// Runs the phases from one of them on, until the request is decided.
    ///
    /// Here and in `runServer` failures are caught: as in nginx, an `error_page` may take some of them.
    @inline(never)
    mutating func run(from start: Step) throws(EvaluationFailure) {
        var step = start
        while true {
            do throws(EvaluationFailure) {
                guard let next = try perform(step) else { return }
                step = next
            } catch {
                step = try self.step(after: error)
            }
        }
    }

    /// The place where the phases continue after a failure that an `error_page` may take; any other is thrown again.
    mutating func step(after failure: EvaluationFailure) throws(EvaluationFailure) -> Step {
        guard failure.isForErrorPages else { throw failure }
        answer.failure = failure
        return .failed
    }

    /// Runs one phase; nil when the request is decided.
    private mutating func perform(_ step: Step) throws(EvaluationFailure) -> Step? {
        switch step {
        case .selectServer:
            recorder?.record(phase: "server", at: .none, in: self)
            try selectServer()
            useServerSettings()
            return prepare()
        case .serverRewrite:
            let settings = program.tables.servers[server.index].settings
            return try run(sequence: program.tables.settings[settings].sequence, then: .findLocation)
        case .findLocation:
            return try findLocation()
        case .locationRewrite:
            // A request that no location matched does not run the server's rules twice.
            guard !server.location.isNone else { return .access }
            return try run(sequence: program.tables.settings[server.settings].sequence, then: .postRewrite)
        case .postRewrite:
            return try postRewrite()
        case .access:
            return try checkAccess()
        case .content:
            return try findContent()
        case .status(let code):
            return try special(code)
        case .failed:
            return try failed()
        case .done:
            return nil
        }
    }

    /// True if nothing after the rewrites of the server has anything to do, so that the phases need not be gone
    /// through.
    ///
    /// Going through all of them has the same result, and is what a trace shows and what trying the rules one by one
    /// does.
    @inline(__always)
    private var takesStraightWay: Bool {
        let index = server.index
        return program.tables.servers[index].endsWithRewrites && !server.methodKind.isRefused
            && !(looksAtContent && hasContent(index))
    }

    /// Returns true if a server may answer what its rules send nowhere: with files, or with a page for those that are missing.
    @inline(never)
    private func hasContent(_ index: TableIndex<Server>) -> Bool {
        let settings = program.tables.servers[index].settings
        return servesFiles && !program.tables.settings[settings].root.isNone
            || isAlone && !program.tables.settings[settings].errorPages.isNone
    }

    /// Runs the rewrites of the server and hands the request on: the result of the phases where `takesStraightWay`.
    @inline(__always)
    private mutating func goStraight() throws(EvaluationFailure) -> Step? {
        server.settings = program.tables.servers[server.index].settings
        let sequence = program.tables.settings[server.settings].sequence
        if !sequence.isNone {
            switch try runSequence(from: sequence) {
            case .finished: break
            case .status(let code): return .status(code)
            case .decided: return nil
            }
        }
        try forwardCurrent()
        return nil
    }

    /// Lets `error_page` take the failure that was caught, or fails for good.
    private mutating func failed() throws(EvaluationFailure) -> Step? {
        guard var failure = answer.failure else { return nil }
        answer.failure = nil
        if let next = try errorPage(for: failure.status) { return next }
        failure.isFinal = true
        throw failure
    }

    /// Runs the checks before the first phase: refused methods and connections, and the client's real address.
    private mutating func prepare() -> Step {
        if server.methodKind.isRefused {
            position = .none
            return .status(405)
        }
        if refused != 0 { return .status(refused) }
        takeRealAddress()
        return .serverRewrite
    }

    mutating func useServerSettings() {
        server.settings = program.tables.servers[server.index].settings
        server.location = .none
        limitMethods()
    }

    /// Makes settings current, and those of `limit_except` instead where the method is not among the listed ones.
    mutating func enter(settings: SettingsIndex) {
        server.settings = settings
        limitMethods()
        let entered = program.tables.settings[server.settings]
        if entered.namesHandler { server.contentHandler = entered.handler }
    }

    private mutating func limitMethods() {
        let settings = program.tables.settings[server.settings]
        guard !settings.methodLimit.isNone else { return }
        let limit = program.tables.methodLimits[settings.methodLimit]
        for allowed in limit.methods where isMethod(allowed) { return }
        server.settings = limit.settings
    }

    private mutating func run(sequence: InstructionIndex, then next: Step) throws(EvaluationFailure) -> Step {
        guard !sequence.isNone else { return next }
        return switch try runSequence(from: sequence) {
        case .finished: next
        case .status(let code): .status(code)
        case .decided: .done
        }
    }

    private mutating func postRewrite() throws(EvaluationFailure) -> Step {
        guard server.uriChanged else { return .access }
        server.changesLeft -= 1
        guard server.changesLeft > 0 else {
            // The rule that goes round in circles, not the last rule that was tried.
            position = changePosition
            throw failure(.rewriteCycle)
        }
        noteKeepAlive()
        useServerSettings()
        return .findLocation
    }

    /// Has the connection end if the current settings do not keep it: as in nginx another location does not change that.
    private mutating func noteKeepAlive() {
        if program.tables.settings[server.settings].keepAlive == 0 { answer.endsConnection = true }
    }

    /// Goes to another path within the server, as `error_page`, `try_files` and `index` do.
    mutating func redirectInternally(to path: ByteRange, arguments newArguments: ByteRange) throws(EvaluationFailure)
        -> Step
    {
        server.changesLeft -= 1
        guard server.changesLeft > 0 else { throw failure(.rewriteCycle) }
        server.uri = path
        server.arguments = newArguments
        changePosition = position
        server.isInternal = true
        server.addsURIToAlias = false
        server.receivedTargetIsValid = false
        server.locationIsValid = true
        server.uriChanged = false
        recorder?.record(redirect: path, in: self)
        if !server.location.isNone { noteKeepAlive() }
        useServerSettings()
        noteKeepAlive()
        return .serverRewrite
    }

    mutating func goTo(named name: ByteRange) throws(EvaluationFailure) -> Step {
        server.changesLeft -= 1
        guard server.changesLeft > 0 else { throw failure(.rewriteCycle) }
        let named = arena.withBytes(name) { program.tables.servers[server.index].named.value($0) } ?? -1
        let found = LocationIndex(named)
        guard !found.isNone else { throw failure(.unknownNamedLocation) }
        if !server.location.isNone { noteKeepAlive() }
        server.isInternal = true
        server.uriChanged = false
        server.contentHandler = .none
        server.location = found
        recorder?.record(location: found, in: self)
        enter(settings: program.tables.locations[found].settings)
        return .locationRewrite
    }

    private func isMethod(_ name: [UInt8]) -> Bool {
        arena.withBytes(server.method) { bytes in
            guard bytes.count == name.count else { return false }
            for index in name.indices where bytes[index] != name[index] { return false }
            return true
        }
    }
}
