extension Scope {
    /// Begins the start in a task of the scope; `started` reports how it ended.
    func beginStart() {
        let task = spawn("start") { [self] in
            do {
                try await start()
                started.finish()
            } catch {
                started.finish(.failure(error))
                beginStop()
            }
        }
        if task == nil { started.finish(.failure(CallError.notActive(scope: name, state: state))) }
    }

    /// Makes the members, does the start work and begins the tasks.
    private func start() async throws {
        let begin = program.clock.now
        for place in members {
            try Task.checkCancellation()
            try await place.fill(for: self)
            countMember()
        }
        for work in blueprint.starts {
            try Task.checkCancellation()
            try await work(self)
        }
        try Task.checkCancellation()
        guard advance(from: .starting, to: .active) else { throw CallError.notActive(scope: name, state: state) }
        program.report(self, .started(program.clock.now - begin))
        for work in blueprint.tasks {
            spawn(work.name) { [self] in
                do {
                    try await work.body(self)
                } catch {
                    if isActive { fail(work.name, error) }
                }
            }
        }
    }

    /// A task threw: the scope stops, and where it is a module of the program, the program.
    private func fail(_ task: String, _ error: any Error) {
        program.report(self, .failed(task: task, error))
        if endsCalls {
            beginStop()
        } else {
            program.fail(ModuleError(module: name, part: .task(task), error: error))
        }
    }

    /// Waits for the start, for as long as a start may take.
    func waitForStart() async throws {
        let started = started
        try await program.clock.limit(program.options.startTime) { try await started.wait() }
    }

    /// Returns when the scope is active.
    ///
    /// - Throws: `CallError.detached` when it stops or has stopped; `CancellationError` when the task is cancelled.
    public func activated() async throws {
        do {
            try await started.wait()
        } catch {
            try Task.checkCancellation()
            throw CallError.detached(scope: name)
        }
        guard isActive else { throw CallError.detached(scope: name) }
    }
}
