import NginxOracle
import Shunt
import Testing

/// Every kind of mistake that nginx reports when it reads a configuration, and the message of Shunt.
@Suite struct ErrorTableTests {
    @Test func thereAreEnoughEntries() {
        #expect(ErrorTable.all.reduce(0) { $0 + $1.entries.count } >= 750)
        for table in ErrorTable.all {
            for entry in table.entries {
                let differ = (entry.nginx == nil) != (entry.shunt == nil)
                #expect(differ == (entry.reason != nil), "\(table.name):\(entry.line)")
            }
        }
    }

    @Test(
        .enabled(if: NginxOracle() != nil, "nginx is not installed: apt-get install nginx"),
        arguments: ErrorTable.all
    )
    func nginxSaysSo(table: ErrorTable) throws {
        let check = try #require(try ConfigurationCheck())
        for entry in table.entries {
            let said = try check.message(on: Array(entry.text(socket: check.socket).utf8))
            #expect(said == entry.nginx, "\(table.name):\(entry.line): \(entry.rules)")
        }
    }

    @Test("Shunt names the place of the first error, what is wrong, and what to do", arguments: ErrorTable.all)
    func shuntSaysSo(table: ErrorTable) {
        for entry in table.entries {
            let said = Self.errors(in: entry.text()).first.map { Self.line($0, after: entry.linesBefore) }
            #expect(said == entry.shunt, "\(table.name):\(entry.line): \(entry.rules)")
        }
    }

    @Test("All mistakes of a file are reported at once", arguments: ErrorTable.all)
    func allAtOnce(table: ErrorTable) {
        // What leaves a block or a quote open takes in what follows.
        let entries = table.entries.filter { $0.shunt != nil && Self.isClosed($0.rules) }
        var text = ""
        var line = 0
        var starts: [Int] = []
        for (index, entry) in entries.enumerated() {
            starts.append(line + entry.linesBefore)
            let own = entry.text(number: index) + "\n"
            text += own
            line += own.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        }
        let found = Set(Self.errors(in: text).map { Self.line($0, after: 0) })
        var missing: [String] = []
        for (entry, start) in zip(entries, starts) {
            guard let expected = entry.shunt, let colon = expected.firstIndex(of: ":"),
                let number = Int(expected[..<colon])
            else { continue }
            let place = "\(number + start)" + expected[colon...]
            // A name that is close to another may be suggested where there are more names.
            let core = place.split(separator: " -> ").first.map(String.init) ?? place
            if !found.contains(where: { $0.hasPrefix(core) }) { missing.append("\(table.name):\(entry.line): \(core)") }
        }
        #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
        #expect(entries.count > 30)
    }

    private static func isClosed(_ rules: String) -> Bool {
        var depth = 0
        for character in rules {
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            if depth < 0 { return false }
        }
        return depth == 0 && (rules.hasSuffix(";") || rules.hasSuffix("}"))
            && rules.split(separator: "\"", omittingEmptySubsequences: false).count % 2 == 1
    }

    private static func errors(in text: String) -> [Diagnostic] {
        var fileSystem = InMemoryFileSystem()
        fileSystem.set("/r/rules.conf", .file(Array((text + "\n").utf8)))
        do throws(RuleSetError) {
            _ = try RuleSet(path: "/r", from: fileSystem)
            return []
        } catch {
            return error.diagnostics.filter { $0.severity == .error }
        }
    }

    private static func line(_ diagnostic: Diagnostic, after lines: Int) -> String {
        let place = "\(diagnostic.location.line - lines):\(diagnostic.location.column): "
        return place + diagnostic.message.replacing("/r/", with: "r/")
            + (diagnostic.suggestion.map { " -> \($0)" } ?? "")
    }
}
