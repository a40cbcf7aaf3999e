public import ShuntCore
import Synchronization

/// The modules of a program, checked.
///
/// Immutable and safe to use from any task; one run at a time.
public final class Modules: Sendable {
    /// The problems that do not keep the program from running.
    public let warnings: [Diagnostic]
    /// The definitions of the modules, in the order of their start; the root is separate.
    package let drafts: [ModuleDraft]
    package let root: Blueprint
    package let blueprints: [Blueprint]
    package let table: ProgramTable
    package let options: Assembly.Options
    /// The needs of the program itself, for its adapters.
    let ownNeeds: [ModuleDraft.Need]
    private let current = Mutex<Run?>(nil)
    private let lastStartTimes = Mutex<[(module: String, duration: Duration)]>([])

    private struct Run {
        var root: Scope
        var program: ModuleProgram
    }

    init(
        drafts: [ModuleDraft],
        root: Blueprint,
        blueprints: [Blueprint],
        table: ProgramTable,
        options: Assembly.Options,
        ownNeeds: [ModuleDraft.Need],
        warnings: [Diagnostic]
    ) {
        self.ownNeeds = ownNeeds
        self.drafts = drafts
        self.root = root
        self.blueprints = blueprints
        self.table = table
        self.options = options
        self.warnings = warnings
    }

    /// Starts the modules, runs `body`, and stops them in the opposite order, whatever happens.
    ///
    /// Cancelling the task, leaving `body` and `detach` of the root are the same. Returns when the last task of a module
    /// has ended.
    ///
    /// - Parameter body: What the program does; it gets the root.
    /// - Returns: What `body` returned.
    /// - Throws: `ModuleError` when a module cannot start, or a task of one throws; what `body` throws;
    ///   `CancellationError`; `CallError.refused` when a run is under way.
    public func run<Value: Sendable>(_ body: @escaping @Sendable (Scope) async throws -> Value) async throws -> Value {
        let program = ModuleProgram(table: table, root: root, modules: blueprints, options: options)
        let scope = program.makeScopes()
        let isFirst = current.withLock { current in
            guard current == nil else { return false }
            current = Run(root: scope, program: program)
            return true
        }
        guard isFirst else {
            program.letScopesGo()
            throw CallError.refused(by: "Modules.run", reason: "the modules run already")
        }
        do {
            let value = try await program.run(scope, body)
            end(program)
            return value
        } catch {
            end(program)
            throw error
        }
    }

    /// Starts the modules and runs them until the task is cancelled, and then returns.
    ///
    /// - Throws: `ModuleError`; `CallError.refused` when a run is under way.
    public func run() async throws {
        do {
            try await run { _ in
                let never = Promise<Void>()
                try await never.wait()
            }
        } catch is CancellationError {
            return
        }
    }

    /// The root of the run that is under way; nil when there is none.
    public var scope: Scope? { current.withLock { $0?.root } }

    /// The time each module took to start, in order: of the current run, else of the last one.
    public var startTimes: [(module: String, duration: Duration)] {
        if let run = current.withLock({ $0 }) { return run.program.startTimes }
        return lastStartTimes.withLock { $0 }
    }

    private func end(_ program: ModuleProgram) {
        lastStartTimes.withLock { $0 = program.startTimes }
        let run = current.withLock { current in
            defer { current = nil }
            return current
        }
        _ = run
    }
}
