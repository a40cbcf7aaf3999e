#if Gateway
import Dispatch
import Glibc
import Synchronization

/// The writer of one log, with a separate queue and thread: no caller waits for a disk or a reader.
///
/// The queue has a bound. Lines beyond it, and lines that the system refuses, are lost and counted.
final class LogWriter: Sendable {
    /// A change that is worth a message.
    enum Event: Equatable {
        /// Lines begin to be lost, for a reason.
        case loses(String)
        /// Lines are written again; so many were lost in between.
        case writesAgain(lost: Int)
    }

    private struct State {
        /// Nil where it could not be opened.
        var file: LogFile?
        /// The lines that are not queued yet.
        var gathered: [UInt8] = []
        /// The number of bytes in the queue.
        var queued = 0
        /// The number of lines lost since the last event.
        var lost = 0
        var isLosing = false
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "shunt.log")
    /// The number of bytes that are gathered before they are queued.
    private let batch: Int
    /// The most bytes that may wait.
    private let limit: Int
    private let report: @Sendable (Event, LogWriter) -> Void
    let lostLines: Counter
    let lostBytes = Counter()

    init(
        _ file: LogFile? = nil,
        batch: Int = 0,
        limit: Int = 4 << 20,
        lostLines: Counter = Counter(),
        report: @escaping @Sendable (Event, LogWriter) -> Void
    ) {
        state = Mutex(State(file: file))
        self.batch = batch
        self.limit = limit
        self.lostLines = lostLines
        self.report = report
    }

    deinit {
        let (file, rest) = state.withLock { ($0.file, $0.gathered) }
        if let file, !rest.isEmpty { queue.async { _ = file.write(rest) } }
    }

    /// Adds whole lines.
    func append(_ lines: [UInt8]) {
        let isLost = state.withLock { state in
            guard state.queued + state.gathered.count + lines.count <= limit else { return true }
            state.gathered += lines
            if state.gathered.count >= batch { queueLines(&state) }
            return false
        }
        if isLost { lose(lines[...], "its reader is too slow") }
    }

    /// Queues the lines that have been gathered.
    func flush() { state.withLock { queueLines(&$0) } }

    /// Waits until everything so far is written, or until a time at most.
    func finish(before deadline: DispatchTime) {
        flush()
        let end = DispatchSemaphore(value: 0)
        queue.async { end.signal() }
        _ = end.wait(timeout: deadline)
    }

    /// Continues in another file; earlier lines are written to the file before.
    func change(to file: LogFile) {
        flush()
        queue.async { self.state.withLock { $0.file = file } }
    }

    /// Opens the file on the thread of the writer, before any line is written.
    func open(_ open: @escaping @Sendable () throws(SystemCallError) -> LogFile) {
        queue.async {
            do throws(SystemCallError) {
                let file = try open()
                self.state.withLock { $0.file = file }
            } catch {
                self.lose([], "\(error)")
            }
        }
    }

    private func queueLines(_ state: inout State) {
        guard !state.gathered.isEmpty else { return }
        let lines = state.gathered
        state.gathered = []
        state.queued += lines.count
        queue.async { self.write(lines) }
    }

    private func write(_ lines: [UInt8]) {
        let file = state.withLock(\.file)
        let failure = file.map { $0.write(lines) } ?? (lines[...], nil)
        let lost: Int? = state.withLock { state in
            state.queued -= lines.count
            guard failure == nil, state.isLosing, state.queued == 0 else { return nil }
            state.isLosing = false
            defer { state.lost = 0 }
            return state.lost
        }
        if let failure { lose(failure.rest, failure.number.map { SystemCallError.text($0) } ?? "") }
        if let lost { report(.writesAgain(lost: lost), self) }
    }

    private func lose(_ bytes: ArraySlice<UInt8>, _ reason: String) {
        let lines = bytes.count { $0 == 0x0a }
        lostBytes.add(bytes.count)
        lostLines.add(lines)
        let begins = state.withLock { state in
            state.lost += lines
            defer { state.isLosing = true }
            return !state.isLosing
        }
        if begins { report(.loses(reason), self) }
    }
}

/// A file, pipe or terminal with lines; closed with its last user.
final class LogFile: Sendable {
    private let descriptor: Int32
    private let isOwned: Bool
    /// True if the last line has no end; changed by the thread of the writer only.
    private let isCut = Atomic<Bool>(false)

    /// Keeps a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: What is written to.
    ///   - isOwned: Whether it is closed in the end.
    init(_ descriptor: Int32, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    /// Opens a file, pipe or terminal that an operator names; a pipe without a reader is an error.
    convenience init(path: String) throws(SystemCallError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw SystemCallError(what: "cannot open \(path)", number: errno) }
        self.init(descriptor, isOwned: true)
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Writes lines, after the end of the line before where that one was cut; waits for a reader.
    ///
    /// - Returns: What could not be written, with the number of the error; nil where all was.
    func write(_ lines: [UInt8]) -> (rest: ArraySlice<UInt8>, number: Int32?)? {
        var rest = (isCut.load(ordering: .relaxed) ? [0x0a] + lines : lines)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                isCut.store(rest.prefix(count).last != 0x0a, ordering: .relaxed)
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, -1)
            } else if errno != EINTR {
                return (rest.suffix(lines.count), errno)
            }
        }
        return nil
    }
}

/// A call of the system that failed.
public struct SystemCallError: Error, CustomStringConvertible {
    let what: String
    /// The number of the error; 0 where the text has everything.
    let number: Int32

    init(_ text: String) { (what, number) = (text, 0) }

    init(what: String, number: Int32) { (self.what, self.number) = (what, number) }

    /// The failed operation, and the reason.
    public var description: String { number == 0 ? what : "\(what): \(Self.text(number))" }

    /// The words for the number of an error.
    static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
#endif
