import Foundation
import Measurement
import Servers

/// nginx with the rules of a set, and without any.
struct NginxSet {
    struct Result: Codable {
        /// The time that the rules add to the processor time of a request.
        var nanoseconds: Double
        /// The processor time until the first answer.
        var loadSeconds: Double
        /// The most memory until then.
        var peakBytes: Int
    }

    private let full: ServerProcess
    private let base: ServerProcess
    private let requests: [(path: String, host: String, fields: String)]
    private let load: (seconds: Double, peakBytes: Int)
    private let isForLoading: Bool

    init(_ set: SetFolder, in folder: String) throws {
        guard let server = set.server else { throw Absence("no nginx.conf") }
        requests = try set.lines().map(Self.parts)
        let answer = """
            server { listen unix:@socket@; \(server.answer.hasPrefix("return 200")
                ? "location / { \(server.answer) }" : server.answer) }
            """
        base = try Self.start(answer, "\(folder)/\(set.name)/base")
        full = try Self.start(server.rules, "\(folder)/\(set.name)/full")
        load = (full.processorTime() / 1e9, full.peakMemory() ?? 0)
        isForLoading = set.isForLoading
    }

    private static func start(_ rules: String, _ place: String) throws -> ServerProcess {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let text = """
            daemon off; master_process off; pid \(place)/pid; error_log \(place)/error.log crit;
            events {}
            http {
            access_log off; keepalive_requests 1000000000; keepalive_timeout 1h; server_names_hash_bucket_size 128;
            \(rules.replacingOccurrences(of: "@socket@", with: "\(place)/socket"))
            }
            """
        try text.write(toFile: "\(place)/nginx.conf", atomically: true, encoding: .utf8)
        return try ServerProcess(
            program: try ServerProcess.find("nginx", for: "nginx"),
            arguments: ["-p", place, "-c", "\(place)/nginx.conf", "-e", "\(place)/error.log"],
            socket: "\(place)/socket"
        )
    }

    /// A line of `urls.txt`, as far as the sets use what it may have.
    private struct Line: Decodable {
        var url: String?
        var target: String?
        var host: String?
        var remote_addr: String?
        var headers: [String: String]?
    }

    /// A request as nginx gets it: its address is in a field, for the connection has none.
    private static func parts(_ line: String) throws -> (path: String, host: String, fields: String) {
        let line = line.hasPrefix("{") ? try JSONDecoder().decode(Line.self, from: Data(line.utf8)) : Line(url: line)
        var path = line.target ?? "/"
        var host = line.host ?? ""
        if let url = line.url, let start = url.range(of: "://") {
            let rest = url[start.upperBound...]
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            host = String(rest[..<end])
            path = end == rest.endIndex ? "/" : String(rest[end...])
        }
        var fields = (line.headers ?? [:]).map { "\($0): \($1)\r\n" }.joined()
        if let address = line.remote_addr { fields += "X-Address: \(address)\r\n" }
        return (path, host, fields)
    }

    /// Bursts of both in turns; a burst in which the machine did something else counts no more than any other.
    func measure() throws -> Result {
        var costs: (full: [Double], base: [Double]) = ([], [])
        var position = 0
        for round in 0..<(isForLoading ? 0 : 150) {
            let first = try burst(base, from: position)
            let second = try burst(full, from: position)
            position += 16
            // The first ones fill caches.
            guard round >= 10 else { continue }
            costs.base.append(first)
            costs.full.append(second)
        }
        let added = Self.quietest(costs.full) - Self.quietest(costs.base)
        return Result(nanoseconds: isForLoading ? 0 : added, loadSeconds: load.seconds, peakBytes: load.peakBytes)
    }

    /// The median of ten bursts one after another in which the machine had the least other work.
    private static func quietest(_ costs: [Double]) -> Double {
        stride(from: 0, to: costs.count, by: 10)
            .map { Statistics(Array(costs[$0..<min($0 + 10, costs.count)])).median }.min() ?? .nan
    }

    private func burst(_ server: ServerProcess, from position: Int) throws -> Double {
        let start = server.processorTime()
        for index in position..<position + 16 {
            let request = requests[index % requests.count]
            try server.get(request.path, host: request.host, fields: request.fields)
        }
        return (server.processorTime() - start) / 16
    }
}
