import ArgumentParser
import Foundation

/// Measures rule sets as people have them, each in its own processes.
@main
struct Sets: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sets",
        abstract: "Measures rule sets as people have them. See Benchmarks/README.md.",
        subcommands: [
            RunCommand.self, WriteCommand.self, TimeCommand.self, CountCommand.self, EmptyCommand.self,
            EnginesCommand.self,
        ]
    )
}

/// Writes the sets into a folder, one folder each.
struct WriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "write", abstract: "Writes the sets into a folder.")

    @Argument(help: "The folder.")
    var folder: String

    func run() throws {
        for set in try SetFolder.write(to: folder) { print(set.name) }
    }
}

/// Measures one set and writes the result as JSON.
struct TimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "time", abstract: "Measures a set, as JSON.")

    @Argument(help: "The folder of the set.")
    var folder: String

    func run() throws {
        let result = try SetFolder(path: folder).measure()
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    }
}

/// Decides while callgrind counts; writes the number of decisions and of their allocations.
struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "count", abstract: "Decides for callgrind.")

    @Argument(help: "The folder of the set.")
    var folder: String

    @Flag(help: "Decide without the part that the set is about.")
    var without = false

    func run() throws {
        let count = try SetFolder(path: folder).count(without: without)
        print(count.decisions, count.allocations)
    }
}

/// Empties the processor's caches for each byte of its input.
struct EmptyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "empty", abstract: "Empties caches when told.")

    func run() { CacheEmptier.serve() }
}

/// Writes the bytes of an engine of ten rules, of a thousand that have decided.
struct EnginesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "engines", abstract: "Writes the bytes of an engine.")

    func run() throws { print(try Engines.bytesOfEach()) }
}
