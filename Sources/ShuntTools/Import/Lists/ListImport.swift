package import Shunt
import ShuntCore

/// Rules that were made of a list of redirects: one for each row.
package struct ListImport {
    private let name: String
    private let list: RedirectList
    /// The lines of the file, for comments; none for a list whose rows are not lines.
    private let lines: [Substring]
    private var notes: ImportNotes
    private var usesHTTPS = false

    /// Imports a list; throws for a file that is not one.
    package static func rules(
        named name: String,
        bytes: [UInt8],
        options: RedirectListOptions
    ) throws(ImportError) -> ImportedRules {
        let file = RuleFile(name: name, bytes: bytes)
        if let (message, _) = file.listMistake { throw ImportError(file: name, line: 1, description: message) }
        var builder = RedirectListBuilder(file, options, keepsStatements: true)
        if let (problem, offset) = builder.mistake {
            throw ImportError(file: name, line: Int(file.place(of: offset).line), description: problem)
        }
        let list = builder.build(file: 0, position: .none)
        var work = ListImport(name: name, list: list, text: String(decoding: bytes, as: UTF8.self))
        return work.rules(builder, file)
    }

    private init(name: String, list: RedirectList, text: String) {
        self.name = name
        self.list = list
        notes = ImportNotes(name)
        lines =
            list.form.isJSON || list.form == .csv || list.form == .bulk
            ? [] : text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    private mutating func rules(_ builder: RedirectListBuilder, _ file: RuleFile) -> ImportedRules {
        var inner: [ImportItem] = []
        for statement in builder.statements(of: list) {
            inner += comments(before: Int(statement.line))
            do throws(Unsaid) {
                inner.append(.rule(try rule(statement)))
            } catch {
                guard statement.status >= 400 else {
                    inner.append(leave(error.reason, of: statement.line, in: file))
                    continue
                }
                inner.append(leave("\(error.reason): refused without its conditions", of: statement.line, in: file))
                inner.append(.rule(refusal(statement)))
            }
        }
        for finding in builder.findings where !finding.problem.isHarmless {
            inner.append(leave("this row \(finding.problem.message)", of: list.rows[finding.row].line, in: file))
        }
        let server = ImportItem.listens(usesHTTPS ? ["80", "443"] : ["80"])
        let head = ImportItem.comment("# Imported from \(ShownBytes.text(name)) by shunt import redirects.")
        let items = [head, .gap, .block(["server"], server + [.gap] + inner)]
        return ImportedRules(items, notes: notes.sorted, from: name, count: list.rows.count)
    }

    private mutating func leave(_ reason: String, of line: Int32, in file: RuleFile) -> ImportItem {
        notes.leave(String(decoding: file.line(line), as: UTF8.self), line: Int(line), reason: reason)
    }

    /// The comments on the lines just before a row.
    private func comments(before line: Int) -> [ImportItem] {
        let before = lines.prefix(line - 1).reversed().prefix { $0.drop(while: \.isWhitespace).hasPrefix("#") }
        return before.reversed().map { .comment(String($0.drop(while: \.isWhitespace))) }
    }

    // MARK: Rows

    private mutating func rule(_ statement: RedirectStatement) throws(Unsaid) -> ImportedRule {
        guard !statement.hasConditions else { throw Unsaid("only redirects have conditions") }
        let line = Int(statement.line)
        var rule = ImportedRule(line...line, .respond(statement.status), tests: try tests(statement))
        rule.pattern = ImportedRule.Pattern(
            expression: try expression(statement),
            ignoresCase: list.options.isCaseless
        )
        guard statement.status < 400 else { return rule }
        let target = try target(statement)
        let keeps = statement.keepsQuery
        if statement.status == 200 {
            guard !target.contains("%") else { throw Unsaid("an escape in the path that is shown") }
            rule.action = .rewrite(target + (keeps ? "" : "?"), .last)
            return rule
        }
        let hasFragment = target.contains("#")
        rule.hasWholeTarget = hasFragment || ApacheText.losesEscapes(target)
        if [301, 302].contains(statement.status), !rule.hasWholeTarget {
            rule.action = .redirect(statement.status, target + (keeps ? "" : "?"))
            return rule
        }
        guard !keeps || !target.contains("?") else {
            throw Unsaid("a query that is joined with the query of the request")
        }
        guard !target.contains("$") else { throw Unsaid("a part of the path in this target") }
        let path = target.prefix { $0 != "#" }
        let whole = path + (keeps ? "$is_args$args" : "") + target.dropFirst(path.count)
        rule.action = .redirect(statement.status, String(whole))
        return rule
    }

    /// The refusal in the place of one that has no counterpart: of its path, or of all where that has none either.
    private func refusal(_ statement: RedirectStatement) -> ImportedRule {
        var plain = statement
        if let query = plain.path.firstRange(of: Array("\\?(?=".utf8)) {
            plain.path.removeSubrange(query.lowerBound...)
        }
        var rule = ImportedRule.refusal(Int(statement.line)...Int(statement.line))
        rule.pattern = (try? expression(plain))
            .map { ImportedRule.Pattern(expression: $0, ignoresCase: list.options.isCaseless) }
        return rule
    }

    private mutating func tests(_ statement: RedirectStatement) throws(Unsaid) -> [[ImportedTest]] {
        var tests: [[ImportedTest]] = []
        if !statement.scheme.isEmpty {
            usesHTTPS = true
            tests.append([ImportedTest("$scheme", .equals(statement.scheme))])
        }
        if !statement.host.isEmpty {
            let host = String(decoding: statement.host, as: UTF8.self)
            let below = "^(?:[^/]*\\.)?\(ImportedExpression.literal(host))$"
            tests.append([ImportedTest("$host", statement.includesSubdomains ? .matches(below) : .equals(host))])
        }
        if let query = statement.query {
            let text = String(decoding: query, as: UTF8.self)
            guard !text.contains("$") else { throw Unsaid("a query with a $ in it") }
            tests.append([ImportedTest("$args", .equals(text))])
        }
        return tests
    }

    private func expression(_ statement: RedirectStatement) throws(Unsaid) -> String {
        guard var path = String(validating: statement.path, as: UTF8.self),
            !path.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw Unsaid("a path with bytes that rules do not have") }
        if statement.isExpression { return "^\(path)$" }
        let isEither = list.ignoresSlash && path.count > 1
        if isEither, path.hasSuffix("/") { path.removeLast() }
        return "^\(ImportedExpression.literal(path))\(isEither ? "/?" : "")$"
    }

    private func target(_ statement: RedirectStatement) throws(Unsaid) -> String {
        var result = ""
        for piece in statement.target {
            switch piece {
            case .text(let bytes):
                let text = String(decoding: bytes, as: UTF8.self)
                guard !text.contains("$") else { throw Unsaid("a target with a $ in it") }
                result += text
            case .group(let number):
                guard !result.contains("?") else { throw Unsaid("a part of the path in a query") }
                result += "$\(number)"
            }
        }
        return result
    }
}
