/// A directive that is known, stands where it may, and has the arguments and the block that it needs.
///
/// Made by `StructureCheck`.
package struct CheckedDirective: Sendable {
    /// What it does.
    package var role: DirectiveRole
    /// The first word.
    package var name: Word
    /// The other words.
    package var arguments: [Word]
    /// The directives of its block.
    package var block: [CheckedDirective] = []
    /// What its block holds where that is no directives: the entries of `map`, `geo`, `split_clients` and `types`.
    package var entries: [Directive] = []

    init(_ directive: Directive, role: DirectiveRole) {
        self.role = role
        name = directive.name
        arguments = directive.arguments
    }

    /// Which of the directives that decide it is; nil for one whose row says all there is to it.
    package var keyword: Keyword? {
        guard case .decides(let keyword) = role else { return nil }
        return keyword
    }
}
