/// The configuration of a node of a fleet.
public struct NodeConfiguration: Sendable {
    /// Its name.
    public var name: String
    /// The keys that it got first.
    public var keys: KeyFile
    /// The version of Shunt.
    public var version: String
    /// True if a set without rules may serve.
    public var allowsEmpty = false
    /// The time after a set came into use during which the end of the process counts against it.
    public var probation: Duration = .seconds(30)

    /// Makes the configuration of a node.
    public init(name: String, keys: KeyFile, version: String) {
        self.name = name
        self.keys = keys
        self.version = version
    }
}
