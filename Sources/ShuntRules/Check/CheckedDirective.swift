/// A directive that is known, is where it may, and has the arguments and the block that it needs.
///
/// Made by `StructureCheck`.
package struct CheckedDirective: Sendable {
    var role: DirectiveRole
    package var name: Word
    package var arguments: [Word]
    package var block: [CheckedDirective] = []
    /// The entries of the block if they are not directives: those of `map`, `geo`, `split_clients` and `types`.
    package var entries: [Directive] = []

    init(_ directive: Directive, role: DirectiveRole) {
        self.role = role
        name = directive.name
        arguments = directive.arguments
    }

    /// The keyword of a directive that decides; nil for one whose row describes it completely.
    package var keyword: Keyword? {
        guard case .decides(let keyword) = role else { return nil }
        return keyword
    }
}
