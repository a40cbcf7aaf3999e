public import Shunt

/// The form of the lines of an access log, and how they are read back as requests.
///
/// A format is written as nginx's `log_format` has it: text with variables
/// (http://nginx.org/en/docs/http/ngx_http_log_module.html#log_format). The text between two variables is where the first
/// one ends.
public struct LogFormat: Sendable {
    private enum Part {
        case text([UInt8])
        case variable(String)
    }

    private let parts: [Part]

    /// The usual formats by name: those of nginx and Apache.
    public static let names: [String: String] = [
        "common": #"$remote_addr - $remote_user [$time_local] "$request" $status $bytes_sent"#,
        "combined": #"$remote_addr - $remote_user [$time_local] "$request" $status $bytes_sent "#
            + #""$http_referer" "$http_user_agent""#,
        "vhost": #"$host:$server_port $remote_addr - $remote_user [$time_local] "$request" $status $bytes_sent "#
            + #""$http_referer" "$http_user_agent""#,
    ]

    /// Reads a format: the name of a usual one, or the text of a `log_format`.
    ///
    /// - Throws: What is wrong with it, as a sentence.
    public init(_ text: String) throws(RequestError) {
        var parts: [Part] = []
        let bytes = Array((Self.names[text] ?? text).utf8)
        var index = 0
        while index < bytes.count {
            var end = index
            guard bytes[index] == UInt8(ascii: "$") else {
                while end < bytes.count, bytes[end] != UInt8(ascii: "$") { end += 1 }
                parts.append(.text(Array(bytes[index..<end])))
                index = end
                continue
            }
            let isBraced = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{")
            let start = index + (isBraced ? 2 : 1)
            end = start
            while end < bytes.count, bytes[end].isASCIILetter || bytes[end].isASCIIDigit || bytes[end] == 0x5f {
                end += 1
            }
            let name = String(decoding: bytes[start..<end], as: UTF8.self)
            guard !name.isEmpty else { throw RequestError("the format has a \"$\" without a name") }
            if case .variable(let before)? = parts.last {
                throw RequestError("nothing in the format separates $\(before) from $\(name)")
            }
            parts.append(.variable(name))
            index = isBraced && end < bytes.count && bytes[end] == UInt8(ascii: "}") ? end + 1 : end
        }
        let known = parts.contains { part in
            if case .variable(let name) = part { ["request", "request_uri", "uri"].contains(name) } else { false }
        }
        guard known else {
            let names = Self.names.keys.sorted().joined(separator: ", ")
            throw RequestError("the format has none of $request, $request_uri and $uri, nor is it one of \(names)")
        }
        self.parts = parts
    }

    /// True if lines have the requested Host.
    public var hasHost: Bool {
        parts.contains { part in
            if case .variable(let name) = part { name == "host" || name == "http_host" } else { false }
        }
    }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - line: The line without its end.
    ///   - host: The Host of requests whose line has none.
    /// - Returns: The request that it records.
    /// - Throws: What is wrong with it, as a sentence.
    public func request(_ line: [UInt8], host: String? = nil) throws(RequestError) -> RequestDescription {
        guard let all = values(of: line) else { throw RequestError("the line has another form than the format") }
        let values = LogValues(values: all)
        let (method, target) = try values.methodAndTarget()
        let name = values["http_host"] ?? values["host"] ?? host.map { Array($0.utf8) }
        var request = RuleRequest(target: target, host: name)
        if let method { request.methodBytes = method }
        if let address = values.text("remote_addr"), InternetAddress(address) != nil { request.remoteAddress = address }
        if let port = values.text("server_port").flatMap({ Int($0) }) {
            request.listen = RuleRequest.Endpoint(port: port)
        } else if let scheme = values.text("scheme") {
            request.listen = RuleRequest.Endpoint(port: scheme == "https" ? 443 : 80)
        }
        request.headers = values.headers
        request.time = values.time
        return RequestDescription(request)
    }

    /// The values of a line by the names of the variables; nil where the line has another form.
    private func values(of line: [UInt8]) -> [String: [UInt8]]? {
        var values: [String: [UInt8]] = [:]
        var index = 0
        for (place, part) in parts.enumerated() {
            switch part {
            case .text(let text):
                guard line[index...].starts(with: text) else { return nil }
                index += text.count
            case .variable(let name):
                var end = line.count
                if place + 1 < parts.count, case .text(let text) = parts[place + 1] {
                    guard let found = Self.find(text, in: line, from: index) else { return nil }
                    end = found
                }
                values[name] = Self.unescaped(line[index..<end])
                index = end
            }
        }
        return index == line.count ? values : nil
    }

    /// The place where a text begins; a quote after a backslash, as Apache writes it, ends nothing.
    private static func find(_ text: [UInt8], in line: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + text.count <= line.count {
            if line[index] == UInt8(ascii: "\\"), text[0] == UInt8(ascii: "\"") {
                index += 2
                continue
            }
            if line[index] == text[0], line[index...].starts(with: text) { return index }
            index += 1
        }
        return nil
    }

    /// The bytes that `\xHH`, `\"` and `\\` stand for.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "\\")) else { return Array(bytes) }
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.endIndex else {
                result.append(bytes[index])
                index += 1
                continue
            }
            if bytes[index + 1] == UInt8(ascii: "x"), index + 3 < bytes.endIndex,
                let byte = UInt8(String(decoding: bytes[(index + 2)..<(index + 4)], as: UTF8.self), radix: 16)
            {
                result.append(byte)
                index += 4
            } else {
                result.append(bytes[index + 1])
                index += 2
            }
        }
        return result
    }
}
