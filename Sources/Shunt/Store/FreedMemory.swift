import CMemory

/// Memory that was freed and that the C library keeps.
///
/// Loading rules takes several times the memory that they need afterwards, and each thread that did so leaves its part
/// behind in an arena of its own: without this, a program grows to the sum of those parts over its reloads.
enum FreedMemory {
    /// Gives it back to the system; takes milliseconds.
    static func giveBack() {
        give_back_freed_memory()
    }
}
