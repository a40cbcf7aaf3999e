import ShuntCore

/// The problems of one file: the first thousand, and how many more there were.
///
/// A file of nothing but braces has a problem in every byte; keeping them all would take hundreds of times its size.
struct ProblemList {
    private(set) var kept: [Diagnostic] = []
    private(set) var omittedErrors = 0

    /// Adds an error, which is made only if it is kept.
    mutating func append(_ problem: @autoclosure () -> Diagnostic) {
        if kept.count < RuleLimits.diagnostics {
            kept.append(problem())
        } else {
            omittedErrors += 1
        }
    }
}
