#if Command
import ArgumentParser
import Shunt
import ShuntTools

/// A duration: a number with `s`, `m`, `h`, `d` or `w` after it.
struct DurationArgument: ExpressibleByArgument {
    var seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()), number > 0,
            number <= 1_000_000
        else { return nil }
        seconds = number * unit
    }
}

/// The counts of a gateway: from a file with the answer of `/rules`, or asked of its admin listener.
enum HitCounts {
    private static let limit = 1 << 28

    /// Reads the counts; the program has no client without the traits, so it runs curl.
    static func read(_ source: String, unusedFor duration: DurationArgument) throws -> RuleHits {
        do {
            let bytes =
                source.hasPrefix("http://") || source.hasPrefix("https://")
                ? try SpawnedProgram.output(of: ["curl", "-fsS", "--max-time", "30", source], limit: limit)
                : try LocalFileSystem().read(source, limit: limit)
            return try RuleHits(bytes, unusedFor: duration.seconds)
        } catch {
            throw Failure.error("cannot read the counts of \(source): \(error)")
        }
    }
}
#endif
