#if !Command
import Glibc

/// The program without the trait `Command`: it prints how to build it.
///
/// Packages that embed the engine build no programs, and with this trait off need none of their dependencies.
@main
struct ShuntCommand {
    static func main() {
        let errors = OutputStream(STDERR_FILENO)
        // The status is the same whether the message is read or not.
        try? errors.write("shunt: built without commands; build it with: swift build --traits Command\n")
        try? errors.flush()
        exit(2)
    }
}
#endif
