#if canImport(Glibc)
import Glibc
import Shunt
import Testing

/// Memory that was freed is the system's again after a reload, and not the C library's for good.
@Suite struct FreedMemoryTests {
    /// Small blocks, as loading makes many of.
    private struct Blocks {
        static let size = 4096
        private let addresses: [UInt]

        init(count: Int) {
            addresses = (0..<count)
                .compactMap { _ in
                    guard let block = malloc(Self.size) else { return nil }
                    memset(block, 1, Self.size)
                    return UInt(bitPattern: block)
                }
        }

        /// Frees all but a few, without which the C library would return the rest without a call.
        func freeMost() {
            for (index, address) in addresses.enumerated() where index % 64 != 0 {
                free(UnsafeMutableRawPointer(bitPattern: address))
            }
        }

        func freeOthers() {
            for (index, address) in addresses.enumerated() where index % 64 == 0 {
                free(UnsafeMutableRawPointer(bitPattern: address))
            }
        }

        /// The number of pages that have memory of the system.
        var residentCount: Int {
            let page = UInt(getpagesize())
            return addresses.count { address in
                var state: UInt8 = 0
                let start = UnsafeMutableRawPointer(bitPattern: (address + page - 1) / page * page)
                return mincore(start, 1, &state) == 0 && state & 1 == 1
            }
        }
    }

    /// In a separate process, because other tests would take the freed blocks.
    @Test("A reload returns it")
    func givesBack() async {
        await #expect(processExitsWith: .success) {
            let count = 8192
            let blocks = Blocks(count: count)
            #expect(blocks.residentCount > count / 2)
            blocks.freeMost()
            defer { blocks.freeOthers() }
            #expect(blocks.residentCount > count / 2)
            let source = MemorySource(RuleStoreTests.rules("one"))
            let store = try await RuleStore.open(source)
            source.replace(with: RuleStoreTests.rules("two"))
            await store.reload()
            #expect(blocks.residentCount <= count / 8)
        }
    }
}
#endif
