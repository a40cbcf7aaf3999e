import ShuntCore
import ShuntRules

/// The directives of files as digests with their places: a set may have a million of them.
struct RuleLines {
    /// The files, by the names under which they are compared.
    private(set) var files: [(name: String, file: RuleFile)] = []
    private(set) var lines: [RuleLine] = []

    init() {}

    init(_ bytes: [UInt8], _ name: String) {
        var file = RuleFile(name: name, bytes: bytes)
        file.isList = !name.hasSuffix(".conf")
        files = [(name, file)]
        DirectiveLine.read(file) { lines.append(RuleLine($0, file: 0)) }
    }

    init(_ document: RuleDocument, names: [String]) {
        files = zip(names, document.files).map { (name: $0, file: $1) }
        lines = DirectiveLine.directives(of: document).map { RuleLine($0.line, file: $0.file) }
    }

    /// The same files with some of the lines; a file that is included twice has its rules at one place.
    func choosing(_ lines: some Sequence<RuleLine>) -> RuleLines {
        var places: Set<RuleLine.Place> = []
        var chosen = self
        chosen.lines = files.count == 1 ? Array(lines) : lines.filter { places.insert($0.place).inserted }
        return chosen
    }

    func rule(of line: RuleLine) -> RuleChanges.Rule {
        let (name, file) = files[Int(line.place.file)]
        return RuleChanges.Rule(
            text: DirectiveLine.text(in: file, line: line.place.line, column: line.place.column),
            location: SourceLocation(file: name, line: Int(line.place.line), column: Int(line.place.column))
        )
    }
}

/// A directive as a digest of what it means, with its place.
struct RuleLine {
    /// The same for all spellings, and within one process only: 128 bits that a rule author cannot choose.
    struct Meaning: Hashable {
        private let first: Int
        private let second: Int

        init(_ text: String) {
            var hasher = Hasher()
            hasher.combine(text)
            first = hasher.finalize()
            hasher = Hasher()
            hasher.combine(first)
            hasher.combine(text)
            second = hasher.finalize()
        }
    }

    struct Place: Hashable {
        var file: Int32
        var line: Int32
        var column: Int32
    }

    let meaning: Meaning
    /// The digest of its first word.
    let keyword: Int
    let place: Place
    /// The number of the directive around it among those of its list; -1 at the top level.
    let parent: Int32

    init(_ line: DirectiveLine, file: Int) {
        meaning = Meaning(line.meaning)
        keyword = line.keyword.hashValue
        place = Place(file: Int32(clamping: file), line: line.line, column: line.column)
        parent = line.parent
    }
}
