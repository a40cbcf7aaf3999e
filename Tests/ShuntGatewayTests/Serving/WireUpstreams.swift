#if Gateway
import Glibc
import NIOSSL
import Synchronization
import TestFolder

/// Upstreams of several kinds that answer one script, and write down what they are asked.
final class WireUpstreams: Sendable {
    /// An answer to the next request, whichever upstream gets it.
    struct Answer: Sendable, Hashable, CustomStringConvertible {
        enum Framing: Sendable, Hashable { case length, chunked, close, short, silent }

        var head: [String] = ["HTTP/1.1 200 OK"]
        var body = "ok"
        var framing = Framing.length
        /// The milliseconds before the answer.
        var delay = 0

        var description: String { "\(head) \(framing) \(body.count) delay \(delay)" }

        /// The bytes, and whether the connection ends after them.
        func bytes(forHead isHead: Bool) -> (text: String, ends: Bool) {
            guard framing != .silent else { return ("", true) }
            var lines = head
            var body = body
            switch framing {
            case .length: lines.append("Content-Length: \(body.utf8.count)")
            case .short: lines.append("Content-Length: \(body.utf8.count + 5)")
            case .chunked:
                lines.append("Transfer-Encoding: chunked")
                body = (body.isEmpty ? "" : "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n") + "0\r\n\r\n"
            case .close, .silent: break
            }
            let status = lines[0].split(separator: " ").dropFirst().first
            if isHead || status == "204" || status == "304" { body = "" }
            // nginx announces that length for a page in its place, too: see emptyAnswer.
            if status == "204" || status == "304" { lines.removeAll { $0.hasPrefix("Content-Length") } }
            return (
                lines.joined(separator: "\r\n") + "\r\n\r\n" + body, framing == .close || framing == .short
            )
        }
    }

    private struct State {
        var answers: ArraySlice<Answer> = []
        var seen: [String] = []
    }

    /// The state that all upstreams share.
    private final class Script: Sendable {
        let state = Mutex(State())

        func next(_ seen: String) -> Answer {
            state.withLock { state in
                state.seen.append(seen)
                return state.answers.popFirst() ?? Answer()
            }
        }
    }

    private let script = Script()
    private let servers: [SocketServer]
    private let secure: TLSBridge.Server
    /// The addresses by letter: plain ones, one at a socket, one with TLS, one that hangs up, one that is not there.
    let places: [String: String]

    init(_ folder: TestFolder) throws {
        let script = script
        func server(_ label: String) throws -> SocketServer {
            try SocketServer { descriptor, _ in Self.serve(label, descriptor, script) }
        }
        let (a, b, plain) = (try server("A"), try server("B"), try server("T"))
        let path = folder.path + "/up.sock"
        let unix = try SocketServer(path: path) { descriptor, _ in Self.serve("U", descriptor, script) }
        let rude = try SocketServer { _, _ in }
        secure = try TLSBridge.Server(to: plain.port)
        servers = [a, b, plain, unix, rude]
        places = [
            "A": "127.0.0.1:\(a.port)", "B": "127.0.0.1:\(b.port)", "U": "unix:\(path)",
            "T": "127.0.0.1:\(secure.port)",
            "R": "127.0.0.1:\(rude.port)", "D": "127.0.0.1:1",
        ]
    }

    /// Begins again.
    func begin(_ answers: [Answer]) {
        script.state.withLock { $0 = State(answers: answers[...]) }
    }

    /// The requests since then.
    var seen: [String] { script.state.withLock { $0.seen } }

    private static func serve(_ label: String, _ descriptor: Int32, _ script: Script) {
        let connection = ScriptedUpstream.Connection(descriptor: descriptor, number: 0)
        while let head = connection.head() {
            let lines = head.split(separator: "\r\n").map(String.init)
            guard let body = body(lines, connection) else { return }
            let answer = script.next("\(label) \(shown(lines, body))")
            if answer.delay > 0 { usleep(UInt32(answer.delay) * 1_000) }
            let (text, ends) = answer.bytes(forHead: head.hasPrefix("HEAD "))
            guard connection.send(text), !ends else { return }
        }
    }

    /// A request in the form that is compared: without what each connection has for itself.
    ///
    /// The body is read by its length or in chunks, as it comes.
    private static func shown(_ lines: [String], _ body: String) -> String {
        let left = [
            "connection", "transfer-encoding", "content-length", "x-forwarded-for", "x-forwarded-host",
            "x-forwarded-proto",
        ]
        let headers = lines.dropFirst()
            .map { line in
                let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return halves[0].lowercased() + ":" + (halves.dropFirst().first ?? "")
            }
        let kept = headers.filter { header in !left.contains { header.hasPrefix($0 + ":") } }
        // nginx sends a blank of a variable unchanged.
        let words = lines[0].split(separator: " ").dropLast()
        let line = "\(words.first ?? "") \(words.dropFirst().joined(separator: "%20"))"
        return ([line] + kept.sorted() + (body.isEmpty ? [] : ["body \(body)"])).joined(separator: " | ")
    }

    /// A body; nil where it breaks off.
    private static func body(_ lines: [String], _ connection: ScriptedUpstream.Connection) -> String? {
        func bytes(_ count: Int) -> [UInt8]? {
            var bytes: [UInt8] = []
            while bytes.count < count {
                let next = connection.receive(count - bytes.count)
                if next.isEmpty { return nil }
                bytes += next
            }
            return bytes
        }
        func line() -> String? {
            var line: [UInt8] = []
            while line.last != 0x0a {
                guard let next = bytes(1) else { return nil }
                line += next
            }
            return String(decoding: line.dropLast(2), as: UTF8.self)
        }
        let isChunked = lines.contains { $0.lowercased() == "transfer-encoding: chunked" }
        guard isChunked else {
            let field = lines.first { $0.lowercased().hasPrefix("content-length: ") }
            return bytes(field.flatMap { Int($0.dropFirst(16)) } ?? 0).map { String(decoding: $0, as: UTF8.self) }
        }
        var body: [UInt8] = []
        while let size = line().flatMap({ Int($0, radix: 16) }), let part = bytes(size) {
            body += part
            guard line() != nil else { return nil }
            if size == 0 { return String(decoding: body, as: UTF8.self) }
        }
        return nil
    }
}
#endif
