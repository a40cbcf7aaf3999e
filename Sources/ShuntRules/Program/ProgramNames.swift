import ShuntCore

/// The names that decisions refer to: a decision that is kept keeps them, and nothing else of the program.
final class ProgramNames: Sendable {
    /// The hash of the files that the program was made of.
    let version: String
    /// The names of the files that positions refer to.
    private let files: [String]
    /// The first name of each server.
    private let servers: [[UInt8]]
    private let locations: Table<Location>

    init(_ tables: borrowing ProgramTables) {
        version = tables.version
        files = tables.files
        servers = tables.servers.map(\.name)
        locations = tables.locations
    }

    /// The first name of a server; nil where there is none.
    func server(_ index: ServerIndex) -> [UInt8]? { index.isNone ? nil : servers[index.position] }

    /// A location as written; nil where there is none.
    func location(_ index: LocationIndex) -> String? { index.isNone ? nil : locations[index].text }

    /// The place of `position` with its file's name; nil where no rule is.
    func location(of position: SourcePosition) -> SourceLocation? {
        guard position.isPlace, files.indices.contains(Int(position.file)) else { return nil }
        return SourceLocation(file: files[Int(position.file)], line: Int(position.line), column: Int(position.column))
    }
}
