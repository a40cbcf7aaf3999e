/// An event at a node.
public enum NodeEvent: Sendable {
    /// The process has started; nothing may come before.
    case started
    /// The pointer was read.
    case pointer([UInt8])
    /// The pointer could not be read, or there is none.
    case noPointer(String)
    /// The manifest and all blobs of a set are here; whether they are on the disk.
    case fetched(ContentName, isDurable: Bool)
    /// They could not be had.
    case notFetched(ContentName, String)
    /// The result of using a set.
    case loaded(ContentName, NodeLoadOutcome)
    /// A memory was written to the disk, or could not be.
    case wrote(Int, isDurable: Bool)
    /// Time has passed.
    case time
    /// The process ends in an orderly way.
    case stopping
}

/// The result of using a set at a node.
public enum NodeLoadOutcome: Sendable, Hashable {
    /// It decides requests.
    case inUse
    /// It is wrong.
    case rejected(String)
    /// Something was wanting.
    case failed(String)
}

/// An effect of a node.
public enum NodeEffect: Sendable, Hashable {
    /// Bring the manifest and all blobs of a set to the disk.
    case fetch(Release)
    /// Compile, test and use a set that was fetched.
    case load(Release)
    /// Write the memory to the disk, and report the result with this number.
    case write(NodeMemory, number: Int)
    /// Report to the carrier.
    case report(NodeStatus)
    /// Write to the log.
    case note(String)
}
