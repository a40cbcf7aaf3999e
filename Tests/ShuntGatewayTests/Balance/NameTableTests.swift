#if Gateway
import Dispatch
import Shunt
import Synchronization
import Testing

@testable import ShuntGateway

@Suite("The addresses of names")
struct NameTableTests {
    /// A system whose answers are changed, and that is silent for some names until it is let go.
    final class System: Sendable {
        let known = Mutex<[String: [String]]>([:])
        let asked = Mutex<[String]>([])
        let now = Mutex(ContinuousClock.now)
        let silent: Set<String>
        let gate = DispatchSemaphore(value: 0)

        init(_ known: [String: [String]], silent: Set<String> = []) {
            self.silent = silent
            self.known.withLock { $0 = known }
        }

        var table: NameTable {
            let lookUp: @Sendable (String) -> [String] = { name in
                self.asked.withLock { $0.append(name) }
                if self.silent.contains(name) { self.gate.wait() }
                return self.known.withLock { $0[name] ?? [] }
            }
            return NameTable(now: { self.now.withLock { $0 } }, lookUp: lookUp)
        }
    }

    static func find(_ name: String, in table: NameTable, isFresh: Bool = false) async -> [String] {
        await withCheckedContinuation { continuation in
            table.find(name, isFresh: isFresh) { continuation.resume(returning: $0) }
        }
    }

    @Test("A server that is silent for one name delays no other, and is asked once for it")
    func silence() async {
        let system = System(["good": ["192.0.2.1"], "bad": ["192.0.2.2"]], silent: ["bad"])
        let table = system.table
        // All wait before anything else is asked: `find` does not block.
        let waiting = (0..<5).map { _ in Task { await Self.find("bad", in: table) } }
        while !system.asked.withLock({ $0.contains("bad") }) { await Task.yield() }
        for _ in 0..<20 { #expect(await Self.find("good", in: table, isFresh: true) == ["192.0.2.1"]) }
        system.gate.signal()
        for task in waiting { #expect(await task.value == ["192.0.2.2"]) }
        #expect(system.asked.withLock { $0.count { $0 == "bad" } } == 1)
    }

    @Test("Names that are silent, however many, leave a known name its address")
    func busy() async {
        let silent = (0..<NameTable.mostAtOnce + 9).map { "silent-\($0)" }
        let system = System(["good": ["192.0.2.1"]], silent: Set(silent))
        let table = system.table
        #expect(await Self.find("good", in: table) == ["192.0.2.1"])
        let waiting = silent.map { name in Task { await Self.find(name, in: table) } }
        while system.asked.withLock({ $0.count }) <= NameTable.mostAtOnce { await Task.yield() }
        system.now.withLock { $0 += NameTable.memory }
        for _ in 0..<2 {
            let found = Mutex<[String]?>(nil)
            table.find("good") { addresses in found.withLock { $0 = addresses } }
            #expect(found.withLock { $0 } == ["192.0.2.1"])
        }
        for _ in silent { system.gate.signal() }
        for task in waiting { #expect(await task.value == []) }
        while system.asked.withLock({ $0.count { $0 == "good" } }) < 2 { await Task.yield() }
    }

    @Test("An answer is remembered for a short time, that there is no address as well")
    func memory() async {
        let system = System(["name": ["192.0.2.1"]])
        let table = system.table
        for _ in 0..<3 {
            #expect(await Self.find("name", in: table) == ["192.0.2.1"])
            #expect(await Self.find("none", in: table) == [])
        }
        #expect(system.asked.withLock { $0 } == ["name", "none"])
        system.known.withLock { $0 = ["name": ["192.0.2.9"], "none": ["192.0.2.8"]] }
        #expect(await Self.find("name", in: table, isFresh: true) == ["192.0.2.9"])
        system.now.withLock { $0 += NameTable.memory }
        #expect(await Self.find("none", in: table) == ["192.0.2.8"])
    }

    @Test("Many names are looked up at once, and the table does not grow with them")
    func many() {
        let system = System([:])
        let names = Set((0..<3_000).map { "host-\($0)" })
        #expect(system.table.find(names).count == 3_000)
        #expect(system.asked.withLock { Set($0) } == names)
    }

    @Test("All names of a load wait for answers at the same time")
    func sideBySide() {
        let names = Set((0..<10).map { "host-\($0)" })
        let system = System([:], silent: names)
        // No lookup is released before all are asked.
        let lookUp: @Sendable (String) -> [String] = { name in
            let isLast = system.asked.withLock { asked in
                asked.append(name)
                return asked.count == names.count
            }
            if isLast { for _ in names { system.gate.signal() } }
            system.gate.wait()
            return ["192.0.2.1"]
        }
        #expect(NameTable(lookUp: lookUp).find(names).count == names.count)
    }
}
#endif
