import Glibc
import TestFolder
import Testing

@Suite("Colours")
struct TerminalTests {
    /// The requests that Linux calls TIOCSPTLCK and TIOCGPTN: unlock the other end of a terminal, and return its
    /// number.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// The output of the program on a terminal.
    private func onTerminal(_ arguments: [String], environment: [String: String]) throws -> String {
        let folder = try TestFolder(["rules.conf": "nonsense;\n", "good.conf": "block host ads.test;\n"])
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: CInt = 0
        var number: CInt = 0
        guard ioctl(terminal, Self.setLock, &lock) == 0, ioctl(terminal, Self.getNumber, &number) == 0 else {
            throw ProgramError("cannot make a terminal: error \(errno)")
        }
        let end = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let program = try Program(
            arguments,
            in: folder,
            input: input,
            output: end,
            errors: end,
            environment: environment
        )
        close(end)
        close(input)
        var reader = PipeLines(terminal)
        var text = ""
        while let line = reader.next() { text += line + "\n" }
        close(terminal)
        _ = try program.status()
        return text
    }

    static let commands = [
        ["check", "rules.conf"],
        ["run", "--rules", "rules.conf"],
        ["explain", "--rules", "good.conf", "kl://ads.test/"],
    ]

    @Test("A terminal gets colours", arguments: commands)
    func colours(arguments: [String]) throws {
        #expect(try onTerminal(arguments, environment: ["TERM": "xterm"]).contains("\u{1b}["))
    }

    @Test("A terminal gets none with NO_COLOR, or when it is dumb or unknown", arguments: commands)
    func noColours(arguments: [String]) throws {
        for environment in [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb"], [:]] {
            let text = try onTerminal(arguments, environment: environment)
            #expect(!text.isEmpty)
            #expect(!text.contains("\u{1b}"))
        }
    }

    @Test("JSON has no colours, whatever it is written to")
    func json() throws {
        let arguments = ["check", "rules.conf", "--format", "json"]
        let text = try onTerminal(arguments, environment: ["TERM": "xterm"])
        #expect(text.hasPrefix("{\"schema\":\"shunt-check/1\",\"diagnostics\":[{"))
        #expect(!text.contains("\u{1b}"))
    }
}
