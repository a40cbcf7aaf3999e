import Shunt

/// Requests that are borrowed where they lie: one taken out of an array is a copy, which takes a third as long as some decisions.
final class HeldRequests {
    /// A request that cannot be copied.
    struct Held: ~Copyable {
        let request: RuleRequest
    }

    let requests: UnsafeMutableBufferPointer<Held>

    init(_ requests: [RuleRequest]) {
        self.requests = .allocate(capacity: requests.count)
        for (index, request) in requests.enumerated() {
            self.requests.initializeElement(at: index, to: Held(request: request))
        }
    }

    deinit {
        requests.deinitialize()
        requests.deallocate()
    }
}
