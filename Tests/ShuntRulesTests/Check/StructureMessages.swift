import ShuntCore
import Testing

@testable import ShuntRules

/// Checks the structure of one rule file and compares everything that is reported about it.
func expectStructureMessages(
    _ rules: String,
    _ expected: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    var source = RuleFiles.load(text: rules)
    _ = StructureCheck.run(&source)
    #expect(DiagnosticRenderer().render(source.orderedDiagnostics) == expected, sourceLocation: sourceLocation)
}
