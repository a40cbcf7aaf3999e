import Foundation
import TestFolder

/// Asks nginx whether it accepts a configuration, without starting it.
package struct ConfigurationCheck {
    private let files: TestFolder
    private let executable: String
    /// It follows everything else in the configuration, so that nginx stops there and binds no address.
    private static let end = "end_of_the_configuration"

    /// Makes a check with a separate folder; nil when nginx is not installed.
    package init?() throws {
        guard let executable = NginxProcess.executable else { return nil }
        self.executable = executable
        files = try TestFolder()
    }

    private var folder: String { files.path }

    /// A socket that a server may listen on.
    package var socket: String { "unix:\(folder)/s" }

    /// Returns the message of nginx about text for its `http` block; nil when it accepts it.
    ///
    /// The message is without the place, and without the folder.
    package func message(on http: [UInt8]) throws -> String? {
        let path = "\(folder)/nginx.conf"
        let text = Array("events { } http {\n".utf8) + http + Array("\n}\n\(Self.end);\n".utf8)
        try Data(text).write(to: URL(fileURLWithPath: path))
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = ["-t", "-p", folder, "-c", path, "-e", "stderr"]
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let message = Self.core(of: output, folder: folder) else {
            throw OracleFailure("nginx said nothing of an error: \(output)")
        }
        return message.hasPrefix("unknown directive \"\(Self.end)\"") ? nil : message
    }

    /// The first grave message: `… [emerg] 1#1: MESSAGE in FILE:LINE`.
    private static func core(of output: String, folder: String) -> String? {
        for line in output.split(separator: "\n") {
            guard let mark = line.range(of: "[emerg] ") ?? line.range(of: "[crit] "),
                let start = line[mark.upperBound...].range(of: ": ")
            else { continue }
            var message = line[start.upperBound...]
            if let place = message.range(of: " in \(folder)/nginx.conf") { message = message[..<place.lowerBound] }
            return message.replacingOccurrences(of: folder + "/", with: "")
        }
        return nil
    }
}
