#if Command
import ArgumentParser
import Shunt

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
#endif
