/// What a node of a fleet is.
public struct NodeConfiguration: Sendable {
    /// Its name.
    public var name: String
    /// The keys that it was given.
    public var keys: KeyFile
    /// The version of Shunt.
    public var version: String
    /// Whether a set without rules may serve.
    public var allowsEmpty = false
    /// How long after it came into use a set is watched for ending the process.
    public var probation: Duration = .seconds(30)

    /// Makes the configuration of a node.
    public init(name: String, keys: KeyFile, version: String) {
        self.name = name
        self.keys = keys
        self.version = version
    }
}
