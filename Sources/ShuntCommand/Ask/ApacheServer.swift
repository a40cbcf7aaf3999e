#if Command
import Glibc
import Shunt
import ShuntCore
import ShuntTools

/// Apache on loopback with separate files: one port for HTTP, and one whose rules read it as HTTPS.
final class ApacheServer {
    /// The reason why it does not run.
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    private static let modules = [
        "mpm_event", "unixd", "authz_core", "authz_host", "access_compat", "alias", "autoindex", "deflate", "dir",
        "env", "expires", "filter",
        "headers", "mime", "negotiation", "remoteip", "rewrite", "setenvif", "status", "version",
    ]

    /// The folder of the site.
    let root: String
    private let folder: String
    private let ports: [Int]
    private let servesFiles: Bool
    private var process: pid_t = 0

    /// Starts it.
    ///
    /// - Parameters:
    ///   - files: The `.htaccess` files, by their folders.
    ///   - servesFiles: False if it answers whatever the path is.
    /// - Throws: An error with the reason.
    init(_ files: [(folder: String, text: String)], servesFiles: Bool) throws(Problem) {
        var template = Array("/tmp/shunt-apache-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Problem(description: SystemError.text(errno)) }
        folder = String(cString: made)
        root = folder + "/site"
        self.servesFiles = servesFiles
        ports = [try Self.freePort(), try Self.freePort()]
        chmod(folder, 0o755)
        for (index, site) in ["site", "secure"].enumerated() {
            mkdir("\(folder)/\(site)", 0o755)
            for file in files {
                makeFolders("\(folder)/\(site)\(file.folder)")
                // Apache knows HTTPS by its connection only.
                let text = index == 0 ? file.text : Self.secured(file.text)
                try write(text, to: "\(folder)/\(site)\(file.folder).htaccess")
            }
        }
        try write(configuration, to: folder + "/apache.conf")
        try start()
    }

    deinit {
        if process > 0 {
            // A separate group, so that none of its processes stays.
            kill(-process, SIGTERM)
            var status: Int32 = 0
            for _ in 0..<100 where waitpid(process, &status, WNOHANG) == 0 { usleep(10_000) }
            kill(-process, SIGKILL)
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        Self.remove(folder)
    }

    private static func secured(_ text: String) -> String {
        text.replacing(#/%\{(?:HTTPS|ENV:HTTPS)\}/#.ignoresCase(), with: "on")
            .replacing(#/%\{SERVER_PORT\}/#.ignoresCase(), with: "443")
            .replacing(#/%\{REQUEST_SCHEME\}/#.ignoresCase(), with: "https")
    }

    private static func freePort() throws(Problem) -> Int {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 ? getsockname(socket, $0, &size) : -1
            }
        }
        guard status == 0 else { throw Problem(description: SystemError.text(errno)) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private var configuration: String {
        let libraries = ["/usr/lib/apache2/modules", "/usr/lib64/httpd/modules", "/usr/libexec/apache2"]
        let files = LocalFileSystem()
        let library = libraries.first { (try? files.attributes($0)) != nil } ?? libraries[0]
        let loads = Self.modules.filter { (try? files.attributes("\(library)/mod_\($0).so")) != nil }
            .map { "LoadModule \($0)_module \(library)/mod_\($0).so" }
        let user = geteuid() == 0 ? "User \(getpwnam("www-data") == nil ? "nobody" : "www-data")\n" : ""
        let handler = servesFiles ? "" : "SetHandler server-status\n"
        let sites = zip(["site", "secure"], zip(ports, ["http://localhost:80", "https://localhost:443"]))
            .map { site, place in
                """
                <VirtualHost 127.0.0.1:\(place.0)>
                ServerName \(place.1)
                DocumentRoot \(folder)/\(site)
                </VirtualHost>
                """
            }
        return """
            \(loads.joined(separator: "\n"))
            ServerRoot \(folder)
            PidFile \(folder)/pid
            ErrorLog \(folder)/errors
            \(user)Listen 127.0.0.1:\(ports[0])
            Listen 127.0.0.1:\(ports[1])
            ServerName localhost:80
            TypesConfig /dev/null
            DirectoryIndex disabled
            RemoteIPHeader X-Shunt-Client
            RemoteIPInternalProxy 127.0.0.1
            Header always set X-Shunt-Path "expr=%{REQUEST_URI}"
            Header always set X-Shunt-Arguments "expr=%{QUERY_STRING}"
            StartServers 1
            <Directory \(folder)>
            AllowOverride All Nonfatal=All
            Require all granted
            \(handler)</Directory>
            \(sites.joined(separator: "\n"))

            """
    }

    private func start() throws(Problem) {
        let names = ["apache2", "/usr/sbin/apache2", "httpd", "/usr/sbin/httpd"]
        var status: Int32 = ENOENT
        for name in names where status != 0 {
            let arguments = [name, "-f", folder + "/apache.conf", "-DFOREGROUND"]
            let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
            defer { for word in words { free(word) } }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_addopen(
                    &actions,
                    descriptor,
                    folder + "/start",
                    O_WRONLY | O_CREAT | O_APPEND,
                    0o600
                )
            }
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // No signal is held back from it, whatever is from this program.
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
            status = posix_spawnp(&process, name, &actions, &attributes, words, environ)
        }
        guard status == 0 else {
            process = 0
            throw Problem(
                description: "apache2 cannot be run: \(SystemError.text(status)); install Debian's apache2-bin"
            )
        }
        for _ in 0..<200 {
            let exchange = WireExchange(host: "127.0.0.1", port: ports[1], timeout: 1)
            if (try? exchange.head(of: Array("GET / HTTP/1.0\r\n\r\n".utf8))) != nil { return }
            var ended: Int32 = 0
            if waitpid(process, &ended, WNOHANG) == process {
                process = 0
                break
            }
            usleep(50_000)
        }
        let message = ["start", "errors"].compactMap { try? LocalFileSystem().read("\(folder)/\($0)", limit: 1 << 20) }
            .joined()
        throw Problem(description: "apache2 does not start: \(String(decoding: message, as: UTF8.self))")
    }

    // MARK: Asking

    /// Asks it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - files: The files that exist during the request; a name that ends in a slash is a folder.
    /// - Returns: The answer.
    /// - Throws: An error of the connection.
    func answer(_ request: WireRequest, files: [String]) throws -> WireAnswer {
        let site = request.isSecure ? folder + "/secure" : root
        let paths = files.filter { $0.hasPrefix(root + "/") }.map { site + $0.dropFirst(root.count) }
        var made: [String] = []
        for path in paths { made += makeFile(path) }
        defer { for path in made.reversed() { if path.hasSuffix("/") { rmdir(path) } else { unlink(path) } } }
        let exchange = WireExchange(host: "127.0.0.1", port: ports[request.isSecure ? 1 : 0])
        let more = request.remoteAddress == "127.0.0.1" ? [] : [("X-Shunt-Client", request.remoteAddress)]
        let head = WireHead(try exchange.head(of: request.bytes(more)))
        var answer = WireAnswer(
            status: head.status,
            location: head["location"],
            path: head["x-shunt-path"],
            arguments: head["x-shunt-arguments"] ?? []
        )
        // The handler that answers whatever the path is knows no other methods.
        answer.isOtherwiseMissing =
            !servesFiles && !["GET", "HEAD"].contains(String(decoding: request.method, as: UTF8.self))
        return answer
    }

    /// Makes a file and the folders before it; gives what was made.
    private func makeFile(_ path: String) -> [String] {
        var made = makeFolders(path)
        guard !path.hasSuffix("/") else { return made }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return made }
        // Apache's -s is for files that are not empty.
        _ = Glibc.write(descriptor, "x", 1)
        close(descriptor)
        made.append(path)
        return made
    }

    @discardableResult
    private func makeFolders(_ path: String) -> [String] {
        var made: [String] = []
        var place = ""
        for part in path.split(separator: "/").dropLast(path.hasSuffix("/") ? 0 : 1) {
            place += "/\(part)"
            if mkdir(place, 0o755) == 0 { made.append(place + "/") }
        }
        return made
    }

    private func write(_ text: String, to path: String) throws(Problem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Problem(description: "\(path): \(SystemError.text(errno))") }
        defer { close(descriptor) }
        do {
            let stream = OutputStream(descriptor)
            try stream.write(text)
            try stream.flush()
        } catch {
            throw Problem(description: "cannot write \(path)")
        }
    }

    /// Removes what was made, and nothing that a link leads to.
    private static func remove(_ path: String) {
        let files = LocalFileSystem()
        for name in (try? files.list(path, limit: 100_000)) ?? [] {
            let inner = "\(path)/\(name)"
            if unlink(inner) != 0 { remove(inner) }
        }
        rmdir(path)
    }
}
#endif
