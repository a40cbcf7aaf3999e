import Glibc

/// Tells a person who waits how far the work is: on standard error, if that is a terminal and the output goes elsewhere.
struct Progress {
    private let stream: OutputStream
    private let isShown: Bool
    private var count = 0
    private var start = Self.now
    private var last = Self.now
    private var hasLine = false

    init(output: OutputStream) {
        stream = OutputStream(STDERR_FILENO)
        isShown = stream.isTerminal && !output.isTerminal && isatty(STDIN_FILENO) == 0
    }

    /// Counts a request, and shows the count five times a second.
    mutating func step() {
        count += 1
        guard isShown, count % 512 == 0 else { return }
        let time = Self.now
        guard time - last > 200_000_000 else { return }
        last = time
        show("\r\(text(at: time))\u{1b}[K")
        hasLine = true
    }

    /// Leaves the final count after if the work took long enough to show any.
    func finish() { if hasLine { show("\r\(text(at: Self.now))\u{1b}[K\n") } }

    private func text(at time: Int) -> String {
        let seconds = max(1, time - start)
        let rate = Double(count) * 1e9 / Double(seconds)
        return "\(count) requests, \(Int(rate)) a second"
    }

    private func show(_ text: String) {
        try? stream.write(text)
        try? stream.flush()
    }

    /// Nanoseconds on a clock that never goes back.
    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
