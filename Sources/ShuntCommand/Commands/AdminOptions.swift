#if Gateway && Command
import ArgumentParser
import Shunt
import ShuntGateway

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

    /// A port alone stands for the loopback address.
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
#endif
