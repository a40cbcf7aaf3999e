#if Command
import ArgumentParser
import Shunt

struct ModulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modules",
        abstract: "Lists the modules of a catalogue: what each needs, provides and answers.",
        discussion: """
            A program writes the catalogue of its modules with `modules.catalog.json()`. The modules come in the order of their start; the \
            first is the program itself. For an address the list shows who may use it, and its parameters, as far as the type of the input \
            has them.

            With --format json each line is the object of one module.

            The exit status is 0 when the catalogue was read, 3 when it cannot be.

            Example:
                shunt modules catalog.json
            """
    )

    @Argument(help: "The catalogue.", completion: .file())
    var catalog: String

    @Option(help: "The format of the list: text or json.")
    var format: OutputFormat = .text

    func run() throws {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.read(catalog, limit: RouteTableFile.limit)
        } catch {
            Failure.report("\(catalog): error: cannot be read: \(error)")
            throw Failure.unanswered
        }
        let file = CatalogFile(bytes, named: catalog)
        guard file.diagnostics.isEmpty else { throw Failure.errors(file.diagnostics) }
        let modules = file.modules
        try format.write(json: modules.flatMap { Array(($0.json + "\n").utf8) }) { _ in
            modules.map { CatalogListing.text($0) }.joined()
        }
    }
}
#endif
