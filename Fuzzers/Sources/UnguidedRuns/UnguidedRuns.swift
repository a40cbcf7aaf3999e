import Foundation
import SeededRandom

/// The function of a fuzzer for an input.
public typealias FuzzTest = (UnsafePointer<UInt8>, Int) -> CInt

/// Runs a fuzzer on changed inputs without reading what they reach, which takes a fraction of the time.
///
/// The words of the command are RUNS SEED CURRENT FOLDER…. The folders have the inputs to begin with: those that a guided run has
/// kept. The input of a run is in the file CURRENT before it is run, and is left there by one that ends the program or takes longer
/// than 20 seconds.
public func runUnguided(_ test: FuzzTest) {
    let words = CommandLine.arguments.dropFirst()
    guard words.count > 3, let runs = Int(words[1]), let seed = UInt64(words[2]) else {
        print("usage: RUNS SEED CURRENT FOLDER...")
        exit(2)
    }
    let corpus = words[4...].flatMap(inputs)
    guard !corpus.isEmpty, FileManager.default.createFile(atPath: words[3], contents: nil),
        let current = FileHandle(forWritingAtPath: words[3])
    else {
        print("there is no input, or \(words[3]) cannot be written")
        exit(2)
    }
    let start = ContinuousClock.now
    run(test, runs, seed, corpus, current.fileDescriptor)
    print("Done \(runs) runs in \((ContinuousClock.now - start).components.seconds) second(s)")
}

private func inputs(in folder: String) -> [[UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted()
        .compactMap {
            FileManager.default.contents(atPath: "\(folder)/\($0)").map { Array($0.prefix(InputMutation.longest)) }
        }
}

private func run(_ test: FuzzTest, _ runs: Int, _ seed: UInt64, _ corpus: [[UInt8]], _ current: CInt) {
    var random = SeededGenerator(seed: seed)
    let mutation = InputMutation(corpus: corpus)
    var input = corpus[0]
    for _ in 0..<runs {
        // Half of them continue from the one before, so that changes add up.
        if random.chance(50) { input = random.pick(corpus) }
        mutation.change(&input, &random)
        // Without a byte there is no address.
        if input.isEmpty { input = [0] }
        input.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            pwrite(current, start, bytes.count, 0)
            ftruncate(current, off_t(bytes.count))
            alarm(20)
            _ = test(start, bytes.count)
        }
    }
    alarm(0)
}
