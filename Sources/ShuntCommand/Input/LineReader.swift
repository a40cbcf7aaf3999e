import Glibc

/// The reason why input could not be read: the system's error number.
struct InputError: Error {
    var number: Int32
}

/// Reads lines from a file descriptor in constant memory, however long the input and its lines are.
///
/// A line ends in LF or CR LF, which do not belong to it; the last one may lack them.
struct LineReader {
    enum Line: Equatable {
        case whole([UInt8])
        /// The start of a line that is longer than the limit.
        case tooLong([UInt8])
    }

    /// The most bytes of an overlong line that are kept.
    static let keptBytes = 128

    private let descriptor: Int32
    private let limit: Int
    private var buffer: [UInt8]
    /// The part of `buffer` that was read and not yet returned.
    private var start = 0
    private var end = 0
    /// Up to where `buffer` is known to have no LF.
    private var searched = 0
    private var isAtEnd = false

    /// Makes a reader of an open descriptor; `limit` is the longest line in bytes.
    init(_ descriptor: Int32, limit: Int) {
        self.descriptor = descriptor
        self.limit = limit
        buffer = [UInt8](repeating: 0, count: 65_536)
    }

    /// The next line, nil at the end of the input; `beforeWaiting` is called before it waits for more.
    mutating func next(beforeWaiting: () throws -> Void) throws -> Line? {
        while true {
            if let lineFeed = nextLineFeed {
                let line = take(upTo: lineFeed)
                start = lineFeed + 1
                searched = start
                return line
            }
            searched = end
            // One byte more for a CR, which does not count.
            if end - start > limit + 1 { return try skipLine(beforeWaiting: beforeWaiting) }
            if isAtEnd {
                guard start < end else { return nil }
                let line = take(upTo: end)
                start = end
                return line
            }
            try fill(beforeWaiting: beforeWaiting)
        }
    }

    /// The place where the first LF is in what has been read.
    private var nextLineFeed: Int? {
        guard searched < end else { return nil }
        return buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            return memchr(base + searched, 0x0a, end - searched).map { base.distance(to: UnsafeRawPointer($0)) }
        }
    }

    private func take(upTo lineFeed: Int) -> Line {
        var stop = lineFeed
        if stop > start, buffer[stop - 1] == 0x0d { stop -= 1 }
        if stop - start > limit { return .tooLong(Array(buffer[start..<start + Self.keptBytes])) }
        return .whole(Array(buffer[start..<stop]))
    }

    private mutating func skipLine(beforeWaiting: () throws -> Void) throws -> Line {
        let kept = Array(buffer[start..<start + Self.keptBytes])
        while true {
            start = end
            searched = end
            if isAtEnd { break }
            try fill(beforeWaiting: beforeWaiting)
            if let lineFeed = nextLineFeed {
                start = lineFeed + 1
                searched = start
                break
            }
        }
        return .tooLong(kept)
    }

    private mutating func fill(beforeWaiting: () throws -> Void) throws {
        if start > 0 {
            buffer.replaceSubrange(0..<end - start, with: Array(buffer[start..<end]))
            end -= start
            searched -= start
            start = 0
        }
        if end == buffer.count { buffer.append(contentsOf: [UInt8](repeating: 0, count: buffer.count)) }
        if !isReady(0) { try beforeWaiting() }
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress.map { $0 + end }, bytes.count - end)
            }
            if count > 0 {
                end += count
                return
            }
            if count == 0 {
                isAtEnd = true
                return
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: _ = isReady(-1)
            default: throw InputError(number: errno)
            }
        }
    }

    /// Returns true if a read would not wait; looks for at most so many milliseconds, or without end for -1.
    private func isReady(_ milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}
