#if canImport(Glibc)
import Glibc
#endif

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
        #if canImport(Glibc)
        // Only advice: without it nothing but speed is lost. The last page may not be all ours.
        if isLarge { _ = unsafe madvise(memory, size / largePage * largePage, Int32(MADV_HUGEPAGE)) }
        #endif
        return unsafe memory
    }
}
