package import ShuntRouting

/// Turns checked directives into a program, reporting everything that is wrong on the way.
package enum Compiler {
    package struct Result {
        /// The program; nil after an error.
        var program: Program?
        package var source: ParsedRules
        /// The tests that the files bring along, where they were collected and not made.
        package var tests: [CollectedTest] = []
    }

    /// Checks the structure of a rule set and compiles it; a relative `root` is relative to `directory`.
    ///
    /// Its tests may take the processor time `expectationTime`, unless they are collected for someone else.
    package static func compile(
        _ source: consuming ParsedRules,
        directives: DirectiveTable = .standard,
        hostname: [UInt8] = [],
        directory: String = "",
        routing: RoutingOptions = RoutingOptions(),
        ignoringUnknown ignoresUnknown: Bool = false,
        expectationTime: Duration = RuleLimits.expectationTime,
        collectingTests: Bool = false
    ) -> Result {
        let top = StructureCheck.run(&source, directives, ignoringUnknown: ignoresUnknown)
        MistakeCheck.run(top, of: &source)
        var context = CompileContext(source: source, directory: directory)
        context.tables.hostname = hostname
        let expectations = compile(consume top, routing: routing, in: &context)
        guard context.source.errorCount == 0 else { return Result(program: nil, source: context.source) }
        context.tables.version = context.source.contentHash
        context.tables.files = context.source.files.map(\.name)
        let program = Program(context.tables)
        if !collectingTests { expectations.test(program, within: expectationTime, in: &context) }
        guard context.source.errorCount == 0 else { return Result(program: nil, source: context.source) }
        let tests = collectingTests ? expectations.collected(in: context) : []
        return Result(program: program, source: context.source, tests: tests)
    }

    /// Compiles the directives of the top level; returns what the rule set expects of itself.
    private static func compile(
        _ directives: consuming [CheckedDirective],
        routing: RoutingOptions,
        in context: inout CompileContext
    ) -> ExpectationCompiler {
        TimeComparison.declareZone(directives, in: &context)
        UpstreamCompiler.declare(directives, in: &context)
        DefinitionCompiler.define(&directives, in: &context)
        UpstreamCompiler.compileKeys(directives, in: &context)
        LimitCompiler.declare(directives, in: &context)
        var logFormats = LogFormatCompiler()
        logFormats.declare(directives, in: &context)
        var settings = Settings()
        SettingsCompiler.apply(directives, to: &settings, scope: .http, in: &context)
        context.tables.topAccessLogs = settings.accessLogs
        URLPhaseCompiler.compile(directives, in: &context)
        var listens = ListenCompiler()
        var routes = RouteCompiler(RouteCompiler.options(directives, given: routing, in: &context))
        var expectations = ExpectationCompiler()
        for directive in directives {
            switch directive.keyword {
            case .server: ServerCompiler.compile(directive, in: settings, listens: &listens, context: &context)
            case .route: routes.declare(directive, in: &context)
            case .expect: expectations.declare(directive, in: &context)
            default: break
            }
        }
        listens.group(in: &context)
        routes.build(in: &context)
        logFormats.resolve(in: &context)
        context.resolveVariables()
        ExpiryCompiler.finish(in: &context)
        return expectations
    }
}
