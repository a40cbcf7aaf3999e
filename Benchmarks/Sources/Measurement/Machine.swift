import Foundation

/// The machine of a run.
public struct Machine: Codable, Sendable {
    /// The processor.
    public var processor = Machine.processor()
    /// The number of its cores.
    public var cores = ProcessInfo.processInfo.activeProcessorCount
    /// The memory, in bytes.
    public var memoryBytes = ProcessInfo.processInfo.physicalMemory
    /// The system.
    public var system = ProcessInfo.processInfo.operatingSystemVersionString

    /// Describes this machine.
    public init() {}

    private static func processor() -> String {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return "unknown" }
        let fields = ["model name", "cpu family", "model"]
            .compactMap { field in
                text.split(separator: "\n")
                    .first { $0.split(separator: ":")[0].trimmingCharacters(in: .whitespaces) == field }?
                    .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
            }
        guard fields.count == 3 else { return fields.first ?? "unknown" }
        return "\(fields[0]), family \(fields[1]), model \(fields[2])"
    }
}
