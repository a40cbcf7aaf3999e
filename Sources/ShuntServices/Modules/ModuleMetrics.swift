#if ModuleService
import CoreMetrics
import ShuntModules
import Synchronization

extension Assembly {
    mutating func measure(with factory: any MetricsFactory, prefix: String) {
        let meters = Meters(factory: factory, prefix: prefix)
        options.observers.append { notice in
            let module = [("module", notice.scope)]
            switch notice.kind {
            case .started(let duration):
                meters.counter("starts_total", module).increment()
                meters.timer("start_duration_seconds", module).recordSeconds(duration / .seconds(1))
            case .stopped: meters.counter("stops_total", module).increment()
            case .overdue: meters.counter("overdue_total", module).increment()
            case .failed: break
            }
        }
        intercept(CallMeter(meters: meters))
    }
}

/// Counts and times calls.
private struct CallMeter: Interceptor {
    let meters: Meters

    func intercept<I, O>(_ input: I, _ call: CallContext, next: NextCall<I, O>) async throws -> O {
        let name = call.isOffered ? call.name : "unknown"
        let start = ContinuousClock.now
        var outcome = "failed"
        defer {
            meters.counter("calls_total", [("call", name), ("outcome", outcome)]).increment()
            let duration = ContinuousClock.now - start
            meters.timer("call_duration_seconds", [("call", name)]).recordSeconds(duration / .seconds(1))
        }
        let output = try await next(input, call)
        outcome = "ok"
        return output
    }
}

/// The meters by name and labels, each made once.
private final class Meters: Sendable {
    private struct Made {
        var counters: [String: Counter] = [:]
        var timers: [String: CoreMetrics.Timer] = [:]
    }

    private let factory: any MetricsFactory
    private let prefix: String
    private let made = Mutex(Made())

    init(factory: any MetricsFactory, prefix: String) {
        self.factory = factory
        self.prefix = prefix
    }

    func counter(_ name: String, _ labels: [(String, String)]) -> Counter {
        made.withLock { made in
            let key = Self.key(name, labels)
            if let counter = made.counters[key] { return counter }
            let counter = Counter(label: "\(prefix)_\(name)", dimensions: labels, factory: factory)
            made.counters[key] = counter
            return counter
        }
    }

    func timer(_ name: String, _ labels: [(String, String)]) -> CoreMetrics.Timer {
        made.withLock { made in
            let key = Self.key(name, labels)
            if let timer = made.timers[key] { return timer }
            let timer = CoreMetrics.Timer(label: "\(prefix)_\(name)", dimensions: labels, factory: factory)
            made.timers[key] = timer
            return timer
        }
    }

    private static func key(_ name: String, _ labels: [(String, String)]) -> String {
        ([name] + labels.map(\.1)).joined(separator: "\n")
    }
}
#endif
