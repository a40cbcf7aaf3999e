package import ShuntCore
import ShuntPatterns

package struct EvaluationOptions: Sendable {
    /// True if rules are tried one after another, without the index: the reference that the index is compared with.
    package var isLinear = false
    /// The files that `-f`, `try_files`, `index` and `root` read; nil answers every test with no.
    package var fileSystem: (any FileSystem)?
    /// The root of locations that set none.
    ///
    /// With it, a request that nothing decided is looked up as a file, as nginx does; without it such a request is
    /// forwarded.
    package var documentRoot: [UInt8]?
    /// The steps for all expressions that an evaluation matches; see `MatchScratch`.
    package var matchSteps = MatchScratch.standardSteps
    /// The longest headers of a request together.
    package var headerBytes = EvaluationLimits.headerBytes
    /// The steps for variables that are made of others; see `EvaluationLimits.variableSteps`.
    package var variableSteps = EvaluationLimits.variableSteps
    /// True if the evaluation gives up where it would take long: its thread serves others, too.
    package var isQuick = false
    /// The value of `$request_id`; nil creates a new one for each request.
    package var requestIdentifier: [UInt8]?
    /// True if the values that access logs need are computed.
    package var givesLogValues = false
    /// True if decisions name the entries of tables that supplied values.
    package var namesEntries = false

    package init() {}
}

/// The rules and the options of evaluations, which the evaluations of an engine share.
package final class EvaluationPlan: Sendable {
    let program: Program
    let options: EvaluationOptions

    package convenience init(_ ruleSet: RuleSet, options: EvaluationOptions) {
        self.init(ruleSet.program, options: options)
    }

    init(_ program: Program, options: EvaluationOptions) {
        self.program = program
        self.options = options
    }
}
