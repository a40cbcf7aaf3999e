#if Command && Fleet
import ArgumentParser
import Dispatch
import Glibc
import Shunt
import ShuntFleet
import Synchronization

struct FleetOptions: ParsableArguments {
    @Option(help: "The store of releases: a directory, or etcd://HOST:PORT/NAMESPACE.", completion: .directory)
    var store: String?

    @Option(help: "The format of the answer: text or json.")
    var format = OutputFormat.text

    func writable(_ other: String? = nil) throws -> any ReleaseStore { try FleetPlace.store(try name(other)) }

    func readable() throws -> any FleetCarrier {
        try FleetPlace.check(try name(nil))
        return try FleetPlace.carrier(try name(nil))
    }

    func name(_ other: String? = nil) throws -> String {
        try (other ?? store ?? FleetRun.environment("SHUNT_FLEET_STORE"))
            .valid(or: "Name the store with --store, or with SHUNT_FLEET_STORE in the environment.")
    }
}

extension OutputFormat {
    /// Writes an answer; its JSON need not end its line.
    func answer(text: String, json: [UInt8]) throws {
        let newline = UInt8(ascii: "\n")
        try write(json: json.last == newline ? json : json + [newline]) { _ in text }
    }
}

struct AuthorOptions: ParsableArguments {
    @Option(help: "The author in the history; by default the user.")
    var author: String?

    @Option(name: [.short, .long], help: "Why, for the history.")
    var message = ""

    var name: String {
        if let author { return author }
        if let entry = getpwuid(getuid()), let name = entry.pointee.pw_name { return String(cString: name) }
        return FleetRun.environment("USER") ?? "unknown"
    }
}

/// The key file of the nodes: nothing of a store is used that is not signed as it requires.
struct KeyFileOptions: ParsableArguments {
    @Option(help: "The key file that nodes were given.", completion: .file())
    var keys: String?

    func file() throws -> KeyFile {
        guard let path = keys ?? FleetRun.environment("SHUNT_FLEET_KEYS") else {
            throw ValidationError("Name the key file with --keys, or with SHUNT_FLEET_KEYS in the environment.")
        }
        return try KeyPaths.keyFile(path)
    }
}

struct SigningOptions: ParsableArguments {
    @Option(help: "A file with a key that signs; may be repeated.", completion: .file())
    var key: [String] = []

    @OptionGroup var trust: KeyFileOptions

    func signers() throws -> [Ed25519.SigningKey] {
        guard !key.isEmpty else { throw ValidationError("Name a key that signs with --key.") }
        return try key.map { try KeyPaths.secret($0).key }
    }

    /// The order to sign; `usual` if the author names none.
    func order(_ author: AuthorOptions, usual: String = "", isSigned: Bool = true) throws -> ReleasePublisher.Order {
        ReleasePublisher.Order(
            trusted: try trust.file(),
            author: author.name,
            message: author.message.isEmpty ? usual : author.message,
            keys: isSigned || !key.isEmpty ? try signers() : []
        )
    }
}

/// Runs what waits for a store.
enum FleetRun {
    /// A variable of the environment; nil where it is empty.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Waits for work, and ends the command where it fails.
    static func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        do { return try result(work) } catch { throw failure(error) }
    }

    static func result<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let answer = Mutex<Result<Value, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            answer.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = answer.withLock({ $0 }) else { throw Failure.unanswered }
        return try result.get()
    }

    /// Reports why something about a fleet failed; returns the exit status.
    static func failure(_ error: any Error) -> any Error {
        switch error {
        case is ExitCode, is OutputError, is ValidationError: return error
        case let error as RuleSetError: return Failure.errors(error.diagnostics, status: Failure.negative)
        default:
            let isRefusal = error is DocumentError || (error as? FleetError)?.isRefusal ?? false
            return Failure.error("\(error)".printable, status: isRefusal ? Failure.negative : Failure.unanswered)
        }
    }
}

struct RolloutOptions: ParsableArguments {
    @Option(
        help: .value("1,5%,100%", "The nodes of each stage: numbers or shares, the last 100%."),
        transform: Self.stages
    )
    var stages: [RolloutPlan.Stage] = RolloutPlan().stages

    @Option(
        help: .value("times", "The time that each stage but the last has to be quiet: as many times, or one for all."),
        transform: Self.times
    )
    var bake: [Int] = RolloutPlan().bakeSeconds

    @Option(help: .value("time", "The time that nodes of a stage have to answer."))
    var acknowledge = Seconds(60)

    @Option(help: .value("time", "The time without progress after which a node goes back automatically."))
    var confirm = Seconds(900)

    @Option(help: .value("ms", "Over how many milliseconds nodes spread what they fetch."))
    var spread = 2000

    private static func stages(_ text: String) throws -> [RolloutPlan.Stage] {
        try text.split(separator: ",")
            .map { part in
                if part.hasSuffix("%"), let percent = Int(part.dropLast()), (1...100).contains(percent) {
                    return .percent(percent)
                }
                guard let number = Int(part), number > 0 else {
                    throw ValidationError("A stage is a number of nodes or a share such as 5%, not '\(part)'.")
                }
                return .nodes(number)
            }
    }

    private static func times(_ text: String) throws -> [Int] {
        try text.split(separator: ",")
            .map { part in
                guard let time = Seconds(argument: String(part)) else {
                    throw ValidationError("'\(part)' is not a time such as 30 or 2m.")
                }
                return time.value
            }
    }

    func plan() throws -> RolloutPlan {
        var bakes = bake
        let count = stages.count - 1
        if bakes.count == 1 { bakes = Array(repeating: bakes[0], count: count) }
        if bakes == RolloutPlan().bakeSeconds, bakes.count > count { bakes = Array(bakes.prefix(count)) }
        let plan = RolloutPlan(
            stages: stages,
            bakeSeconds: bakes,
            acknowledgeSeconds: acknowledge.value,
            confirmSeconds: confirm.value,
            spreadMilliseconds: spread
        )
        if let problem = plan.problem { throw ValidationError("The rollout cannot be so: \(problem).") }
        return plan
    }
}
#endif
