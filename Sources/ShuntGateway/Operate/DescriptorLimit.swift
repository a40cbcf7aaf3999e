#if Gateway
import Glibc
import Logging

/// The limit of open files and connections of the process.
enum DescriptorLimit {
    /// The files other than connections of clients: rules that are read, logs, event loops, the admin listener.
    private static let reserve = 64 + AdminConnection.limit

    /// Raises the process's own limit as far as `connections` need it and the system allows, and takes back from the number
    /// what does not fit: at the limit, connections that cannot be accepted would keep the processor busy.
    static func fit(_ connections: inout Int, _ logger: Logger) {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return }
        // One for the client and one for the upstream.
        let (doubled, overflows) = connections.multipliedReportingOverflow(by: 2)
        let wanted = overflows ? rlim_t.max : rlim_t(doubled + reserve)
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = min(wanted, limit.rlim_max)
            if setrlimit(kind, &raised) == 0 { limit = raised }
        }
        guard limit.rlim_cur < wanted else { return }
        let fitting = max(1, (Int(clamping: limit.rlim_cur) - reserve) / 2)
        logger.log(
            level: fitting < connections / 2 ? .warning : .notice,
            "accepting at most \(fitting) client connections: the open-file limit is \(limit.rlim_cur)",
            metadata: ["requested": "\(connections)"]
        )
        connections = fitting
    }
}
#endif
