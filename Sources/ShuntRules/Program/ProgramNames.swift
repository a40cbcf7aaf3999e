import ShuntCore

/// The names that decisions refer to: a decision that is kept keeps them, and nothing else of the program.
package final class ProgramNames: Sendable {
    /// The hash of the files that the program was made of.
    let version: String
    /// The names of the files that positions refer to.
    let files: [String]

    init(version: String, files: [String]) {
        self.version = version
        self.files = files
    }

    /// The place of `position` with its file's name; nil where no rule stands.
    func location(of position: SourcePosition) -> SourceLocation? {
        guard position.isPlace, files.indices.contains(Int(position.file)) else { return nil }
        return SourceLocation(
            file: files[Int(position.file)],
            line: Int(position.line),
            column: Int(position.column)
        )
    }
}
