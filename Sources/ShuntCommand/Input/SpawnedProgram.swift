import Glibc

enum SpawnedProgram {
    /// All that a program writes to standard output; throws what it wrote to standard error if its status is not 0.
    static func output(of arguments: [String], limit: Int) throws(Problem) -> [UInt8] {
        let name = arguments.first ?? ""
        let out = try makePipe()
        let errors: [Int32]
        do throws(Problem) {
            errors = try makePipe()
        } catch {
            for end in out { close(end) }
            throw error
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let status = posix_spawnp(&process, name, &actions, nil, words, environ)
        close(out[1])
        close(errors[1])
        defer {
            close(out[0])
            close(errors[0])
        }
        guard status == 0 else { throw Problem("cannot run \(name): \(SystemError.text(status))") }
        let (result, message) = drain(out[0], errors: errors[0], limit: limit)
        var ended: Int32 = 0
        // A program that writes more than is read would wait for ever.
        if result.count > limit { kill(process, SIGKILL) }
        while waitpid(process, &ended, 0) < 0, errno == EINTR {}
        guard result.count <= limit else { throw Problem("\(name) writes more than \(limit) bytes") }
        guard ended == 0 else {
            let text = String(decoding: message, as: UTF8.self).split(separator: "\n").first.map(String.init)
            throw Problem(text.map { "\(name): \($0)" } ?? "\(name) failed")
        }
        return result
    }

    private static func makePipe() throws(Problem) -> [Int32] {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Problem(SystemError.text(errno)) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    /// Reads both pipes to their ends, whichever has something: a program that waits for one would keep the other open.
    private static func drain(_ out: Int32, errors: Int32, limit: Int) -> (output: [UInt8], message: [UInt8]) {
        var texts: [[UInt8]] = [[], []]
        var polls = [out, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while polls.contains(where: { $0.fd >= 0 }), texts[0].count <= limit {
            if poll(&polls, 2, -1) < 0 {
                if errno == EINTR { continue }
                break
            }
            for index in polls.indices where polls[index].fd >= 0 && polls[index].revents != 0 {
                let count = read(polls[index].fd, &buffer, buffer.count)
                if count > 0 {
                    if index == 0 || texts[1].count < 65_536 { texts[index] += buffer[..<count] }
                } else if count == 0 || errno != EINTR {
                    polls[index].fd = -1
                }
            }
        }
        return (texts[0], texts[1])
    }
}
