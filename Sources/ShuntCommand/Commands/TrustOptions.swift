#if Command
import ArgumentParser

/// The place where rule files may lead other than to their directory.
struct TrustOptions: ParsableArguments {
    @Option(
        help: .value(
            "directory",
            "A directory outside the rules that an include or a symbolic link may lead to. May be repeated."
        ),
        completion: .directory
    )
    var trust: [String] = []
}
#endif
