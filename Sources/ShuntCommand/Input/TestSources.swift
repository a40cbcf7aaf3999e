#if Command
import Shunt
import ShuntTools

/// The files of tests that a command line names, and those next to the rules.
struct TestSources {
    /// The largest file, in bytes.
    static let limit = 1 << 28

    /// The tests so far, in the order of the files.
    private(set) var cases: [TestCase] = []
    /// The contents of files in our own notation, by name, for recording.
    private(set) var notations: [String: [UInt8]] = [:]
    /// The rows of tables that are not tests.
    private(set) var leftOut: [Diagnostic] = []
    private(set) var problems: [Diagnostic] = []
    private let host: String?

    /// Begins with the tests that the rules bring along.
    init(_ ruleSet: RuleSet, host: String?) {
        cases = ruleSet.tests.map { TestCase($0) }
        self.host = host
    }

    /// Adds the files in the directory of rules, and in the one called `tests` in it.
    mutating func addBeside(_ rules: String) {
        let files = LocalFileSystem()
        var directory = rules
        if (try? files.attributes(rules))?.kind != .directory {
            directory = rules.lastIndex(of: "/").map { String(rules[..<$0]) } ?? "."
        }
        while directory.utf8.count > 1, directory.hasSuffix("/") { directory.removeLast() }
        addDirectory(directory)
        let tests = directory == "." ? "tests" : directory + "/tests"
        if (try? files.attributes(tests))?.kind == .directory { addDirectory(tests) }
    }

    /// Adds all files in a directory whose names end in `.requests`.
    mutating func addDirectory(_ directory: String) {
        if (try? LocalFileSystem().attributes(directory))?.kind == .regular {
            let message = "cannot read the tests: this is a file, and no directory"
            let advice = "write it without --tests"
            problems.append(Diagnostic(.error(.unreadableFile), message, at: .whole(directory), suggestion: advice))
            return
        }
        do throws(FileError) {
            for name in try LocalFileSystem().list(directory, limit: 100_000) where name.hasSuffix(".requests") {
                addNotation(directory == "." ? name : directory + "/" + name)
            }
        } catch {
            report(directory, error)
        }
    }

    /// Adds a file in our own notation.
    mutating func addNotation(_ path: String) {
        guard notations[path] == nil, let bytes = read(path) else { return }
        notations[path] = bytes
        let host = host
        add { () throws(TestFileError) in try TestFile(bytes, named: path, host: host).cases }
    }

    mutating func addHurl(_ path: String) {
        let host = host ?? "localhost"
        if (try? LocalFileSystem().attributes(path))?.kind == .directory {
            do throws(FileError) {
                for name in try LocalFileSystem().list(path, limit: 100_000) where name.hasSuffix(".hurl") {
                    addHurl(path + "/" + name)
                }
            } catch {
                report(path, error)
            }
            return
        }
        guard let bytes = read(path) else { return }
        add { () throws(TestFileError) in try HurlFile(bytes, named: path, host: host).cases }
    }

    /// Adds lines of JSON with the URLs that are expected.
    mutating func addExpected(_ path: String) {
        guard let bytes = read(path) else { return }
        add { () throws(TestFileError) in try ExpectedURLs(bytes, named: path).cases }
    }

    mutating func addTable(_ path: String, columns: [String]) {
        guard let bytes = read(path) else { return }
        do throws(TestFileError) {
            let table = try RedirectTable(bytes, named: path, host: host, columns: columns)
            cases += table.cases
            leftOut += table.leftOut
        } catch {
            problems += error.diagnostics
        }
    }

    private mutating func add(_ read: () throws(TestFileError) -> [TestCase]) {
        do throws(TestFileError) {
            cases += try read()
        } catch {
            problems += error.diagnostics
        }
    }

    private mutating func read(_ path: String) -> [UInt8]? {
        do throws(FileError) {
            return try InputFile.read(path, limit: Self.limit)
        } catch {
            report(path, error)
            return nil
        }
    }

    private mutating func report(_ path: String, _ error: FileError) {
        problems.append(Diagnostic(.error(.unreadableFile), "cannot read the tests: \(error)", at: .whole(path)))
    }
}
#endif
