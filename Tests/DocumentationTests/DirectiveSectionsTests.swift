import Testing

@testable import ShuntRules

/// `docs/rules.md` against the table of directives.
@Suite struct DirectiveSectionsTests {
    private static let deciding = DirectiveTable.standard.all.filter(\.role.isDeciding)

    @Test("Every directive that decides has a section, with the blocks and the syntax of the table")
    func everyDirective() throws {
        let document = try Document("docs/rules.md")
        var missing: [String] = []
        for (name, specifications) in Dictionary(grouping: Self.deciding, by: \.name).sorted(by: { $0.key < $1.key }) {
            let sections = document.sections.filter { $0.level == 3 && $0.names.contains(name) }
            #expect(sections.count == 1, "\(name) has \(sections.count) sections")
            let words = sections.first?.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
            let contexts = Self.contexts(specifications)
            if !words.contains(contexts) { missing.append("\(name): the section does not have: \(contexts)") }
            let forms = Set(specifications.compactMap(\.syntax)).flatMap { $0.split(separator: " or ") }
            for form in forms where !words.contains("`\(form)`") {
                missing.append("\(name): the section does not show: \(form)")
            }
        }
        #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
    }

    @Test("Every section with a directive's name is about one that exists, and has an example")
    func everySection() throws {
        let document = try Document("docs/rules.md")
        let known = Set(DirectiveTable.standard.all.map(\.name))
        for (index, section) in document.sections.enumerated() where section.level == 3 && !section.names.isEmpty {
            for name in section.names { #expect(known.contains(name), "line \(section.line): \(name)") }
            let blocks = document.blocks.filter { $0.section == index + 1 }
            #expect(blocks.contains { $0.language == "nginx" }, "line \(section.line): no example")
        }
    }

    /// The blocks in which a directive is allowed, as the page has them.
    private static func contexts(_ specifications: [DirectiveRow]) -> String {
        let contexts = specifications.reduce(into: Contexts()) { $0.formUnion($1.contexts) }
        let short = contexts.description.replacing(" or ", with: ", ").replacing("an \"if\" of a ", with: "if in ")
            .replacing("an \"if\" on whole URLs", with: "if on URLs").replacing("at the top level", with: "top level")
        let names = short.split(separator: ", ").map { $0.trimmingPrefix("in ").filter { $0 != "\"" } }
        return "Context: \(names.joined(separator: ", "))."
    }

    @Test("The table of limits has the limits of the engine")
    func limits() throws {
        let text = try Document("docs/rules.md").sections.first { $0.title == "Limits" }?.text ?? ""
        let numbers = [
            RuleLimits.wordBytes, RuleLimits.nesting, RuleLimits.includeDepth, RuleLimits.words, RuleLimits.diagnostics,
            RuleLimits.listens,
            RuleLimits().files, RuleLimits().totalBytes, RuleLimits().listedNames, EvaluationLimits.targetBytes,
            EvaluationLimits.headerBytes, EvaluationLimits.valueBytes, EvaluationLimits.changes,
            EvaluationLimits.variableDepth, EvaluationLimits.variableSteps,
        ]
        for number in numbers { #expect(text.contains("| \(Self.grouped(number)) "), "\(number)") }
    }

    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var result = ""
        while digits.count > 3 {
            result = "," + digits.suffix(3) + result
            digits.removeLast(3)
        }
        return digits + result
    }

    @Test("The table of variables has every variable of the engine")
    func variables() throws {
        let text = try Document("docs/rules.md").sections.first { $0.title == "Variables of the request" }?.text ?? ""
        for name in BuiltinVariable.names.keys.sorted() { #expect(text.contains("`$\(name)`"), "\(name)") }
    }
}
