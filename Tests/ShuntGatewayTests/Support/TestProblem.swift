#if Gateway
/// A problem that keeps a test from doing its work.
struct TestProblem: Error, CustomStringConvertible {
    let description: String
    /// True if it is that nothing came for so long that a test gives up.
    let isSilence: Bool

    init(_ description: String, isSilence: Bool = false) {
        self.description = description
        self.isSilence = isSilence
    }
}
#endif
