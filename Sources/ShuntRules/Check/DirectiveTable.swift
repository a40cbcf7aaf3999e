import ShuntCore

/// Every directive that is known, by name.
package struct DirectiveTable: Sendable {
    /// All directives, those that decide first.
    package let all: [DirectiveRow]
    private let byName: [ByteKey: [DirectiveRow]]

    /// Makes a table of rows; of several with one name, which nginx has in different blocks, the places must differ.
    package init(_ rows: [DirectiveRow]) {
        all = rows.map { row in
            var row = row
            row.unserved = UnservedDirectives.table[row.name]
            return row
        }
        byName = Dictionary(grouping: all) { ByteKey(Array($0.name.utf8)) }
    }

    /// The rows of a name: several where nginx has different directives in different blocks.
    package func rows(of name: [UInt8]) -> [DirectiveRow] { byName[ByteKey(name)] ?? [] }

    package func names(in contexts: Contexts) -> [String] {
        all.filter { !$0.contexts.isDisjoint(with: contexts) }.map(\.name)
    }

    package static let standard = DirectiveTable(
        deciding + ignored.flatMap { $0.rows } + unsupported.flatMap { $0.rows }
    )

    private static let ignored: [DirectiveGroup] =
        IgnoredDirectives.core + IgnoredDirectives.connection + IgnoredDirectives.content
        + IgnoredDirectives.proxy + IgnoredDirectives.upstream
}
