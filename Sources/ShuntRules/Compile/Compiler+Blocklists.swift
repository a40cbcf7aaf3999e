import ShuntCore
import ShuntPatterns

/// Lists of hosts in files of their own.
extension Compiler {
    /// `blocklist FILE [STATUS]`.
    mutating func compileBlocklist(_ directive: Directive) {
        var words = directive.arguments
        let status = takeStatus(&words, keeping: 1)
        guard let path = words.first else { return }
        guard let list = hostList(path) else { return }
        if tables.lists[Int(list)].count == 0 {
            warning("empty-list", "\"\(path.text)\" names no hosts", at: path)
        }
        let rule = BlockRule(matcher: -1, list: list, status: status)
        emit(Instruction(.block, tables.blocks.adding(rule)), at: directive.name.position)
    }

    /// The table of a list file; nil when it cannot be read.
    ///
    /// A file that is named again has one table.
    private mutating func hostList(_ path: Word) -> Int32? {
        let fileCount = source.files.count
        guard let index = source.readList(path) else { return nil }
        if let known = listNumbers[index] { return known }
        let file = source.files[Int(index)]
        // Nothing shows the lines of a list later, and those of a long one take more memory than its table. A file of
        // rules may be named as a list, too: that one is kept.
        if Int(index) >= fileCount { source.files[Int(index)] = RuleFile(name: file.name, bytes: []) }
        let list = HostList(file)
        for problem in list.problems { source.report(problem) }
        let number = tables.lists.adding(list.table)
        listNumbers[index] = number
        return number
    }
}
