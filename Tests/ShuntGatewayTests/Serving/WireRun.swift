#if Gateway
import NginxOracle
import Shunt
import ShuntGateway
import Synchronization
import TestFolder

/// Sends nginx and a gateway the same requests, on separate ports.
struct WireRun {
    private let folder: TestFolder
    let upstreams: WireUpstreams

    /// The results of one side for a connection.
    struct Outcome: Equatable, CustomStringConvertible {
        var answers: [String]
        var asked: [String]

        var description: String { (answers + asked.map { "asked \($0)" }).joined(separator: "\n      ") }
    }

    /// A difference between the two on a connection.
    struct Difference {
        var set: WireSet
        var connection: Int
        var nginx: Outcome
        var shunt: Outcome

        /// The kind of the difference: the statuses of the first lines that differ, or the requests that upstreams got.
        var kind: String {
            guard let (left, right) = Self.firstPair(nginx.answers, shunt.answers) else {
                let pair = Self.firstPair(nginx.asked, shunt.asked)
                return "asked \(pair?.0.prefix(5) ?? "") for \(pair?.1.prefix(5) ?? "")"
            }
            return left.prefix(3) == right.prefix(3)
                ? "\(left.prefix(3)) otherwise" : "\(left.prefix(3)) for \(right.prefix(3))"
        }

        private static func firstPair(_ left: [String], _ right: [String]) -> (String, String)? {
            for index in 0..<max(left.count, right.count) {
                let pair = (index < left.count ? left[index] : "", index < right.count ? right[index] : "")
                if pair.0 != pair.1 { return pair }
            }
            return nil
        }

        /// True if nginx, and not the gateway, has no answer of an upstream.
        var isBadGateway: Bool {
            Self.firstPair(nginx.answers, shunt.answers).map { $0.0.hasPrefix("502") && !$0.1.hasPrefix("502") }
                ?? false
        }

        /// True if the gateway had a kept connection that an upstream closed without an answer, and sent its request again.
        ///
        /// nginx keeps none here, and answers 502. The thread of the client decides if one is there.
        var isSentAgain: Bool {
            guard isBadGateway, let next = shunt.asked.indices.dropFirst().first(where: isRepeat) else { return false }
            return nginx.asked.prefix(next) == shunt.asked.prefix(next)
        }

        private func isRepeat(at index: Int) -> Bool {
            let line = shunt.asked[index]
            return line == shunt.asked[index - 1] && !line.contains(" POST ") && !line.contains(" PATCH ")
        }

        /// The lines that differ first.
        var firstPair: String {
            let pair = Self.firstPair(nginx.answers, shunt.answers) ?? Self.firstPair(nginx.asked, shunt.asked)
            return pair.map { "\n  nginx: \($0.0.prefix(300))\n  shunt: \($0.1.prefix(300))" } ?? ""
        }

        var text: String { "\(set)\n  nginx: \(nginx)\n  shunt: \(shunt)\n" }
    }

    init() throws {
        folder = try TestFolder(TestCertificates.files.merging(Self.files) { first, _ in first })
        upstreams = try WireUpstreams(folder)
    }

    /// The passwords of `u` (`p`), in files of several kinds.
    private static let files = [
        "users": "u:{PLAIN}p\nv:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\nw:\(slowHash)\n", "empty": "# no one\n",
    ]

    /// A hash whose check takes milliseconds, of `p`.
    private static let slowHash =
        "$6$wiresalt$VHf0Y4PeaZJCFbaIRqOA3/.UIOiz5nn9RG1jBkMG4d5BW5.yNOni/.Rqs1EmIQ2karPsbbSr1k2HF66bVme2W1"

    /// The ports in use, of which each set that is asked at one time has its own.
    private static let taken = Mutex<Set<UInt16>>([])

    /// The ports of the listeners.
    private func ports() throws -> [UInt16] {
        var ports: [UInt16] = []
        while ports.count < WireSet.listeners {
            let port = try LoopbackSocket.listening().port
            if Self.taken.withLock({ $0.insert(port).inserted }) { ports.append(port) }
        }
        return ports
    }

    private func text(_ rules: [RuleNode], _ ports: [UInt16]) -> String {
        (replaced(ports) + upstreams.places.map { ("@\($0)@", $1) })
            .reduce(RuleNode.render(rules)) { $0.replacing($1.0, with: $1.1) }
    }

    private func replaced(_ ports: [UInt16]) -> [(String, String)] {
        ports.enumerated().map { ("@\($0)@", "\($1)") } + [("@dir@", folder.path)]
    }

    /// The differences by connection; none where one of the two refuses the rules.
    ///
    /// A connection that is silent for `patience` milliseconds is given up; `refused` gets the reason of a refusal.
    func differences(_ set: WireSet, patience: Int = 250, refused: (String) -> Void = { _ in }) async throws
        -> [Difference]
    {
        let ports = try ports()
        defer { Self.taken.withLock { $0.subtract(ports) } }
        guard let expected = try await nginx(set, ports, patience, refused) else { return [] }
        let own = try self.ports()
        defer { Self.taken.withLock { $0.subtract(own) } }
        var found: [Outcome] = []
        let change = RunningGateway.Change {
            $0.listeners = []
            $0.shutdownTimeout = 0
        }
        do {
            try await RunningGateway.with(["rules.conf": text(set.rules, own)], options: change) { _ in
                if let reason = try await wait(for: set, own) { return refused("shunt: \(reason)") }
                found = try await ask(set, own, patience)
            }
        } catch let failure as ListenError {
            // Another program has taken the port.
            refused("shunt: \(failure)")
            return []
        } catch let failure as ReloadError {
            refused("shunt: \(failure.summary)")
            return []
        }
        guard found.count == expected.count else { return [] }
        return expected.indices.filter { expected[$0] != found[$0] }
            .map { Difference(set: set, connection: $0, nginx: expected[$0], shunt: found[$0]) }
    }

    private func nginx(_ set: WireSet, _ ports: [UInt16], _ patience: Int, _ refused: (String) -> Void) async throws
        -> [Outcome]?
    {
        let process = try NginxProcess()
        try process.configure("access_log off; server_tokens off;\n" + text(set.rules, ports), connections: 1_024)
        try process.start(sockets: [])
        defer { process.stop(letsRequestsEnd: false) }
        if let refusal = try await wait(for: set, ports, orRefusal: { process.refusal() }) {
            refused("nginx: \(refusal)")
            return nil
        }
        return try await ask(set, ports, patience)
    }

    /// Waits until something listens at each port that a set connects to.
    ///
    /// - Returns: The reason why nothing will.
    private func wait(for set: WireSet, _ ports: [UInt16], orRefusal refusal: () -> String? = { nil }) async throws
        -> String?
    {
        let asked = Set(set.connections.map(\.listener))
        for _ in 0..<400 {
            if let refusal = refusal() { return refusal }
            if asked.allSatisfy({ (try? LoopbackSocket.connected(to: ports[$0], timeoutSeconds: 1)) != nil }) {
                return nil
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        return "nothing listens"
    }

    private func ask(_ set: WireSet, _ ports: [UInt16], _ patience: Int) async throws -> [Outcome] {
        let (upstreams, replaced) = (upstreams, replaced(ports))
        return try await Blocking.run {
            try set.connections.map { connection in
                upstreams.begin(connection.answers)
                let answers = try WireClient.ask(
                    connection,
                    at: ports[connection.listener],
                    patience: patience,
                    replacing: replaced
                )
                let asked = upstreams.seen.map { seen in replaced.reduce(seen) { $0.replacing($1.1, with: $1.0) } }
                return Outcome(answers: answers, asked: asked)
            }
        }
    }
}
#endif
