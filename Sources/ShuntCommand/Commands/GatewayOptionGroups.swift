#if Gateway && Command
import ArgumentParser
import Shunt
import ShuntGateway
import ShuntTools

/// The place where the admin listener is, and the clients that may use it.
struct AdminOptions: ParsableArguments {
    @Option(
        help: .value(
            "address:port",
            "The address of the admin listener; a port alone is on 127.0.0.1, and unix:PATH is a Unix socket."
        ),
        transform: Self.address
    )
    var admin: Address?

    enum Address {
        case socket(SocketEndpoint)
        case unix(String)
    }

    @Option(
        help: .value(
            "name",
            "A name that the admin listener is reached by, in addition to localhost and addresses; may be repeated."
        )
    )
    var adminHost: [String] = []

    @Option(help: .value("file", "A file with the token that the admin listener requires."), completion: .file())
    var adminTokenFile: String?

    @Flag(help: "Let other machines reach the admin listener without a token.")
    var adminOpen = false

    @Flag(help: "Show the values of arguments to clients that watch live decisions.")
    var tailValues = false

    private static func address(_ text: String) throws -> Address {
        if text.hasPrefix("unix:"), text.utf8.count > 5 { return .unix(String(text.dropFirst(5))) }
        return .socket(try endpoint(text))
    }

    /// A port alone means the loopback address.
    static func endpoint(_ text: String) throws -> SocketEndpoint {
        try SocketEndpoint(text, defaultHost: "127.0.0.1").valid(or: "'\(text)' is not an ADDRESS:PORT.")
    }

    func validate() throws {
        guard case .socket(let admin) = admin, !admin.isLoopback, adminTokenFile == nil, !adminOpen else { return }
        throw ValidationError(
            """
            --admin \(admin) lets other machines change the rules: set a token with --admin-token-file, or allow it with --admin-open.
            """
        )
    }

    /// Sets up the admin listener; throws `Failure.unanswered` when the file of the token cannot be read.
    func apply(to options: inout GatewayOptions) throws {
        switch admin {
        case .socket(let endpoint): options.admin = endpoint
        case .unix(let path): options.adminSocket = path
        case nil: break
        }
        options.adminOrigin = OptionSources.origin(of: "admin") ?? "--admin"
        options.adminHosts = adminHost
        options.showsArgumentValues = tailValues
        guard let adminTokenFile else { return }
        let text: [UInt8]
        do throws(FileError) {
            text = try LocalFileSystem().read(adminTokenFile, limit: 4_096)
        } catch {
            throw Failure.error("--admin-token-file \(adminTokenFile): \(error)")
        }
        let token = text.filter { $0 > 0x20 && $0 < 0x7f }
        guard token.count >= 16 else {
            throw ValidationError("--admin-token-file \(adminTokenFile) has no token of at least 16 characters.")
        }
        options.adminToken = token
    }
}

/// The limits for the changes of reloaded rules.
struct GateOptions: ParsableArguments {
    @Option(
        help: .value("n|n%", "The most of the recent requests that new rules may change."),
        transform: BudgetArgument.budget
    )
    var maxChanged: ChangeLimit?

    @Option(help: .value("n|n%", "The most rules that new ones may lack."), transform: BudgetArgument.budget)
    var maxRemoved: ChangeLimit?

    @Option(help: .value("n", "The number of recent requests to try new rules with."))
    var gateSample = 10_000

    @Option(help: "A file of requests, one a line, that new rules may not change.", completion: .file())
    var gateRequests: String?

    @Option(help: "The reaction to rules that change more: hold, refuse or warn.", transform: Self.action)
    var gate = ChangeGate.Action.hold

    private static func action(_ text: String) throws -> ChangeGate.Action {
        try ChangeGate.Action(rawValue: text).valid(or: "--gate is hold, refuse or warn.")
    }

    func validate() throws {
        guard (0...1_000_000).contains(gateSample) else {
            throw ValidationError("--gate-sample is from 0 to 1000000.")
        }
        if gateSample == 0, maxChanged != nil {
            throw ValidationError("--max-changed needs a sample: leave --gate-sample 0 out.")
        }
    }

    func apply(to options: inout GatewayOptions) throws {
        options.gate.maximumChanged = maxChanged
        options.gate.maximumRemoved = maxRemoved
        options.gate.action = gate
        options.gateSample = gateSample
        guard let gateRequests else { return }
        var corpus = RequestCorpus(host: nil)
        var requests: [RequestDescription] = []
        try corpus.read(gateRequests, form: .lines) { requests.append($0) }
        if let problem = corpus.problems.first { throw ValidationError(problem) }
        if requests.isEmpty { throw ValidationError("\(gateRequests) has no requests.") }
        options.gate.requests = requests
    }
}

enum GatewayValue {
    static func listener(_ text: String) throws -> Listener {
        guard var listener = Listener(text) else { throw ValidationError("'\(text)' is not an ADDRESS:PORT.") }
        listener.origin = OptionSources.origin(of: "listen", text) ?? "--listen"
        return listener
    }

    static func forwardedHeader(_ text: String) throws -> TrustedProxies.Header {
        let names = TrustedProxies.Header.allCases.map(\.rawValue).joined(separator: ", ")
        return try TrustedProxies.Header(rawValue: text.lowercased()).valid(or: "'\(text)' is not one of \(names).")
    }

    static func upstream(_ text: String) throws -> UpstreamAddress {
        try UpstreamAddress(text).valid(or: "'\(text)' is not http://HOST:PORT or https://HOST:PORT, without a path.")
    }

    static func socketMode(_ text: String) throws -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777 else {
            throw ValidationError("'\(text)' is not a mode such as 0660.")
        }
        return mode
    }

    static func accessLogFormat(_ text: String) throws -> AccessLogFormat {
        do throws(AccessLogFormat.FormatError) {
            return try AccessLogFormat(text)
        } catch {
            throw ValidationError("--access-log-format: \(error).")
        }
    }
}
#endif
