/// The limits of an evaluation.
package enum EvaluationLimits {
    /// The longest request target or URL, in bytes.
    package static let targetBytes = 65_536
    /// The longest header block, in bytes, names and values together.
    package static let headerBytes = 65_536
    /// The most bytes that all values of one request may take together.
    package static let valueBytes = 4 << 20
    /// How many times the path may change, as in nginx.
    package static let changes = 10
    /// How deep variables may refer to variables.
    package static let variableDepth = 100
    /// How much may be done for variables that are made of other variables: one for each string that is put together and
    /// for each variable in it, and one for each 256 bytes that a `map`, a `geo` or a `split_clients` looks at.
    package static let variableSteps = 50_000
}
