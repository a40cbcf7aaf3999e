#if Gateway
import NIOCore

/// One server that was tried, as `$upstream_addr` and the variables like it show it.
struct UpstreamAttempt {
    let address: String
    private let start: NIODeadline
    /// 0 while it has not answered.
    private(set) var status = 0
    var length = 0
    /// True if the rules decided again after it.
    var isLastOfPath = false
    private(set) var connectTime: Int?
    private(set) var headerTime: Int?
    private(set) var responseTime: Int?

    init(_ address: String, at start: NIODeadline) { (self.address, self.start) = (address, start) }

    private func milliseconds(_ now: NIODeadline) -> Int { Int(clamping: (now - start).nanoseconds / 1_000_000) }

    mutating func connected(at now: NIODeadline) { connectTime = milliseconds(now) }

    mutating func answered(_ status: Int, at now: NIODeadline) {
        self.status = status
        headerTime = milliseconds(now)
    }

    mutating func ended(at now: NIODeadline) { responseTime = milliseconds(now) }

    mutating func failed(_ status: Int, at now: NIODeadline) {
        if self.status == 0 { self.status = status }
        ended(at: now)
    }
}
#endif
