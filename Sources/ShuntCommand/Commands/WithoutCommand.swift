#if !Command
import Glibc

/// The program without the trait `Command`: it says how to build it.
///
/// Packages that embed the engine build no programs, and with this trait off need none of their dependencies.
@main
struct ShuntCommand {
    static func main() {
        let errors = OutputStream(STDERR_FILENO)
        // Whether or not anybody reads it, the status says the same.
        try? errors.write("shunt: built without commands; build it with: swift build --traits Command\n")
        try? errors.flush()
        exit(2)
    }
}
#endif
