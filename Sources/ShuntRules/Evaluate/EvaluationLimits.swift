package enum EvaluationLimits {
    /// The longest request target or URL, in bytes.
    package static let targetBytes = 65_536
    /// The longest header block, in bytes, names and values together.
    package static let headerBytes = 65_536
    /// The most bytes that all values of one request may take together.
    package static let valueBytes = 4 << 20
    /// The most times that the path may change, as in nginx.
    package static let changes = 10
    /// The deepest nesting of variables that refer to variables.
    package static let variableDepth = 100
    /// The steps for variables that are made of other variables: one for each string that is assembled and for each
    /// variable in it, and one for each 256 bytes that a `map`, a `geo` or a `split_clients` reads.
    package static let variableSteps = 50_000
}
