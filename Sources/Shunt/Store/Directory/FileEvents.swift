/// Something that happened in a directory.
package struct FileEvent: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A file's content changed; its writer may continue.
        case modified
        /// A file that was open for writing was closed.
        case closed
        /// A name came: a new file, or one that was renamed.
        case appeared
        /// A name went.
        case disappeared
        /// Permissions, owner, times or the number of links changed.
        case attributes
        /// The directory itself was removed, renamed or unmounted; there is no name.
        case directoryGone
        /// Events were lost; there is neither directory nor name.
        case lost
    }

    package var kind: Kind
    /// The directory as it was given to `watch`.
    package var directory: String
    package var name: String

    package init(_ kind: Kind, in directory: String = "", name: String = "") {
        self.kind = kind
        self.directory = directory
        self.name = name
    }
}

/// Reports what happens in directories.
package protocol FileEvents: Sendable {
    /// Begins to deliver events, on any thread. Called once.
    func start(_ deliver: @escaping @Sendable ([FileEvent]) -> Void) throws(FileEventsError)

    /// Watches these directories and no others.
    ///
    /// - Returns: The directories that do not exist.
    /// - Throws: When there are too many; some of them are watched nevertheless.
    func watch(_ directories: Set<String>) throws(FileEventsError) -> Set<String>

    /// Delivers everything that has happened so far before it returns.
    ///
    /// A thread that waits for events may be late on a busy machine: a file that was read is known to be complete
    /// only after this.
    func deliverPending()

    /// Delivers nothing after it returns.
    ///
    /// It waits for a delivery that is in progress, and so is never called from one.
    func stop()
}

/// The reason why directories cannot be watched.
package struct FileEventsError: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
