/// The variables that rules define: `map`, `split_clients`, `geo` and `input`.
enum DefinitionCompiler {
    /// Compiles every definition of the top level, and takes the entries out of maps, which may have a million of them.
    static func define(_ directives: inout [CheckedDirective], in context: inout CompileContext) {
        for index in directives.indices {
            switch directives[index].keyword {
            case .map: MapCompiler.define(&directives[index], in: &context)
            case .splitClients: SplitCompiler.define(directives[index], in: &context)
            case .geo: GeoCompiler.define(directives[index], in: &context)
            case .input: defineInput(directives[index], in: &context)
            default: break
            }
        }
    }

    private static func defineInput(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard let name = directive.arguments.first, let text = context.variableName(name) else { return }
        let defaultValue = directive.arguments.count > 1 ? context.template(directive.arguments[1]) : .none
        let index = context.tables.inputs.append(Input(name: text, defaultValue: defaultValue))
        context.define(name, source: .input, index: index.number)
    }
}
