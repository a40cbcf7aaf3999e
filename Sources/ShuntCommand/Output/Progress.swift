import Glibc

/// Shows a person who waits how far the work is: on standard error, if that is a terminal and the output goes
/// elsewhere.
struct Progress {
    private let stream: OutputStream
    private let isShown: Bool
    private var count = 0
    private var start = ContinuousClock.now
    private var last = ContinuousClock.now
    private var hasLine = false

    init(output: OutputStream) {
        stream = OutputStream(STDERR_FILENO)
        isShown = stream.isTerminal && !output.isTerminal && isatty(STDIN_FILENO) == 0
    }

    /// Counts a request, and shows the count five times a second.
    mutating func step() {
        count += 1
        guard isShown, count % 512 == 0 else { return }
        let time = ContinuousClock.now
        guard time - last > .milliseconds(200) else { return }
        last = time
        show("\r\(text(at: time))\u{1b}[K")
        hasLine = true
    }

    /// Leaves the final count after if the work took long enough to show any.
    func finish() { if hasLine { show("\r\(text(at: .now))\u{1b}[K\n") } }

    private func text(at time: ContinuousClock.Instant) -> String {
        let rate = Double(count) / (max(.nanoseconds(1), time - start) / .seconds(1))
        return "\(count) requests, \(Int(rate)) a second"
    }

    private func show(_ text: String) {
        try? stream.write(text)
        try? stream.flush()
    }
}
