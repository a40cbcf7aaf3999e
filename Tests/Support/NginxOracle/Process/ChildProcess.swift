package import Glibc

/// Processes that tests start: they inherit nothing but what is named, and are ended by their ids.
package enum ChildProcess {
    /// The number of the first of the sockets that a process inherits.
    package static let firstSocket: Int32 = 3

    /// More descriptors than a test runner has open at once; those that are not open are passed over.
    private static let mostDescriptors = Int32(min(4096, sysconf(Int32(_SC_OPEN_MAX))))

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program, and its arguments.
    ///   - environment: All of its environment.
    ///   - sockets: The descriptors that it inherits, as those from `firstSocket` on.
    ///   - output: The file that its standard output goes to; nil: it goes nowhere.
    ///   - error: The file that its standard error goes to.
    /// - Returns: Its id.
    /// - Throws: Where it cannot be started.
    package static func start(
        _ arguments: [String],
        environment: [String] = [],
        sockets: [Int32] = [],
        output: String? = nil,
        error: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, path) in [(1, output ?? "/dev/null"), (2, error)] as [(Int32, String)] {
            let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
            posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
        }
        // Copies above all that they become, so that none is overwritten before it is copied.
        let firstFree = firstSocket + Int32(sockets.count)
        let copies = sockets.map { fcntl($0, F_DUPFD_CLOEXEC, firstFree) }
        defer { for copy in copies where copy >= 0 { close(copy) } }
        for (copy, name) in zip(copies, firstSocket...) { posix_spawn_file_actions_adddup2(&actions, copy, name) }
        // Not all sockets of the test runner close themselves: what a process holds of them stays open for the other side.
        for other in firstFree..<mostDescriptors { posix_spawn_file_actions_addclose(&actions, other) }
        // A thread of a test runner may block signals; it must be possible to stop the process.
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
