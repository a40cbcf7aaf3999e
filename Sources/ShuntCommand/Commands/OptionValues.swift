#if Command
import ArgumentParser
import Shunt
import ShuntTools

extension ArgumentHelp {
    /// The help of an option whose value has a name of its kind, such as `n`.
    static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
}

extension Optional {
    /// The value that an option was given; without one, a `ValidationError` with the message is thrown.
    func valid(or message: @autoclosure () -> String) throws -> Wrapped {
        guard let self else { throw ValidationError(message()) }
        return self
    }
}

extension RedirectListOptions {
    /// Reads the words of `--list-options`.
    init(option words: String) throws {
        do throws(Problem) { self = try Self(words: words) } catch { throw ValidationError(error.description) }
    }
}

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

enum BudgetArgument {
    /// A budget such as `10` or `0.1%`.
    static func budget(_ text: String) throws -> ChangeLimit {
        try ChangeLimit(text).valid(or: "A budget is a whole number such as 10, or a share such as 0.1%.")
    }
}
#endif
