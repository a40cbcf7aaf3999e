#if Command
import Shunt
import ShuntTools

/// Caddy on loopback with a Caddyfile: what would go to an upstream or be a file is shown in the place of it.
final class CaddyServer: ImportServer {
    private static let names = ["caddy", "/usr/bin/caddy"]

    private(set) var files: [String] = []
    private let local: LocalServer
    /// The ports on loopback by those of the file.
    private var ports: [Int: Int] = [:]
    private var securePort = 443
    /// The hosts of each server: from HTTP Caddy itself leads to those of HTTPS, once it has certificates.
    private var hosts: [Int: Set<[UInt8]>] = [:]

    /// Starts it with the Caddyfile at a path.
    init(_ path: String) throws {
        local = try LocalServer()
        let words = ["adapt", "--config", path, "--adapter", "caddyfile"]
        let adapted = try local.output(of: Self.names, words, package: "caddy")
        guard let http = try JSONReader.read(adapted)["apps"]?["http"] else {
            throw Problem("the Caddyfile has no sites")
        }
        securePort = http["https_port"]?.integer ?? 443
        var servers: [JSONMember] = []
        for server in http["servers"]?.members ?? [] { servers.append(try moved(server)) }
        let configuration = JSONValue.members([
            ("admin", .members([("disabled", .boolean(true)), ("config", .members([("persist", .boolean(false))]))])),
            ("apps", .members([("http", .members([("servers", .object(servers))]))])),
        ])
        var writer = JSONWriter()
        configuration.write(to: &writer)
        try local.write(String(decoding: writer.bytes, as: UTF8.self), to: local.folder + "/caddy.json")
        for file in files { local.makeFolders(local.folder + file) }
        guard let port = ports.values.first else { throw Problem("the Caddyfile has no sites") }
        try local.start(Self.names, ["run", "--config", local.folder + "/caddy.json"], package: "caddy", port: port)
    }

    func answer(_ request: WireRequest, files: [String]) throws -> WireAnswer? {
        guard let port = ports[request.port], request.isSecure == (request.port == securePort) else { return nil }
        let host = request.host.prefix { $0 != UInt8(ascii: ":") }
        let name = Array(String(decoding: host, as: UTF8.self).lowercased().utf8)
        let isKnown = { (port: Int) -> Bool in
            self.hosts[port]?
                .contains { $0 == name || $0.first == UInt8(ascii: "*") && name.suffix($0.count - 1) == $0.dropFirst() }
                ?? false
        }
        guard request.isSecure || !isKnown(securePort) || isKnown(request.port) else { return nil }
        let made = files.map { local.folder + $0 }.flatMap(local.makeFile)
        defer { LocalServer.removeMade(made) }
        let client = [("X-Forwarded-For", request.remoteAddress)]
        let head = WireHead(try WireExchange(host: "127.0.0.1", port: port).head(of: request.bytes(client)))
        return WireAnswer(head, folder: local.folder)
    }

    // MARK: Places

    private func moved(_ server: JSONMember) throws -> JSONMember {
        let port = try LocalServer.freePort()
        var isSecure = false
        for case .string(let place) in server.value["listen"]?.items ?? [] {
            let known = Int(String(decoding: place.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)) ?? 0
            ports[known] = port
            isSecure = known == securePort
            for route in server.value["routes"]?.items ?? [] {
                for set in route["match"]?.items ?? [] {
                    for case .string(let host) in set["host"]?.items ?? [] { hosts[known, default: []].insert(host) }
                }
            }
        }
        let routes = shown(server.value["routes"] ?? .array([]), isSecure: isSecure)
        return JSONMember(
            name: server.name,
            value: .members([
                ("listen", .array([.string(Array("127.0.0.1:\(port)".utf8))])), ("routes", routes),
                ("automatic_https", .members([("disable", .boolean(true))])),
                ("errors", server.value["errors"] ?? .members([])),
            ])
        )
    }

    /// A value with handlers that show what they would do.
    private func shown(_ value: JSONValue, isSecure: Bool) -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map { shown($0, isSecure: isSecure) })
        case .string(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing("{http.request.remote.host}", with: "{http.request.header.X-Forwarded-For}")
                .replacing("{http.request.scheme}", with: isSecure ? "https" : "http")
            return .string(Array(text.utf8))
        case .object(let members):
            switch value["handler"] {
            case .string(Array("reverse_proxy".utf8)):
                let upstreams = value["upstreams"]?.items ?? []
                guard case .string(let place)? = upstreams.first?["dial"], upstreams.count == 1 else {
                    return Self.show(upstream: "several")
                }
                let name = String(decoding: place, as: UTF8.self)
                return Self.show(upstream: name.hasPrefix(":") ? "localhost" + name : name)
            case .string(Array("file_server".utf8)): return Self.show(upstream: "")
            default:
                return .object(members.map { JSONMember(name: $0.name, value: member($0, isSecure: isSecure)) })
            }
        case .null, .boolean, .number: return value
        }
    }

    private func member(_ member: JSONMember, isSecure: Bool) -> JSONValue {
        let other = shown(member.value, isSecure: isSecure)
        switch (member.name, member.value) {
        case ("root", .string(let root)) where root.first == UInt8(ascii: "/"):
            // Its files are made in a separate folder.
            let path = String(decoding: root, as: UTF8.self)
            files.append(path.hasSuffix("/") ? path : path + "/")
            return .string(Array((local.folder + path).utf8))
        case ("remote_ip", .object(let members)):
            return .object(members + [JSONMember(name: "forwarded", value: .boolean(true))])
        case ("protocol", .string(let name)) where isSecure:
            return .string(Array((name == Array("https".utf8) ? "http" : "https").utf8))
        default: return other
        }
    }

    private static func show(upstream: String) -> JSONValue {
        let values = ["{http.request.uri.path}", "{http.request.uri.query}", upstream, "{http.vars.root}"]
        let headers = zip(WireAnswer.headers, values).map { ($0, JSONValue.array([.string(Array($1.utf8))])) }
        return .members([
            ("handler", .string(Array("static_response".utf8))), ("status_code", .number(Array("200".utf8))),
            ("headers", .members(headers)),
        ])
    }
}

extension JSONValue {
    fileprivate static func members(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { JSONMember(name: $0, value: $1) })
    }
}
#endif
