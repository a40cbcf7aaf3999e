#if Command
import ArgumentParser

/// The place where rule files may lead besides their own directory.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A directory outside the rules that an include or a symbolic link may lead to. May be repeated.",
            valueName: "directory"
        ),
        completion: .directory
    )
    var trust: [String] = []
}
#endif
