#if Command
import ArgumentParser

/// For whom output is.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case text
    /// For programs.
    case json
}
#endif
