#if Gateway
import NIOCore

/// The bytes of a connection that were read and not taken yet.
///
/// Bytes that were taken are released with the next read at the latest, also on a connection whose reads never end
/// where a message does.
extension ByteBuffer {
    /// Adds bytes that were read.
    mutating func append(read bytes: ByteBuffer) {
        guard readableBytes > 0 else {
            self = bytes
            return
        }
        if readerIndex > 0 { self = moved(withRoomFor: bytes.readableBytes) }
        writeImmutableBuffer(bytes)
    }

    /// Releases the memory of bytes that were taken, where the rest needs much less.
    mutating func giveBack() {
        if readableBytes == 0 {
            self = ByteBuffer()
        } else if storageCapacity > 4 * readableBytes + 1_024 {
            self = moved(withRoomFor: 0)
        }
    }

    private func moved(withRoomFor count: Int) -> ByteBuffer {
        var copy = ByteBuffer()
        copy.reserveCapacity(readableBytes + count)
        copy.writeImmutableBuffer(self)
        return copy
    }
}
#endif
