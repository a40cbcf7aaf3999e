public import Shunt
public import ShuntModules

/// The way in for URLs: filters, rules, routes, exposure, parameters, and then the modules.
///
/// Immutable and safe to use from any number of tasks.
public struct Links: Sendable {
    /// The options for opening URLs.
    public struct Options: Sendable {
        /// Adds filters and interceptors to the dispatcher that URLs go through.
        public var configure: @Sendable (inout DispatcherBuilder<Answer>) -> Void = { _ in }
        /// The deepest nesting of URLs that open others.
        public var depth = 16
        /// The time that a URL waits for modules that are starting.
        public var startTime: Duration = .seconds(10)
        /// The largest body that is read, in bytes; doors read no more.
        public var bodyLimit = 8 << 20
        /// The handler of URLs that no target matches.
        public var unknown: (@Sendable (UnknownCall, CallContext) async throws -> (any Sendable)?)?

        /// Makes the usual options.
        public init() {}
    }

    let modules: Modules
    let source: any EngineSource
    /// The options for opening URLs.
    public let options: Options
    package let targets: [LinkTarget]
    package let dispatcher: Dispatcher<Answer>
    let waiting = WaitingLinks()

    /// Puts modules after URLs.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - source: The engine with the rules, or the store that holds them; read once for each URL.
    ///   - options: How URLs are opened.
    /// - Throws: Everything that is wrong with the addresses of the modules.
    public init(
        _ modules: Modules,
        rules source: any EngineSource,
        options: Options = Options()
    ) throws(AssemblyError) {
        let collected = LinkTargets(modules)
        var builder = DispatcherBuilder<Answer>()
        options.configure(&builder)
        for target in collected.targets {
            let handler: DispatcherBuilder<Answer>.Handler = { context in
                try await Self.answer(target, context)
            }
            builder.on(
                target.address,
                name: target.name,
                methods: target.contract?.method.map { [$0] } ?? [],
                file: target.place.file,
                line: target.place.line,
                handler
            )
            // A rule file may set another address for a contract by its name.
            if target.contract != nil, target.slots.isEmpty { builder.handle(route: target.name, handler) }
        }
        guard collected.diagnostics.isEmpty else { throw AssemblyError(collected.diagnostics) }
        do throws(RouteTableError) {
            dispatcher = try builder.build(rules: source)
        } catch {
            throw AssemblyError(error.diagnostics)
        }
        targets = collected.targets
        self.modules = modules
        self.source = source
        self.options = options
    }

    /// The addresses as JSON, in the form that `shunt routes --table` and `shunt links check --table` read.
    ///
    /// - Complexity: Linear in the addresses.
    /// - Returns: One line of JSON: a list of objects with the pattern and the name of what it leads to.
    public func routes() -> String { dispatcher.routes.json() }

    private static func answer(_ target: LinkTarget, _ context: DispatchContext) async throws -> HandlerAnswer<Answer> {
        guard let opening = context.values.value(LinkOpening.name, as: LinkOpening.self), let match = context.match
        else { return .declined("not opened by Links") }
        return .handled(try await target.plan(match, decision: context.decision, opening: opening).perform())
    }
}
