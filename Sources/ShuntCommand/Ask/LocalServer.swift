#if Command
import Glibc
import Shunt

/// A server in a separate folder, which is ended with this object.
final class LocalServer {
    let folder: String
    private var processes: [pid_t] = []

    /// Makes the folder.
    init() throws(Problem) {
        var template = Array("/tmp/shunt-import-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Problem(SystemError.text(errno)) }
        folder = String(cString: made)
        chmod(folder, 0o755)
    }

    deinit {
        for process in processes {
            // A separate group, so that none of its processes stays.
            kill(-process, SIGTERM)
            var status: Int32 = 0
            for _ in 0..<100 where waitpid(process, &status, WNOHANG) == 0 { usleep(10_000) }
            kill(-process, SIGKILL)
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        Self.remove(folder)
    }

    /// A port that is free on loopback.
    static func freePort() throws(Problem) -> Int {
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
        guard status == 0 else { throw Problem(SystemError.text(errno)) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Starts the program, which may have several names, and waits until it answers; `package` is Debian's.
    func start(_ names: [String], _ arguments: [String], package: String, port: Int) throws(Problem) {
        let process = try spawn(names, arguments, package: package, output: folder + "/start")
        processes.append(process)
        for _ in 0..<200 {
            let exchange = WireExchange(host: "127.0.0.1", port: port, timeout: 1)
            do throws(Problem) {
                // Also an answer without a head is one.
                _ = try exchange.head(of: Array("GET / HTTP/1.0\r\n\r\n".utf8))
                return
            } catch {}
            var ended: Int32 = 0
            if waitpid(process, &ended, WNOHANG) == process {
                processes.removeLast()
                break
            }
            usleep(50_000)
        }
        let message = ["start", "errors"].compactMap { try? LocalFileSystem().read("\(folder)/\($0)", limit: 1 << 20) }
            .joined()
        throw Problem("\(names[0]) does not start: \(String(decoding: message, as: UTF8.self))")
    }

    private func spawn(
        _ names: [String],
        _ arguments: [String],
        package: String,
        output: String
    ) throws(Problem) -> pid_t {
        var process: pid_t = 0
        var status: Int32 = ENOENT
        // What it keeps for itself goes with its folder.
        let own = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]
        var variables: [UnsafeMutablePointer<CChar>?] = own.map { strdup("\($0)=\(folder)") }
        var index = 0
        while let entry = environ[index] {
            index += 1
            let text = String(cString: entry)
            if !own.contains(where: { text.hasPrefix("\($0)=") }) { variables.append(strdup(text)) }
        }
        variables.append(nil)
        defer { for variable in variables { free(variable) } }
        for name in names where status != 0 {
            let words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
            defer { for word in words { free(word) } }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_addopen(
                    &actions,
                    descriptor,
                    descriptor == STDOUT_FILENO ? output : folder + "/start",
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
            status = posix_spawnp(&process, name, &actions, &attributes, words, variables)
        }
        guard status == 0 else {
            throw Problem("\(names[0]) cannot be run: \(SystemError.text(status)); install Debian's \(package)")
        }
        return process
    }

    /// Runs the program to its end; returns its output.
    func output(of names: [String], _ arguments: [String], package: String) throws(Problem) -> [UInt8] {
        let process = try spawn(names, arguments, package: package, output: folder + "/output")
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let files = LocalFileSystem()
        guard status == 0, let output = try? files.read(folder + "/output", limit: 1 << 26) else {
            let message = (try? files.read(folder + "/start", limit: 1 << 20)) ?? []
            throw Problem("\(names[0]) fails: \(String(decoding: message, as: UTF8.self))")
        }
        return output
    }

    // MARK: Files

    /// Makes a file and the folders before it; returns what was made.
    func makeFile(_ path: String) -> [String] {
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

    /// Makes the folders of a path; returns what was made.
    @discardableResult
    func makeFolders(_ path: String) -> [String] {
        var made: [String] = []
        var place = ""
        for part in path.split(separator: "/").dropLast(path.hasSuffix("/") ? 0 : 1) {
            place += "/\(part)"
            if mkdir(place, 0o755) == 0 { made.append(place + "/") }
        }
        return made
    }

    func write(_ text: String, to path: String) throws(Problem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Problem("\(path): \(SystemError.text(errno))") }
        defer { close(descriptor) }
        do {
            let stream = OutputStream(descriptor)
            try stream.write(text)
            try stream.flush()
        } catch {
            throw Problem("cannot write \(path)")
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

    static func removeMade(_ made: [String]) {
        for path in made.reversed() { if path.hasSuffix("/") { rmdir(path) } else { unlink(path) } }
    }
}
#endif
