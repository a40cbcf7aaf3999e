import Foundation
import TestFolder
import Testing

/// An Apache for one test, which runs until it is stopped.
struct RunningApache {
    let port = Int.random(in: 20_000..<30_000)
    private let folder: TestFolder

    /// Starts it with a configuration that is in a folder.
    init(in folder: TestFolder, modules: [String], configuration: String) throws {
        self.folder = folder
        let lines = modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so\n" }.joined()
        try folder.write(
            "apache.conf",
            """
            \(lines)ServerRoot \(folder.path)
            PidFile \(folder.path)/pid
            ErrorLog \(folder.path)/errors
            Listen 127.0.0.1:\(port)
            User www-data
            \(configuration)

            """
        )
        // It is a process apart, and not one that this one waits for.
        let started = system("/usr/sbin/apache2 -f \(folder.path)/apache.conf >/dev/null 2>&1 </dev/null")
        try #require(started == 0)
    }

    func stop() {
        let number = (try? String(contentsOfFile: folder.path + "/pid", encoding: .utf8)) ?? ""
        if let process = pid_t(number.trimmingCharacters(in: .whitespacesAndNewlines)) { kill(process, SIGTERM) }
    }
}
