import Foundation

/// The versions of what takes part.
enum Versions {
    /// By name; what is not installed is left out.
    static func all() -> [String: String] {
        var versions: [String: String] = [:]
        for (name, command) in [
            ("nginx", "PATH=$PATH:/usr/sbin nginx -v 2>&1 | sed 's|.*/||'"),
            ("HAProxy map", "PATH=$PATH:/usr/sbin haproxy -v | sed -n '1s/HAProxy version \\([^ ]*\\).*/\\1/p'"),
            ("Shunt", "git describe --always --dirty 2>/dev/null"),
        ] {
            if let text = output(of: command), !text.isEmpty, !text.contains("not found") { versions[name] = text }
        }
        return versions
    }

    private static func output(of command: String) -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
