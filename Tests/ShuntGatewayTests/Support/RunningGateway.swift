#if Gateway
import Logging
import NIOPosix
import NginxOracle
import ServiceLifecycle
import Shunt
import ShuntGateway
import Synchronization
import TestFolder

/// A gateway on a port of the loopback interface while a test runs.
struct RunningGateway: Sendable {
    let gateway: Gateway
    let port: UInt16
    let adminPort: UInt16
    let directory: TestFolder
    let messages: LogMessages
    private let group: ServiceGroup

    /// A difference of the options of a gateway from the usual ones.
    struct Change {
        let apply: (inout GatewayOptions) -> Void

        init(_ apply: @escaping (inout GatewayOptions) -> Void) { self.apply = apply }

        /// An upstream.
        static func upstream(_ upstream: TestUpstream) -> Change {
            Change { $0.upstream = UpstreamAddress(upstream.url) }
        }
    }

    /// Runs a test against a gateway with these rule files.
    static func with(
        _ rules: [String: String],
        options change: Change = Change { _ in },
        _ body: (RunningGateway) async throws -> Void
    ) async throws {
        let directory = try TestFolder()
        for (name, text) in rules { try directory.replace(name, text) }
        var options = GatewayOptions(
            rules: directory.path,
            listeners: [Listener(.socket(SocketEndpoint(host: "127.0.0.1", port: 0)))]
        )
        options.admin = SocketEndpoint(host: "127.0.0.1", port: 0)
        options.shutdownTimeout = 10
        options.watchesRules = false
        change.apply(&options)
        let messages = LogMessages()
        let logger = Logger(label: "test") { _ in messages.handler }
        let gateway = try await Gateway(options, logger: logger)
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [gateway], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            do {
                let running = RunningGateway(
                    gateway: gateway,
                    port: UInt16(try await gateway.port()),
                    adminPort: UInt16(try await gateway.adminPort()),
                    directory: directory,
                    messages: messages,
                    group: group
                )
                try await body(running)
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Begins the shutdown.
    func shutDown() async { await group.triggerGracefulShutdown() }

    /// Sends bytes over a separate connection and collects what comes back until it is closed, or until `count`
    /// responses have come.
    func send(_ text: String, to port: UInt16? = nil, responses count: Int = 1) async throws -> [TestResponse] {
        try await send(Array(text.utf8), to: port, responses: count)
    }

    /// As above.
    func send(_ bytes: [UInt8], to port: UInt16? = nil, responses count: Int = 1) async throws -> [TestResponse] {
        let port = port ?? self.port
        return try await Blocking.run {
            var connection = try TestConnection(port: port)
            try connection.send(bytes)
            var responses: [TestResponse] = []
            while responses.count < count, let response = try connection.response() { responses.append(response) }
            return responses
        }
    }

    /// The response to a GET.
    func get(_ target: String, headers: [String] = [], from port: UInt16? = nil) async throws -> TestResponse {
        let host = port == adminPort ? "localhost" : "a.test"
        let lines = ["GET \(target) HTTP/1.1", "Host: \(host)", "Connection: close"] + headers + ["", ""]
        let responses = try await send(lines.joined(separator: "\r\n"), to: port)
        guard let response = responses.first else { throw TestProblem("no response to \(target)") }
        return response
    }
}

/// Work that blocks, on its own threads.
enum Blocking {
    private static let threads: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 16)
        pool.start()
        return pool
    }()

    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await threads.runIfActive(body)
    }
}

/// Log messages, gathered.
final class LogMessages: Sendable {
    private let gathered = Mutex<[String]>([])

    var all: [String] { gathered.withLock { $0 } }

    var handler: any LogHandler { Handler(messages: self) }

    private struct Handler: LogHandler {
        let messages: LogMessages
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .info

        init(messages: LogMessages) { self.messages = messages }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            messages.gathered.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }
    }
}
#endif
