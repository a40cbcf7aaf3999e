import Foundation

/// The log entry of nginx for a request that is over.
struct LogRecord: Sendable {
    var status: Int
    var label: Int
    var uri: [UInt8]
    var args: [UInt8]
    var serverName: [UInt8]
    /// Nothing decided the request: it reached the module that serves files, and found none.
    var missedFile: Bool
    /// Nothing decided the request: it went to a proxied server, at this URL, which does not answer.
    var upstream: [UInt8]?
}

/// Reads the log that nginx writes errors and requests to, in one file, so that their order shows which error belongs
/// to which request.
struct AccessLog {
    /// The body of the `log_format` for a block's label.
    ///
    /// Values are between quotes with the escapes of JSON. `$remote_port` would be the value of a trusted header.
    static func format(label: Int) -> String {
        "log_format o\(label) escape=json '@$realip_remote_port $server_port $connection $connection_requests "
            + "$status \(label) \"$uri\" \"$args\" \"$server_name\"';\n"
    }

    /// A connection as both ends see it: the kernel may use a client's port for several servers' connections.
    private struct Ends: Hashable {
        var client: Int
        var server: Int
    }

    /// The records by the ends; then one array a connection, in the order in which nginx accepted them.
    private var records: [Ends: [(connection: Int, requests: [Int: LogRecord])]] = [:]
    private(set) var crash: String?
    private var missedFiles = Set<Int>()
    private var upstreams: [Int: [UInt8]] = [:]

    init(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0a) ?? bytes.count
            take(bytes[start..<end])
            start = end + 1
        }
    }

    /// The log entries for each request of a client's connections, by the request's number.
    func records(of connections: [PipelinedClient.Connection]) -> [Int: LogRecord] {
        var result: [Int: LogRecord] = [:]
        // The kernel may use a port for a later connection again.
        var used: [Ends: Int] = [:]
        for connection in connections {
            let ends = Ends(client: Int(connection.port), server: Int(connection.serverPort))
            let order = used[ends, default: 0]
            used[ends] = order + 1
            guard let logged = records[ends], order < logged.count else { continue }
            for (offset, number) in connection.requests.enumerated() {
                if let record = logged[order].requests[offset + 1] { result[number] = record }
            }
        }
        return result
    }

    private mutating func take(_ line: ArraySlice<UInt8>) {
        if line.first == UInt8(ascii: "@") {
            takeRequest(line)
        } else if line.count > 30 {
            takeError(line)
        }
    }

    private mutating func takeRequest(_ line: ArraySlice<UInt8>) {
        var cursor = line.startIndex + 1
        guard let client = Self.number(line, &cursor), let server = Self.number(line, &cursor),
            let connection = Self.number(line, &cursor), let count = Self.number(line, &cursor),
            let status = Self.number(line, &cursor),
            let label = Self.number(line, &cursor),
            let uri = Self.quoted(line, &cursor), let args = Self.quoted(line, &cursor),
            let serverName = Self.quoted(line, &cursor)
        else { return }
        let missed = missedFiles.remove(connection) != nil
        let record = LogRecord(
            status: status,
            label: label,
            uri: uri,
            args: args,
            serverName: serverName,
            missedFile: missed,
            upstream: upstreams.removeValue(forKey: connection)
        )
        let ends = Ends(client: client, server: server)
        let index = records[ends]?.firstIndex { $0.connection == connection }
        if let index {
            records[ends]?[index].requests[count] = record
        } else {
            records[ends, default: []].append((connection, [count: record]))
            records[ends]?.sort { $0.connection < $1.connection }
        }
    }

    // 2026/01/31 12:00:00 [error] 12#12: *34 open() "..." failed (2: ...
    private mutating func takeError(_ line: ArraySlice<UInt8>) {
        let text = String(decoding: line.prefix(160), as: UTF8.self)
        if text.contains("exited on signal") { crash = String(decoding: line, as: UTF8.self) }
        guard let star = text.range(of: ": *"), text.contains("[error]") || text.contains("[crit]") else { return }
        let rest = text[star.upperBound...]
        guard let space = rest.firstIndex(of: " "), let connection = Int(rest[..<space]) else { return }
        let message = rest[space...].dropFirst()
        // `open() "FILE" failed`, `directory index of "FOLDER" is forbidden`, `"FILE" is not found`.
        let signs = ["open() \"", "directory index of \"", "\"/"]
        if message.hasPrefix("connect() failed") {
            upstreams[connection] = Self.upstream(line)
        } else if signs.contains(where: message.hasPrefix) {
            missedFiles.insert(connection)
        }
    }

    /// The text between `upstream: "` and `", host: "`, the last of each; without a host a referrer may follow.
    private static func upstream(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let begin = Array(", upstream: \"".utf8)
        let end = Array("\"".utf8)
        let bytes = Array(line)
        guard let start = bytes.lastRange(of: begin)?.upperBound else { return [] }
        let host =
            bytes.lastRange(of: Array("\", host: \"".utf8))?.lowerBound
            ?? bytes.lastRange(of: Array("\", referrer: \"".utf8))?.lowerBound
        let stop = host.flatMap { $0 >= start ? $0 : nil } ?? bytes.lastRange(of: end)?.lowerBound ?? bytes.count
        return stop >= start ? Array(bytes[start..<stop]) : []
    }

    private static func number(_ line: ArraySlice<UInt8>, _ cursor: inout Int) -> Int? {
        var value = 0
        let start = cursor
        while cursor < line.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[cursor]) {
            value = value &* 10 &+ Int(line[cursor] - UInt8(ascii: "0"))
            cursor += 1
        }
        guard cursor > start else { return nil }
        cursor += 1
        return value
    }

    private static func quoted(_ line: ArraySlice<UInt8>, _ cursor: inout Int) -> [UInt8]? {
        guard cursor < line.endIndex, line[cursor] == UInt8(ascii: "\"") else { return nil }
        var result: [UInt8] = []
        cursor += 1
        while cursor < line.endIndex {
            let byte = line[cursor]
            cursor += 1
            if byte == UInt8(ascii: "\"") {
                cursor += 1
                return result
            }
            guard byte == UInt8(ascii: "\\"), cursor < line.endIndex else {
                result.append(byte)
                continue
            }
            let escape = line[cursor]
            cursor += 1
            switch escape {
            case UInt8(ascii: "n"): result.append(0x0a)
            case UInt8(ascii: "r"): result.append(0x0d)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0c)
            case UInt8(ascii: "u"):
                guard cursor + 4 <= line.endIndex, let high = ByteText.hexadecimalDigit(line[cursor + 2]),
                    let low = ByteText.hexadecimalDigit(line[cursor + 3])
                else { return nil }
                result.append(high << 4 | low)
                cursor += 4
            default: result.append(escape)
            }
        }
        return nil
    }
}
