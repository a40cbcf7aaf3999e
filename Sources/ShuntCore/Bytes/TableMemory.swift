/// Memory for tables that are read at random.
package enum TableMemory {
    /// Memory of at least `byteCount` bytes, to be freed with `deallocate`.
    ///
    /// It begins with a cache line and, where it is large, lies in large pages, because random reads of small ones mostly wait for
    /// address translation.
    @unsafe package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        let largePage = 1 << 21
        let size = max(1, byteCount)
        let isLarge = size >= largePage
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: isLarge ? largePage : 64)
        // The last page may not be all ours.
        if isLarge { unsafe HostMachine.useLargePages(memory, byteCount: size / largePage * largePage) }
        return unsafe memory
    }
}
