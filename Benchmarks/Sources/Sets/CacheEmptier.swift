import Foundation

/// A second process that empties the processor's caches.
///
/// It takes turns with the process that measures, so that one processor is enough and what it does is the same each
/// time.
final class CacheEmptier {
    private let process = Process()
    private let orders = Pipe()
    private let answers = Pipe()

    init() throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["empty"]
        process.standardInput = orders
        process.standardOutput = answers
        try process.run()
    }

    deinit {
        try? orders.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Waits until the caches are full of something else.
    func empty() {
        orders.fileHandleForWriting.write(Data([1]))
        _ = try? answers.fileHandleForReading.read(upToCount: 1)
    }

    /// The second process: walks through twice as much memory as the caches hold for each byte it gets.
    static func serve() {
        let size = max(32 << 20, 2 * sysconf(Int32(_SC_LEVEL3_CACHE_SIZE)))
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
        memory.initialize(repeating: 1)
        defer { memory.deallocate() }
        while let order = try? FileHandle.standardInput.read(upToCount: 1), !order.isEmpty {
            for index in stride(from: 0, to: size, by: 64) { memory[index] &+= 1 }
            FileHandle.standardOutput.write(order)
        }
    }
}
