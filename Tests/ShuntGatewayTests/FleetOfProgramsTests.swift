#if Gateway && Fleet
import Foundation
import Shunt
import ShuntFleet
import Synchronization
import TestFolder
import Testing
import TestSettings

/// `shunt serve` and nodes within other programs, which follow one etcd together.
///
/// How many programs there are is in `SHUNT_FLEET_PROGRAMS`, how many other nodes in `SHUNT_FLEET_NODES`; what was
/// measured is printed where one of them is given.
@Suite(
    "Programs and other nodes at a real etcd",
    .enabled(if: RunningEtcd.isInstalled, "etcd is not installed")
)
struct FleetOfProgramsTests {
    /// A node within this program.
    struct Node {
        let rules: RuleStore
        let running: Task<Void, Never>

        init(_ name: String, _ keys: KeyFile, _ folder: TestFolder, _ etcd: RunningEtcd) async throws {
            let follower = FleetFollower(
                NodeConfiguration(name: name, keys: keys, version: "0.1.0"),
                directory: "\(folder.path)/\(name)",
                carriers: [try EtcdCarrier(EtcdOptions(endpoints: [etcd.url]), namespace: "web")]
            )
            rules = try await follower.open()
            running = Task { await follower.run() }
        }

        var status: Int? { rules.snapshot.engine.decide(RuleRequest(url: "http://a.test/")).status }
    }

    @Test("A release reaches all of them through its stages, within ten seconds for a thousand, and no request fails")
    func stages() async throws {
        let isMeasured = TestSettings.fleetPrograms != nil || TestSettings.fleetNodes != nil
        let programCount = TestSettings.fleetPrograms ?? 2
        let nodeCount = TestSettings.fleetNodes ?? 6
        // Each of a thousand nodes would have a separate disk elsewhere.
        let folder = try await FleetNodeTests.folder(inMemory: true)
        let etcd = try await RunningEtcd(publishing: folder)
        let keys = try KeyFile(decoding: Array(try folder.text("keys.json").utf8))
        var nodes: [Node] = []
        defer { for node in nodes { node.running.cancel() } }
        // All at once: each waits its part of the first release's spread.
        try await withThrowingTaskGroup(of: Node.self) { group in
            for number in 0..<nodeCount {
                group.addTask { try await Node("node-\(number)", keys, folder, etcd) }
            }
            for try await node in group { nodes.append(node) }
        }
        var programs: [ServedProgram] = []
        for number in 0..<programCount {
            programs.append(try await FleetNodeTests.node("edge-\(number)", etcd.store, folder))
        }
        let count = nodeCount + programCount
        try await Wait.until("all nodes are known") {
            try await FleetNodeTests.run(["status", "--keys", "keys.json", "--store", etcd.store], folder)
                .contains("\(count) nodes, \(count) live")
        }

        let traffic = FleetNodeTests.Traffic()
        async let requests = Self.ask(programs, traffic)
        try FleetNodeTests.answer(202, folder)
        let start = ContinuousClock.now
        let told = try await FleetNodeTests.publish(
            folder,
            ["--wait", "--bake", "0", "--spread", "0"],
            to: etcd.store
        )
        let time = ContinuousClock.now - start
        traffic.isOver.store(true, ordering: .relaxed)
        let asked = await requests

        #expect(told.contains("100 %     \(count) of \(count) applied in "), "\(told)")
        #expect(traffic.problems.withLock { $0 } == [])
        #expect(asked > 0)
        #expect(nodes.allSatisfy { $0.status == 202 })
        for program in programs { #expect(try await program.ask("/").status == 202) }
        if isMeasured {
            print(
                "\(programCount) programs and \(nodeCount) other nodes: \(time), \(asked) requests meanwhile\n\(told)"
            )
        }
        #expect(time < .seconds(isMeasured ? 10 : 60))
    }

    /// Asks one program after the other until the traffic is over, and notes each answer that is of neither release, or of the
    /// first behind the second.
    ///
    /// - Returns: How many requests there were.
    static func ask(_ programs: [ServedProgram], _ traffic: FleetNodeTests.Traffic) async -> Int {
        var last = [Int](repeating: 201, count: programs.count)
        var count = 0
        while !traffic.isOver.load(ordering: .relaxed) {
            let index = count % programs.count
            let status = (try? await programs[index].ask("/").status) ?? 0
            if !(last[index]...202).contains(status) {
                traffic.problems.withLock { $0.append("\(status) of program \(index) after \(last[index])") }
            }
            last[index] = max(status, 201)
            count += 1
        }
        return count
    }
}
#endif
