import ShuntCore

/// The variables that rules define: `map`, `split_clients`, `geo` and `input`.
enum DefinitionCompiler {
    /// Compiles every definition of the top level.
    static func define(_ directives: [CheckedDirective], in context: inout CompileContext) {
        for directive in directives {
            switch directive.keyword {
            case .map: MapCompiler.define(directive, in: &context)
            case .splitClients: SplitCompiler.define(directive, in: &context)
            case .geo: GeoCompiler.define(directive, in: &context)
            case .input: defineInput(directive, in: &context)
            default: break
            }
        }
    }

    /// `input $NAME [DEFAULT]`.
    private static func defineInput(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard let name = directive.arguments.first, let text = context.variableName(name) else { return }
        let defaultValue = directive.arguments.count > 1 ? context.template(directive.arguments[1]) : .none
        let index = context.tables.inputs.append(Input(name: text, defaultValue: defaultValue))
        context.define(name, source: .input, index: index.number)
    }
}
