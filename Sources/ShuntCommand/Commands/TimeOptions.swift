#if Command
import ArgumentParser
import Shunt

/// The time of requests that name none.
struct TimeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The time of requests that name none, in ISO 8601, such as 2026-02-03T04:05:06Z; else now.",
            valueName: "time"
        )
    )
    var at: String?

    func validate() throws { _ = try time() }

    /// The time that is given; nil is now.
    func time() throws -> Timestamp? {
        do throws(RequestProblem) {
            return try at.map { text throws(RequestProblem) in try RequestFields.time(text, of: "--at") }
        } catch {
            throw ValidationError("\(error).")
        }
    }
}
#endif
