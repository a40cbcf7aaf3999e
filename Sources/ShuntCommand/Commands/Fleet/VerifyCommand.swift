#if Command && Fleet
import ArgumentParser
import ShuntCore
import ShuntFleet

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks all signatures, manifests and blobs of the pointer, as a node would."
    )

    @OptionGroup var fleet: FleetOptions

    @OptionGroup var trust: KeyFileOptions

    func run() throws {
        let trusted = try trust.file()
        let verification = ReleaseVerification(try fleet.readable(), trusted: trusted)
        let result = try FleetRun.wait { try await verification.run() }
        let object: JSONObject = ["right": result.lines, "wrong": result.problems]
        let text = result.lines.map { "right  \($0.printable)\n" } + result.problems.map { "wrong  \($0.printable)\n" }
        try fleet.format.answer(text: text.joined(), json: object.bytes)
        if !result.problems.isEmpty { throw Failure.negative }
    }
}
#endif
