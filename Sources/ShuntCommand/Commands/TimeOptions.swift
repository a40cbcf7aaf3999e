#if Command
import ArgumentParser
import Shunt

/// The time of requests that name none.
struct TimeOptions: ParsableArguments {
    @Option(
        help: .value(
            "time",
            "The time of requests that name none, in ISO 8601, such as 2026-02-03T04:05:06Z; else now."
        )
    )
    var at: String?

    func validate() throws { _ = try time() }

    /// The time that is given; nil is now.
    func time() throws -> Timestamp? { try Self.time(at, of: "--at") }

    /// The time that is given with an option; nil without it.
    static func time(_ text: String?, of option: String) throws -> Timestamp? {
        do throws(RequestError) {
            return try text.map { text throws(RequestError) in try RequestFields.time(text, of: option) }
        } catch {
            throw ValidationError("\(error).")
        }
    }
}
#endif
