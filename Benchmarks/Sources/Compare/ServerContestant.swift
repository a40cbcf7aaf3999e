import Foundation
import Measurement
import Servers
import Workloads

/// A server with rules: what they add to the processor time of a request, above the same server without rules.
final class ServerContestant: Contestant {
    let name: String
    let stride = 2
    let loadSeconds: Double? = nil
    let canMatch: Bool
    private let full: ServerProcess
    private let base: ServerProcess
    private let paths: [String: [String]]
    private let isMatch: (_ path: String, _ body: String) -> Bool
    private var position = 0

    private init(
        name: String,
        full: ServerProcess,
        base: ServerProcess,
        paths: [String: [String]],
        canMatch: Bool = true,
        isMatch: @escaping (_ path: String, _ body: String) -> Bool
    ) {
        self.name = name
        self.full = full
        self.base = base
        self.paths = paths
        self.canMatch = canMatch
        self.isMatch = isMatch
    }

    func warmUp(_ kind: String) throws {
        guard let paths = paths[kind] else { throw Absence("\(name): no URLs \(kind)") }
        for server in [base, full] { _ = try burst(server, paths) }
    }

    /// Requests to both servers in short bursts, in turns.
    ///
    /// A burst during which the machine did something else counts no more than any other, for the medians are compared.
    func round(_ kind: String, nanoseconds: Double) throws -> Round {
        guard let paths = paths[kind] else { throw Absence("\(name): no URLs \(kind)") }
        var costs: (full: [Double], base: [Double]) = ([], [])
        var matches = 0
        var used = 0.0
        // A request to a server is a thousand times as long as a lookup.
        while costs.full.count < 3 || used < 12 * nanoseconds {
            let without = try burst(base, paths)
            let with = try burst(full, paths)
            costs.base.append(without.nanoseconds)
            costs.full.append(with.nanoseconds)
            matches += with.matches
            used += (without.nanoseconds + with.nanoseconds) * Double(with.lookups)
        }
        return Round(
            nanoseconds: Statistics(costs.full).median - Statistics(costs.base).median,
            lookups: costs.full.count * Self.burstLength,
            matches: matches
        )
    }

    private static let burstLength = 12

    private func burst(_ server: ServerProcess, _ paths: [String]) throws -> Round {
        let start = server.processorTime()
        var matches = 0
        for _ in 0..<Self.burstLength {
            let path = paths[position % paths.count]
            position += 1
            if isMatch(path, try server.get(path)) { matches += 1 }
        }
        let used = server.processorTime() - start
        return Round(nanoseconds: used / Double(Self.burstLength), lookups: Self.burstLength, matches: matches)
    }

    /// nginx: the rewrites in one server, and an answer that shows the path they leave.
    static func nginx(
        isCompiled: Bool,
        workload: RewriteWorkload,
        paths: [String: [String]],
        canMatch: Bool,
        folder: String
    ) throws -> ServerContestant {
        let name = isCompiled ? "nginx, pcre_jit on" : "nginx"
        let program = try ServerProcess.find("nginx", for: name)
        func start(_ label: String, _ workload: RewriteWorkload) throws -> ServerProcess {
            let place = "\(folder)/nginx-\(label)-\(isCompiled)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(atPath: "\(place)/socket")
            let text = """
                daemon off; master_process off; pid \(place)/pid; error_log \(place)/error.log crit;
                pcre_jit \(isCompiled ? "on" : "off");
                events {}
                http {
                access_log off; keepalive_requests 1000000000; keepalive_timeout 1h;
                \(workload.serverText(listen: "unix:\(place)/socket", body: "location / { return 200 $uri; }\n"))}
                """
            try text.write(toFile: "\(place)/nginx.conf", atomically: true, encoding: .utf8)
            return try ServerProcess(
                program: program,
                arguments: ["-p", place, "-c", "\(place)/nginx.conf", "-e", "\(place)/error.log"],
                socket: "\(place)/socket"
            )
        }
        let base = try start("base", .none)
        let full = try start("full", workload)
        return ServerContestant(name: name, full: full, base: base, paths: paths, canMatch: canMatch) { $0 != $1 }
    }

    /// HAProxy: a map of regular expressions, whose value is the answer.
    static func haproxy(
        workload: RewriteWorkload,
        paths: [String: [String]],
        folder: String
    ) throws -> ServerContestant {
        let name = "HAProxy map"
        let program = try ServerProcess.find("haproxy", for: name)
        func start(_ label: String, _ workload: RewriteWorkload) throws -> ServerProcess {
            let place = "\(folder)/haproxy-\(label)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let map = workload.rules.map { rule in
                "\(rule.pattern) \(rule.replacement.replacingOccurrences(of: "$", with: "\\"))\n"
            }
            try map.joined().write(toFile: "\(place)/map", atomically: true, encoding: .utf8)
            let text = """
                global
                    nbthread 1
                defaults
                    mode http
                    timeout client 1h
                    timeout server 1h
                    timeout connect 1h
                frontend web
                    bind unix@\(place)/socket
                    http-request set-var(txn.new) path,map_regm(\(place)/map)
                    http-request return status 200 content-type text/plain lf-string "%[var(txn.new)]"

                """
            try text.write(toFile: "\(place)/haproxy.cfg", atomically: true, encoding: .utf8)
            return try ServerProcess(
                program: program,
                arguments: ["-db", "-f", "\(place)/haproxy.cfg"],
                socket: "\(place)/socket"
            )
        }
        let base = try start("base", .none)
        let full = try start("full", workload)
        return ServerContestant(name: name, full: full, base: base, paths: paths) { _, body in !body.isEmpty }
    }
}
