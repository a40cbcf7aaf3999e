#if Command
import ArgumentParser

extension ArgumentHelp {
    /// The help of an option whose value has a name of its kind, such as `n`.
    static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
}
#endif
