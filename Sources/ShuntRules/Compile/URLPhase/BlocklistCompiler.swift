import ShuntCore
import ShuntPatterns

/// Lists of hosts in their own files.
struct BlocklistCompiler {
    /// The tables of list files by the numbers of the files.
    private var tables: [Int32: TableIndex<HostTable>] = [:]
    /// The files with lines, all of which are comments or hosts.
    private var soundFiles: Set<Int32> = []

    mutating func compile(_ directive: CheckedDirective, in context: inout CompileContext) {
        var words = directive.arguments
        let status = URLPhaseCompiler.takeStatus(&words, keeping: 1, in: &context)
        guard let path = words.first else { return }
        if let excess = words.dropFirst().first {
            let message = "\"blocklist\" takes a file and a status, not \(excess.shownText)"
            context.error(.argumentCount, message, at: excess, suggestion: "write: blocklist FILE [STATUS]")
        }
        guard let (list, isSound) = hostList(path, in: &context) else { return }
        if context.tables.lists[list].count == 0 {
            EntryListCompiler.reportEmpty("\"\(path.text)\" names no hosts", isMeant: isSound, at: path, in: &context)
        }
        let rule = BlockRule(matcher: .none, list: list, status: status)
        context.emit(Instruction(.block, context.tables.blocks.append(rule)), at: directive.name.position)
    }

    /// The table of a list file, and whether it has lines and all are as they should be; nil when it cannot be read.
    ///
    /// A file that is named again has one table.
    private mutating func hostList(
        _ path: Word,
        in context: inout CompileContext
    ) -> (table: TableIndex<HostTable>, isSound: Bool)? {
        let fileCount = context.source.files.count
        guard let index = context.source.readList(path) else { return nil }
        if let known = tables[index] { return (known, soundFiles.contains(index)) }
        let file = context.source.files[Int(index)]
        guard !EntryListCompiler.refusesPage(file, in: &context) else { return nil }
        // Nothing shows the lines of a list later, and those of a long one take more memory than its table. A file of
        // rules may be named as a list, too: that one is kept.
        if Int(index) >= fileCount { context.source.files[Int(index)] = RuleFile(name: file.name, bytes: []) }
        let mayBeEmpty = file.mayBeEmptyList
        let list = HostList(file)
        if mayBeEmpty, list.problems.isEmpty { soundFiles.insert(index) }
        for problem in list.problems { context.source.report(problem) }
        let number = context.tables.lists.append(list.table)
        tables[index] = number
        return (number, soundFiles.contains(index))
    }
}
