#if !Command
import Foundation

/// The program without the trait `Command`: it says how to build it.
///
/// Whoever embeds the engine builds no programs, and with this trait off needs none of the packages that they use.
@main
struct ConvertCommand {
    static func main() {
        FileHandle.standardError.write(
            Data("shunt-convert: built without commands; build it with: swift build --traits Command\n".utf8)
        )
        exit(2)
    }
}
#endif
