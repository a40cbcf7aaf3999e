/// Finds routes that can never be the first match, because routes with a higher priority take all their paths.
///
/// A route is called shadowed only if that is certain; values of types and expressions are not compared.
struct ShadowCheck {
    private let compiler: TableCompiler
    /// The number of further states that may be visited, so that the check takes no longer than compiling.
    private var budget: Int

    /// The most forms of a route with groups that are read; a route with more is not checked.
    private static let maximumForms = 16

    init(_ compiler: TableCompiler) {
        self.compiler = compiler
        budget = 100_000 + 32 * compiler.states.count
    }

    /// The route that takes the paths of `route` in the namespace whose first state is `root`; nil when there is none.
    mutating func route(shadowing route: Int, from root: UInt32) -> Int? {
        let input = compiler.inputs[route]
        guard let forms = Self.forms(of: input.program) else { return nil }
        var shadowing: Int?
        for form in forms {
            guard let found = cover(root, labels: form[...], input: input) else { return nil }
            shadowing = shadowing ?? found
        }
        return shadowing
    }

    /// The label lists of a program, one for each way through it.
    private static func forms(of program: RouteProgram) -> [[UInt32]]? {
        guard program.hasChoices else { return [program.labels] }
        var forms: [[UInt32]] = []
        var pending: [(step: Int, labels: [UInt32])] = [(0, [])]
        while let (step, labels) = pending.popLast() {
            guard step < program.steps.count else {
                forms.append(labels)
                guard forms.count <= maximumForms else { return nil }
                continue
            }
            switch program.steps[step] {
            case .option(let end):
                pending.append((end, labels))
                pending.append((step + 1, labels))
            case .take(let choices):
                for choice in choices { pending.append((step + 1, labels + [choice.label])) }
            }
            guard pending.count <= maximumForms * 2 else { return nil }
        }
        return forms
    }

    /// A route of a higher level that takes every path that the labels take from `state` on.
    private mutating func cover(_ number: UInt32, labels: ArraySlice<UInt32>, input: TableCompiler.Input) -> Int? {
        budget -= 1
        let state = compiler.states[Int(number)]
        guard budget > 0, state.highestLevel > input.level else { return nil }
        for alternative in compiler.alternatives[state.alternatives] where alternative.kind == .tail {
            if let found = better(compiler.states[Int(alternative.target)], than: input) { return found }
        }
        guard let label = labels.first else { return better(state, than: input) }
        let wanted = compiler.labels[Int(label)]
        if case .tail = wanted { return nil }
        for edge in compiler.edges[state.edges] where edge.length != EdgeRecord.unused && edge.label == label {
            if let found = cover(edge.target, labels: labels.dropFirst(), input: input) { return found }
        }
        for alternative in compiler.alternatives[state.alternatives] {
            let isSame = alternative.label == label
            guard isSame || Self.includes(compiler.labels[Int(alternative.label)], wanted) else { continue }
            if let found = cover(alternative.target, labels: labels.dropFirst(), input: input) { return found }
        }
        return nil
    }

    private func better(_ state: TableCompiler.State, than input: TableCompiler.Input) -> Int? {
        compiler.terminals[state.terminals]
            .first { route in
                let other = compiler.inputs[route]
                return other.level > input.level && other.methods & input.methods == input.methods
            }
    }

    /// Returns true if a component that fits `narrow` certainly fits `wide`.
    private static func includes(_ wide: RouteLabel, _ narrow: RouteLabel) -> Bool {
        guard case .component(let pieces) = wide, pieces.count == 1 else { return false }
        switch narrow {
        case .fragment, .trailingSlash, .tail: return false
        case .component: return pieces[0] == .value(.none, isOptional: false) || pieces[0] == .wildcard
        case .literal(let bytes):
            switch pieces[0] {
            case .value(.none, isOptional: false), .wildcard: return true
            case .value(.type(let type), isOptional: false): return type.accepts(bytes.span)
            default: return false
            }
        }
    }
}
