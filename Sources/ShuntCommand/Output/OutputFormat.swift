#if Command
import ArgumentParser
import Glibc
import Shunt

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    /// Writes the one of two answers that is wanted to standard output, the text in the style for it.
    func write(json: @autoclosure () -> [UInt8], text: (Style) -> String) throws {
        let output = OutputStream(STDOUT_FILENO)
        switch self {
        case .text: try output.write(text(Style(usesColor: output.wantsColor)))
        case .json: try output.write(json())
        }
        try output.flush()
    }
}
#endif
