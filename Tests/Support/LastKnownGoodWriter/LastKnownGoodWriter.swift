import Glibc
import Shunt

/// Reloads forever, writing a last-known-good copy each time, and reports it byte by byte; ended by being killed.
///
/// Each set consists of several files that all carry the same number. Usage: `LastKnownGoodWriter PATH FIRST`.
@main
enum LastKnownGoodWriter {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let first = Int(arguments[2]) else { exit(64) }
        let source = MemorySource(archive(first), name: "writer")
        var options = RuleStore.Options()
        options.lastKnownGood = LastKnownGood(path: arguments[1])
        options.damping = nil
        let store = try await RuleStore.open(source, options: options)
        var number = first
        while true {
            print(".", terminator: "")
            fflush(nil)
            number &+= 1
            source.replace(with: archive(number))
            await store.reload()
        }
    }

    static func archive(_ number: Int) -> RuleArchive {
        var files: [String: String] = [:]
        for file in 0..<8 {
            files["\(file)0.conf"] = "# \(String(repeating: "x", count: 700))\nset $set\(file) number-\(number);\n"
        }
        return RuleArchive(files)
    }
}
