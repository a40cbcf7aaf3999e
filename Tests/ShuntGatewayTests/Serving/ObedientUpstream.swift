#if Gateway
import Synchronization

/// An upstream that answers what a request requires, and writes down what it was asked.
///
/// `X-Do-LABEL: STATUS;NAME: VALUE;…` is the answer, and `X-Gate` its status for the path of a gate.
final class ObedientUpstream: Sendable {
    /// The requests to all upstreams by the name in `X-Id`, in order.
    final class Book: Sendable {
        private let pages = Mutex<[String: [String]]>([:])

        func write(_ line: String, under name: String) { pages.withLock { $0[name, default: []].append(line) } }

        func page(_ name: String) -> [String] { pages.withLock { $0[name] ?? [] } }
    }

    private let server: ScriptedUpstream
    var url: String { server.url }

    init(_ label: String, _ book: Book) throws {
        server = try ScriptedUpstream { connection in
            while let head = connection.head() {
                let lines = head.split(separator: "\r\n").map(String.init)
                func header(_ name: String) -> String? {
                    lines.first { $0.lowercased().hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
                }
                guard let body = Self.body(header, connection) else { return }
                let words = lines[0].split(separator: " ").map(String.init)
                let value = header("x-v").map { " v=\($0)" } ?? ""
                book.write("\(label) \(words[0]) \(words[1]) \(body)\(value)", under: header("x-id") ?? "")
                guard connection.send(Self.answer(label, words, body, header)) else { return }
                if header("connection")?.lowercased() == "close" { return }
            }
        }
    }

    /// The number of bytes of a body; nil where it breaks off.
    private static func body(_ header: (String) -> String?, _ connection: ScriptedUpstream.Connection) -> Int? {
        let length = header("content-length").flatMap { Int($0) } ?? 0
        var rest = length
        while rest > 0 {
            let bytes = connection.receive(rest)
            if bytes.isEmpty { return nil }
            rest -= bytes.count
        }
        return length
    }

    private static func answer(_ label: String, _ words: [String], _ body: Int, _ header: (String) -> String?) -> String
    {
        var parts = (header("x-do-\(label.lowercased())") ?? "200").split(separator: ";").map(String.init)
        var status = parts.removeFirst()
        let isGate = words[1].hasPrefix("/auth") || words[1].hasPrefix("/check")
        if isGate, let gate = header("x-gate") { status = gate }
        let text = "\(label) \(words[0]) \(words[1]) \(body)"
        let isBodyless = status == "204" || words[0] == "HEAD"
        let length = status == "204" ? [] : ["Content-Length: \(text.utf8.count)"]
        let head = ["HTTP/1.1 \(status) S", "Content-Type: text/\(label)"] + parts + length
        return head.joined(separator: "\r\n") + "\r\n\r\n" + (isBodyless ? "" : text)
    }
}
#endif
