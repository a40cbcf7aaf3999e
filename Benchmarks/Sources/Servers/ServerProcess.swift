import Foundation
import Glibc

/// A server that answers over a socket in the file system, and the processor time that it uses.
public final class ServerProcess {
    private let process = Process()
    private let client: SocketClient

    /// Starts a server with one process and one thread.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - arguments: Its arguments; they keep it in the foreground.
    ///   - socket: The path of the socket it listens at.
    /// - Throws: `Absence` when it does not answer.
    public init(program: String, arguments: [String], socket: String) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        var client: SocketClient?
        // Compiling 10,000 expressions takes a server a while.
        for _ in 0..<600 where client == nil {
            guard process.isRunning else { break }
            client = SocketClient(path: socket)
            if client == nil { usleep(50_000) }
        }
        guard let client else {
            if process.isRunning { process.terminate() }
            throw Absence("\(program) does not answer")
        }
        self.client = client
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// The body of the answer to a request for a path.
    ///
    /// - Parameters:
    ///   - path: The path, with the query.
    ///   - host: The host of the request.
    ///   - fields: More header fields, each with its line end.
    /// - Returns: The body.
    /// - Throws: `Absence` when no answer comes.
    @discardableResult
    public func get(_ path: String, host: String = "www.example.com", fields: String = "") throws -> String {
        guard let body = client.get(path, host: host, fields: fields) else { throw Absence("no answer for \(path)") }
        return body
    }

    /// The processor time used so far, in nanoseconds.
    public func processorTime() -> Double {
        let path = "/proc/\(process.processIdentifier)/schedstat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let first = text.split(separator: " ").first
        else { return .nan }
        return Double(first) ?? .nan
    }

    /// The most memory used so far, in bytes; nil where there is no `/proc`.
    public func peakMemory() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return nil }
        return Int(line.filter(\.isNumber)).map { $0 * 1024 }
    }

    /// The path of a program that is installed.
    ///
    /// - Parameters:
    ///   - program: The name of its file.
    ///   - name: The name of the contestant that needs it.
    /// - Returns: The path.
    /// - Throws: `Absence` when it is not installed.
    public static func find(_ program: String, for name: String) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for folder in folders + ["/usr/sbin", "/usr/local/sbin"] {
            let path = "\(folder)/\(program)"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw Absence("\(name): \(program) is not installed")
    }
}

/// A connection that is kept, one request after the other.
private final class SocketClient {
    private let socket: Int32
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init?(path: String) {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            close(socket)
            return nil
        }
    }

    deinit {
        close(socket)
    }

    func get(_ path: String, host: String, fields: String) -> String? {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n".utf8)
        guard write(socket, request, request.count) == request.count else { return nil }
        var filled = 0
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { read(socket, $0 + filled, bytes.count - filled) } ?? 0
            }
            guard count > 0 else { return nil }
            filled += count
            if let body = Self.body(of: buffer[0..<filled]) { return body }
            guard filled < buffer.count else { return nil }
        }
    }

    /// The body, when all of it is there.
    private static func body(of answer: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: answer, as: UTF8.self)
        guard let head = text.range(of: "\r\n\r\n") else { return nil }
        let lengths = text[..<head.lowerBound].lowercased().split(separator: "\r\n")
            .compactMap { line in
                line.hasPrefix("content-length:") ? Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces)) : nil
            }
        let body = text[head.upperBound...]
        guard let length = lengths.first, body.utf8.count >= length else { return nil }
        return String(body)
    }
}
