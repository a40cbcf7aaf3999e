import ShuntCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The machine that the rules run on.
package enum HostMachine {
    /// Its name in lower case, for `$hostname`; empty if the system does not report it.
    package static let name: [UInt8] = {
        var buffer = [CChar](repeating: 0, count: 256)
        // The call writes at most the given number of bytes; the last byte stays zero whatever it does.
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
        return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0).asciiLowercased }
    }()
}
