#if ModuleService
public import ServiceLifecycle
public import ShuntModules

/// Modules as a service of a service group: next to a server that calls them, and listed before it, so that the
/// server stops first.
///
/// A group starts its services all at once; what modules need of each other, and when they are ready, is kept inside of this
/// one service.
public struct ModuleService: Service {
    private let modules: Modules

    /// Makes the service of modules that are built and not running.
    public init(_ modules: Modules) { self.modules = modules }

    /// Starts the modules, and stops them in the opposite order when the group shuts down or the task is cancelled.
    ///
    /// A shutdown that was asked for before the start has ended takes effect after it: no module is left out.
    ///
    /// - Throws: `ModuleError` when a module cannot start, or a task of one throws; `CallError.refused` when the
    ///   modules run already.
    public func run() async throws {
        do {
            try await modules.run { _ in try await gracefulShutdown() }
        } catch is CancellationError {
            return
        }
    }
}
#endif
