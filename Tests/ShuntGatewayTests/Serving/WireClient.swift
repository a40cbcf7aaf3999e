#if Gateway
import Glibc
import NginxOracle

/// A client that sends bytes unchanged, and takes what comes until the other end closes or is silent.
enum WireClient {
    /// The answers on a connection, in the form that is compared.
    ///
    /// Nothing more is expected after `patience` milliseconds of silence. What is replaced differs between the two sides.
    static func ask(
        _ connection: WireSet.Connection,
        at port: UInt16,
        patience: Int,
        replacing replaced: [(String, String)]
    ) throws -> [String] {
        let requests = connection.requests + [WireSet.Request.last]
        let parts = parts(connection, requests) { part in
            replaced.reduce(part) { $0.replacing($1.0, with: $1.1) }
        }
        let pause = connection.pause > 0 ? connection.pause : 2
        let received: (bytes: [UInt8], isOver: Bool)
        if let name = connection.name {
            let descriptor = try TLSBridge.connected(to: port, name: name)
            defer { close(descriptor) }
            received = converse(parts, pause, descriptor, patience)
        } else {
            let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
            received = converse(parts, pause, socket.descriptor, patience)
        }
        var lines = replies(received.bytes, requests)
        lines.append(received.isOver ? "closed" : "silent")
        return lines.map { line in
            replaced.reduce(line) { $0.replacing($1.1, with: $1.0) }
        }
    }

    /// The bytes that are sent one after the other.
    private static func parts(
        _ connection: WireSet.Connection,
        _ requests: [WireSet.Request],
        replacing replaced: (String) -> String
    ) -> [[UInt8]] {
        if connection.pause > 0 { return requests.flatMap(\.parts).map { Array(replaced($0).utf8) } }
        var rest = Array(replaced(requests.map(\.text).joined()).utf8)[...]
        guard connection.step > 0 else { return [Array(rest)] }
        var parts: [[UInt8]] = []
        while !rest.isEmpty {
            parts.append(Array(rest.prefix(connection.step)))
            rest = rest.dropFirst(connection.step)
        }
        return parts
    }

    /// Sends parts with a `pause` in milliseconds between them, and receives until the end.
    private static func converse(_ parts: [[UInt8]], _ pause: Int, _ descriptor: Int32, _ patience: Int)
        -> (bytes: [UInt8], isOver: Bool)
    {
        var rest = parts[...]
        var received: [UInt8] = []
        var space = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let part = rest.popFirst(),
                Glibc.send(descriptor, part, part.count, Int32(MSG_NOSIGNAL)) < part.count
            {
                rest = []
            }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let isReady = poll(&waiting, 1, Int32(rest.isEmpty ? patience : pause))
            if isReady == 0, rest.isEmpty { return (received, false) }
            guard isReady > 0 else { continue }
            let count = recv(descriptor, &space, space.count, 0)
            if count <= 0 { return (received, true) }
            received += space[..<count]
        }
    }

    // MARK: The form that is compared

    private static func replies(_ bytes: [UInt8], _ requests: [WireSet.Request]) -> [String] {
        var rest = bytes[...]
        var requests = requests[...]
        var lines: [String] = []
        while !rest.isEmpty {
            guard let (head, after) = head(rest), head[0].hasPrefix("HTTP/1."),
                let status = Int(head[0].dropFirst(9).prefix(3))
            else {
                lines.append("not HTTP: \(String(decoding: rest.prefix(300), as: UTF8.self))")
                return lines
            }
            rest = after
            // Before a redirect of a `rewrite`, unlike one of a `return`, nginx asks for no body.
            if (100..<200).contains(status) { continue }
            let isHead = requests.popFirst()?.isHead == true
            let body = isHead || status == 204 || status == 304 ? [] : body(head, &rest)
            lines.append(shown(status, head, isHead: isHead, body.map { String(decoding: $0, as: UTF8.self) }))
            if body == nil { return lines }
        }
        return lines
    }

    private static func head(_ bytes: ArraySlice<UInt8>) -> (lines: [String], rest: ArraySlice<UInt8>)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        return (text.components(separatedBy: "\r\n"), bytes[end.upperBound...])
    }

    private static func value(_ name: String, _ head: [String]) -> String? {
        head.first { $0.lowercased().hasPrefix(name + ":") }
            .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }

    /// The next body; nil where it breaks off, which ends what can be read.
    private static func body(_ head: [String], _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        func take(_ count: Int) -> [UInt8]? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        if value("transfer-encoding", head) == "chunked" {
            var body: [UInt8] = []
            while let end = rest.firstRange(of: [0x0d, 0x0a]),
                let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16)
            {
                rest = rest[end.upperBound...]
                guard let part = take(size), take(2) != nil else { return nil }
                body += part
                if size == 0 { return body }
            }
            return nil
        }
        if let length = value("content-length", head).flatMap({ Int($0) }) { return take(length) }
        return take(rest.count)
    }

    /// An answer without what is for a connection alone, and a page of either side as a word.
    private static func shown(_ status: Int, _ head: [String], isHead: Bool, _ body: String?) -> String {
        let pages = ["<html>", "\(status) ", "The plain HTTP request", "{\"error\":"]
        let isPage = body.map { body in pages.contains { body.hasPrefix($0) } } ?? false
        // Of two mistakes in a request, each side reports another one.
        let status = status == 501 && (isPage || isHead) ? 400 : status
        var left = ["date", "server", "connection", "keep-alive", "etag"]
        // An upstream's answer to HEAD has its own type; one of nginx has the type of its page.
        if isPage || isHead && status >= 300 { left += ["content-type", "content-length"] }
        // A request that cannot be read has no variables here.
        if isPage || isHead, status == 400 { return "400 | a page" }
        // nginx passes on a length that no body may have.
        if status == 204 { left.append("content-length") }
        let headers = head.dropFirst()
            .map { line in
                let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return halves[0].lowercased() + ":" + (halves.dropFirst().first ?? "")
            }
        let kept = headers.filter { header in !left.contains { header.hasPrefix($0 + ":") } }
        let text = isPage ? "a page" : body ?? "breaks off"
        return (["\(status)"] + kept.sorted() + [text]).joined(separator: " | ")
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
#endif
