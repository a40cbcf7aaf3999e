package import Glibc

/// Processes that tests start: they inherit nothing but what is named, and are ended by their ids.
package enum ChildProcess {
    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program, and what it is told.
    ///   - environment: All of its environment.
    ///   - sockets: The descriptors that it inherits.
    ///   - error: The file that its standard error goes to; the standard output goes nowhere.
    /// - Returns: Its id.
    /// - Throws: Where it cannot be started.
    package static func start(
        _ arguments: [String],
        environment: [String] = [],
        sockets: [Int32] = [],
        error: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // Duplicating a descriptor onto itself is how it survives exec.
        for socket in sockets { posix_spawn_file_actions_adddup2(&actions, socket, socket) }
        // A thread of a test runner may block signals; the process must be able to be told to stop.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var environmentPointers: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, arguments[0], &actions, &attributes, &argumentPointers, &environmentPointers)
        guard result == 0 else {
            throw OracleFailure("cannot start \(arguments[0]): \(String(cString: strerror(result)))")
        }
        return process
    }

    /// Waits for a process to end.
    ///
    /// - Returns: How it ended; nil where it has not.
    package static func waitForEnd(_ process: pid_t, milliseconds: Int) -> Int32? {
        var status: Int32 = 0
        for _ in 0..<milliseconds * 4 {
            let result = waitpid(process, &status, WNOHANG)
            if result == process || (result < 0 && errno == ECHILD) { return status }
            usleep(250)
        }
        return nil
    }
}
