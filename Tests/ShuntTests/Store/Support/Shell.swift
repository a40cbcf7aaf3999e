import Glibc
import TestFolder

extension TestFolder {
    /// Runs a shell command in the folder.
    ///
    /// - Returns: Its exit status.
    @discardableResult
    func shell(_ command: String) -> Int32 {
        system("cd '\(path)' && { \(command); } >/dev/null 2>&1")
    }
}
