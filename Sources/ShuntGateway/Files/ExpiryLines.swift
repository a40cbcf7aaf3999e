#if Gateway
import NIOCore
import Shunt

extension ByteBuffer {
    /// Writes the headers for the time that an answer may be kept.
    mutating func write(_ expiry: Expiry, modified: [UInt8]?, at now: Timestamp?) {
        let headers = expiry.headers(modified: modified.flatMap { HTTPTime.seconds($0) }, at: now ?? .now())
        writeHeader("Expires", headers.expires)
        writeHeader("Cache-Control", headers.cacheControl)
    }
}
#endif
