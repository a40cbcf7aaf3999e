#if Gateway
import Glibc
import NIOCore
import NIOHTTP1
import Shunt

/// A file that is being sent, closed when the last one is done with it.
final class OpenFile: Sendable {
    let handle: NIOFileHandle
    let answer: FileAnswer

    /// The longest answer that is read as a whole, and the longest part that is read at once.
    static let partSize = 65_536

    /// Opens a file and works out what to answer; to be called on a thread that may wait for a disk.
    ///
    /// - Throws: The answer in its place.
    init(_ file: ServedFile, to request: FileAnswer.Request) throws(IncomingRequest.Refusal) {
        do throws(FileError) {
            guard !file.isOutside else { throw FileError(.notFound) }
            let links = file.linksStart < 0 ? LinkPolicy.any : file.links
            let descriptor = try LocalFileSystem.open(file.path, links: links, after: max(0, file.linksStart))
            handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
        } catch {
            throw Self.refusal(error)
        }
        let attributes: FileAttributes
        do throws(FileError) {
            attributes = try Self.attributes(handle)
            guard attributes.kind == .regular else { throw FileError(.notFound) }
        } catch {
            try? handle.close()
            throw Self.refusal(error)
        }
        do throws(IncomingRequest.Refusal) {
            answer = try FileAnswer(file, attributes, to: request)
        } catch {
            try? handle.close()
            throw error
        }
    }

    deinit { try? handle.close() }

    private static func attributes(_ handle: NIOFileHandle) throws(FileError) -> FileAttributes {
        let result = try? handle.withUnsafeFileDescriptor { descriptor in
            Result { () throws(FileError) in try LocalFileSystem.attributes(of: descriptor) }
        }
        guard let result else { throw FileError(.notFound) }
        return try result.get()
    }

    private static func refusal(_ error: FileError) -> IncomingRequest.Refusal {
        switch error.reason {
        case .notFound: IncomingRequest.Refusal("there is no such file", status: .notFound)
        case .accessDenied, .symbolicLink: IncomingRequest.Refusal("the file may not be read", status: .forbidden)
        default: IncomingRequest.Refusal("the file cannot be read", status: .internalServerError)
        }
    }

    /// Returns true if the file has become shorter.
    func lacks(_ part: Range<Int>) -> Bool {
        guard let attributes = try? Self.attributes(handle) else { return true }
        return attributes.size < part.upperBound
    }

    /// All that follows the head.
    ///
    /// - Returns: The bytes; nil if the file has become shorter, or cannot be read.
    func body() -> ByteBuffer? {
        var bytes = ByteBuffer()
        for piece in answer.pieces {
            switch piece {
            case .bytes(let text): bytes.writeImmutableBuffer(text)
            case .part(let part): guard read(part, into: &bytes) else { return nil }
            }
        }
        return bytes
    }

    /// Reads a part; false if the file has become shorter, or cannot be read.
    func read(_ part: Range<Int>, into bytes: inout ByteBuffer) -> Bool {
        var start = part.lowerBound
        while start < part.upperBound {
            let count = try? handle.withUnsafeFileDescriptor { descriptor in
                bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: part.upperBound - start) { place in
                    // Sound: the buffer has room for so many bytes.
                    while true {
                        let count = unsafe pread(descriptor, place.baseAddress, part.upperBound - start, off_t(start))
                        if count >= 0 || errno != EINTR { return max(0, count) }
                    }
                }
            }
            guard let count, count > 0 else { return false }
            start += count
        }
        return true
    }
}
#endif
