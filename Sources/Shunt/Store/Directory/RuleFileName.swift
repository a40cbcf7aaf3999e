/// The names in a directory that can matter to a rule set.
enum RuleFileName {
    /// Returns true unless editors or copying programs use such a name for a moment.
    ///
    /// The loader reads no such file. Leaving them out spares a reload for each swap file; taking one too many in only
    /// costs a comparison.
    static func isRelevant(_ name: String) -> Bool {
        if name == PinnedFiles.dataLink { return true }
        if name.hasPrefix(".") || name.hasPrefix("#") || name.hasSuffix("~") { return false }
        let endings = [".swp", ".swx", ".swo", ".tmp", ".bak", ".orig", ".rej"]
        // vim tries with this name whether it may write to a directory.
        return name != "4913" && !endings.contains { name.hasSuffix($0) }
    }
}
