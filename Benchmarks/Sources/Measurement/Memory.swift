import CAllocator

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The memory of this process.
public enum Memory {
    /// The bytes that are allocated and not freed; 0 if the C library cannot report it.
    public static func live() -> Int {
        allocator_live_bytes()
    }

    /// The memory in use now and at most so far, in bytes; nil where there is no `/proc`.
    public static func resident() -> (now: Int, peak: Int)? {
        guard let now = status("VmRSS:"), let peak = status("VmHWM:") else { return nil }
        return (now, peak)
    }

    /// Returns freed memory and forgets the peak, so that the peak of what follows can be seen.
    public static func settle() {
        allocator_trim()
        if let file = fopen("/proc/self/clear_refs", "w") {
            fputs("5", file)
            fclose(file)
        }
    }

    /// A line of `/proc/self/status`, in bytes.
    private static func status(_ key: String) -> Int? {
        guard let file = fopen("/proc/self/status", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 256)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard line.hasPrefix(key) else { continue }
            let digits = line.filter(\.isNumber)
            return Int(digits).map { $0 * 1024 }
        }
        return nil
    }
}
