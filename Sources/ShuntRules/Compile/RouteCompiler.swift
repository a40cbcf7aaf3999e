import ShuntCore
import ShuntRouting

/// `route`: the routes after the rules.
struct RouteCompiler {
    private var routes: RouteTableBuilder

    init(_ options: RoutingOptions) { routes = RouteTableBuilder(options: options) }

    /// The options that `routing [PRESET] [OPTION=VALUE...]` names; those of the caller where there is none.
    static func options(
        _ directives: [CheckedDirective],
        given: RoutingOptions,
        in context: inout CompileContext
    ) -> RoutingOptions {
        guard let directive = directives.first(where: { $0.keyword == .routing }) else { return given }
        let words = directive.arguments.map(\.text)
        let preset = words.first.flatMap { $0.contains("=") ? nil : $0 }
        if given != RoutingOptions() {
            let message = "the options of the loader are not used, because the rules have some here"
            context.warning(.routingTwice, message, at: directive.name, suggestion: "pass none, or remove this")
        }
        do throws(RoutingChoiceProblem) {
            return try RoutingChoices.options(preset: preset, choices: Array(words.dropFirst(preset == nil ? 0 : 1)))
        } catch {
            let advice = error.suggestion
            context.error(.invalidRouting, error.message, at: directive.arguments[error.index], suggestion: advice)
            return given
        }
    }

    mutating func declare(_ directive: CheckedDirective, in context: inout CompileContext) {
        var words = directive.arguments
        let defaults = takeDefaults(&words, in: &context)
        let priority = takePriority(&words, in: &context)
        guard words.count == 2 || words.count == 3 else {
            let message = "a route is a method, a pattern and a name"
            let advice = "write route GET /item/:id item; or leave out the method for any"
            return context.error(.invalidRoute, message, at: directive.name, suggestion: advice)
        }
        let methods = words.count == 3 ? methods(words[0], in: &context) : []
        let pattern = words[words.count - 2]
        routes.add(
            pattern.text,
            name: words[words.count - 1].text,
            methods: methods,
            priority: priority,
            defaults: defaults,
            origin: context.source.location(of: context.source.position(ofByte: 0, in: pattern))
        )
    }

    private func takePriority(_ words: inout [Word], in context: inout CompileContext) -> Int {
        guard let last = words.last, last.text.hasPrefix("priority=") else { return 0 }
        words.removeLast()
        guard let number = Int(last.text.dropFirst("priority=".count)), (-1_000_000...1_000_000).contains(number) else {
            context.error(.invalidPriority, "a priority is a whole number, not \"\(last.text)\"", at: last)
            return 0
        }
        return number
    }

    /// The options `default=NAME:VALUE`, after the name of a route.
    private func takeDefaults(_ words: inout [Word], in context: inout CompileContext) -> [String: String] {
        var defaults: [String: String] = [:]
        for word in words where word.text.hasPrefix("default=") {
            let option = word.text.dropFirst("default=".count)
            let name = option.prefix { $0 != ":" }
            guard !name.isEmpty, name.count < option.count else {
                let message = "a default is a name and a value, not \"\(option)\""
                context.error(.invalidDefault, message, at: word, suggestion: "write default=NAME:VALUE")
                continue
            }
            if defaults.updateValue(String(option.dropFirst(name.count + 1)), forKey: String(name)) != nil {
                context.error(.invalidDefault, "the parameter \"\(name)\" has two defaults", at: word)
            }
        }
        words.removeAll { $0.text.hasPrefix("default=") }
        return defaults
    }

    /// The methods of a route; none for `*`, which is every method.
    private func methods(_ word: Word, in context: inout CompileContext) -> [String] {
        if word.text == "*" { return [] }
        let methods = word.text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        for method in methods where !RequestMethod.isValid(Array(method.utf8).span) {
            let advice = "write methods in capitals with | between them, or * for any"
            context.error(.invalidMethod, "invalid method \"\(method)\"", at: word, suggestion: advice)
            return []
        }
        return methods
    }

    /// Makes the table of all routes, if there are any, and reports what is wrong with them where they are.
    func build(in context: inout CompileContext) {
        guard routes.count > 0 else { return }
        let problems: [Diagnostic]
        do throws(RouteTableError) {
            let table = try routes.build()
            problems = table.warnings
            context.tables.routes = table
        } catch {
            problems = error.diagnostics
        }
        for problem in problems { context.source.report(withSourceLine(problem, in: context.source)) }
    }

    /// A diagnostic of the route table with the line of the rule file it is about.
    private func withSourceLine(_ problem: Diagnostic, in source: ParsedRules) -> Diagnostic {
        var problem = problem
        if let file = source.files.first(where: { $0.name == problem.location.file }) {
            problem.sourceLine = String(decoding: file.line(Int32(clamping: problem.location.line)), as: UTF8.self)
        }
        problem.notes = problem.notes.map { withSourceLine($0, in: source) }
        return problem
    }
}
