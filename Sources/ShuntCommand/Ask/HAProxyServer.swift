#if Command
import Shunt
import ShuntTools

/// HAProxy on loopback with the frontends of a file, for HTTP and for HTTPS; backends show what they get.
final class HAProxyServer: ImportServer {
    private static let names = ["haproxy", "/usr/sbin/haproxy"]
    private static let heads: Set = [
        "global", "defaults", "frontend", "backend", "listen", "userlist", "peers", "resolvers", "cache", "program",
    ]
    /// Settings of servers, of logs and of places of the machine.
    private static let left: Set = [
        "bind", "log", "server", "default-server", "stats", "balance", "stick", "stick-table", "errorfile", "cookie",
        "http-check", "server-template", "maxconn", "capture",
    ]

    let files: [String] = []
    private let local: LocalServer
    /// The ports on loopback by those of the file, for HTTP and for HTTPS.
    private var ports: [[Int: Int]] = [[:], [:]]

    /// Starts it with the content of a file.
    init(_ text: String) throws {
        local = try LocalServer()
        for index in 0...1 {
            let path = "\(local.folder)/haproxy-\(index).cfg"
            try local.write(try moved(text, isSecure: index == 1), to: path)
            guard let port = ports[index].values.first else { continue }
            try local.start(Self.names, ["-db", "-f", path], package: "haproxy", port: port)
        }
        if ports[0].isEmpty, ports[1].isEmpty { throw Problem("the file has no frontend with a port") }
    }

    func answer(_ request: WireRequest, files: [String]) throws -> WireAnswer? {
        guard let port = ports[request.isSecure ? 1 : 0][request.port] else { return nil }
        let isSix = request.remoteAddress.contains(":")
        let preface = "PROXY TCP\(isSix ? "6" : "4") \(request.remoteAddress) \(isSix ? "::1" : "127.0.0.1") 9 9\r\n"
        let exchange = WireExchange(host: "127.0.0.1", port: port)
        return WireAnswer(WireHead(try exchange.head(of: Array(preface.utf8) + request.bytes())))
    }

    private func moved(_ text: String, isSecure: Bool) throws(Problem) -> String {
        var lines: [String] = []
        var (kind, name) = ("", "")
        var shown: [String] = []
        func end() {
            if kind == "listen" { lines.append("    default_backend \(name)") }
            if kind == "backend" || kind == "listen" { shown.append(name) }
        }
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let first = words.first else { continue }
            if Self.heads.contains(first) {
                end()
                (kind, name) = (first, words.count > 1 ? words[1] : "")
                if kind == "frontend" || kind == "listen" {
                    let port = try LocalServer.freePort()
                    lines += ["frontend \(kind == "listen" ? "listen-" : "")\(name)"]
                    lines.append("    bind 127.0.0.1:\(port) accept-proxy")
                    lines.append("    mode http")
                    place(name, in: text, at: port, isSecure: isSecure)
                } else if kind == "defaults" || kind == "userlist" {
                    lines.append(String(line))
                }
            } else if ["frontend", "listen", "defaults", "userlist"].contains(kind), !Self.left.contains(first) {
                // HAProxy knows HTTPS by its connection only.
                lines.append(String(line).replacing("ssl_fc", with: isSecure ? "always_true" : "always_false"))
            }
        }
        end()
        let values = ["%[path,url_dec]", "%[query]"]
        for name in shown {
            let headers = zip(WireAnswer.headers, values + [name]).map { "hdr \($0) \"\($1)\"" }.joined(separator: " ")
            lines += ["backend \(name)", "    mode http", "    http-request return status 200 \(headers)"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Notes the places of a frontend.
    private func place(_ name: String, in text: String, at port: Int, isSecure: Bool) {
        var isInside = false
        var known: [Int] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard let first = words.first else { continue }
            if Self.heads.contains(String(first)) {
                isInside =
                    (first == "frontend" || first == "listen") && words.dropFirst().first.map(String.init) == name
            } else if isInside, first == "bind", words.count > 1, words.contains("ssl") == isSecure {
                known += words[1].split(separator: ",").compactMap { $0.split(separator: ":").last.flatMap { Int($0) } }
            }
        }
        for known in known { ports[isSecure ? 1 : 0][known] = port }
    }
}
#endif
