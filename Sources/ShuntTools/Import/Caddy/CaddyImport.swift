import ShuntCore

/// Rules that were made of a Caddyfile.
public struct CaddyImport {
    /// A place at which a site answers.
    private struct Address: Hashable {
        var host: String
        var port: Int
        var isSecure: Bool
        /// True if Caddy leads from HTTP to it.
        var isRedirected: Bool
    }

    private let name: String
    private let file: CaddyFile
    private let routes: CaddyRoutes
    private var matchers: CaddyMatchers
    private var notes: ImportNotes
    private var lines = Set<Int>()
    private var tables: [ImportItem] = []
    private var servers: [ImportItem] = []
    /// The hosts of each place; an empty one is for all.
    private var hosts: [Int: (isSecure: Bool, hosts: Set<String>)] = [:]
    private var redirected: [(host: String, port: Int, line: Int)] = []

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - text: The content.
    ///   - file: Reads a file that it imports; nil if it does not exist.
    /// - Returns: The rules with notes.
    /// - Throws: `ImportError` where the grammar is broken.
    public static func rules(
        named name: String,
        text: String,
        file: @escaping (String) -> String?
    ) throws(ImportError) -> ImportedRules {
        do throws(ImportError) {
            var work = CaddyImport(name: name, text: text, file: try CaddyFile(text, file: file))
            return work.rules()
        } catch {
            var error = error
            error.file = name
            throw error
        }
    }

    private init(name: String, text: String, file: CaddyFile) {
        self.name = name
        self.file = file
        notes = ImportNotes(name)
        routes = CaddyRoutes(file.options)
        matchers = CaddyMatchers(text)
    }

    private func option(_ name: String) -> String? {
        file.options.first { $0.name == name }?.words.dropFirst().joined(separator: " ")
    }

    private var httpPort: Int { option("http_port").flatMap { Int($0) } ?? 80 }
    private var httpsPort: Int { option("https_port").flatMap { Int($0) } ?? 443 }

    private mutating func rules() -> ImportedRules {
        for site in file.sites { add(site) }
        addRedirects()
        addOthers()
        let head = ImportItem.comment("# Imported from \(ShownBytes.text(name)) by shunt import caddy.")
        let items = [head] + tables + ImportItem.tables(of: matchers.networks) + servers
        return ImportedRules(items, notes: notes.sorted, from: name, count: lines.count)
    }

    // MARK: Addresses

    private func address(_ text: String) -> Address? {
        guard let match = text.wholeMatch(of: #/(?i)(?:(https?):\/\/)?([a-z0-9.*_\-]*|\[[0-9a-f:]+\])(?::(\d+))?\/?/#)
        else { return nil }
        let scheme = match.1?.lowercased()
        let host = match.2 == "*" ? "" : match.2.lowercased()
        let given = match.3.flatMap { Int($0) }
        let isPlain = scheme == "http" || scheme == nil && (given == httpPort || host.isEmpty && given != httpsPort)
        let automatic = option("auto_https") ?? ""
        let isSecure = scheme == "https" || !isPlain && automatic != "off"
        return Address(
            host: host,
            port: given ?? (isPlain ? httpPort : httpsPort),
            isSecure: isSecure,
            isRedirected: isSecure && !host.isEmpty && automatic.isEmpty
        )
    }

    private mutating func add(_ site: CaddyDirective) {
        var places: [[String]: [Address]] = [:]
        var byPort: [Int: [Address]] = [:]
        for word in site.words {
            guard let address = address(word), site.name != "import" else {
                let reason = "the address \(word): its site answers nothing"
                servers += [.gap, notes.leave(site.text, line: site.line, reason: reason)]
                lines.insert(site.line)
                if site.name == "import" { return }
                continue
            }
            byPort[address.port, default: []].append(address)
        }
        // Ports with the same hosts are one server.
        for (_, addresses) in byPort.sorted(by: { $0.key < $1.key }) {
            places[addresses.map(\.host), default: []].append(addresses[0])
            for address in addresses {
                hosts[address.port, default: (address.isSecure, [])].hosts.insert(address.host)
                if address.isRedirected { redirected.append((address.host, address.port, site.line)) }
            }
        }
        for (hosts, addresses) in places.sorted(by: { $0.value[0].port < $1.value[0].port }) {
            servers += site.comments.isEmpty ? [.gap] : [.gap] + site.comments.map { .comment($0) }
            servers.append(server(site, hosts: hosts, addresses))
        }
    }

    private mutating func server(_ site: CaddyDirective, hosts: [String], _ addresses: [Address]) -> ImportItem {
        let block = site.block ?? []
        let bound = block.filter { $0.name == "bind" }.flatMap(\.arguments).map(Self.listened)
        var items: [ImportItem] = []
        if addresses.contains(where: \.isSecure) {
            items.append(.comment("# HTTPS needs ssl_certificate and ssl_certificate_key."))
        }
        for address in addresses {
            for place in bound.isEmpty ? [""] : bound {
                let listen = place.isEmpty ? "\(address.port)" : "\(place):\(address.port)"
                let isDefault = hosts.contains("") ? ["default_server"] : []
                items.append(.directive(["listen", listen] + (address.isSecure ? ["ssl"] : []) + isDefault, site.line))
            }
        }
        if !hosts.contains("") { items.append(.directive(["server_name"] + hosts.map(Self.serverName))) }
        var work = CaddySite(name: name, routes: routes, matchers: matchers)
        items += work.items(block.filter { $0.name != "bind" })
        // Networks are tables next to the servers.
        matchers.merge(work.matchers)
        tables += work.upstreams
        notes.merge(work.notes)
        lines.formUnion(work.lines)
        return .block(["server"], items)
    }

    /// A place of `bind`; what cannot be one is on loopback.
    private static func listened(_ place: String) -> String {
        if place.wholeMatch(of: #/[0-9a-fA-F:]*:[0-9a-fA-F:.]*/#) != nil { return "[\(place)]" }
        return place.wholeMatch(of: #/[0-9.]+|localhost/#) != nil ? place : "127.0.0.1"
    }

    /// A name of a server; a star is one label in Caddy, and several in `server_name`.
    private static func serverName(_ host: String) -> String {
        host.contains("*") ? "~" + CaddyMatchers.hostExpression(host) : host
    }

    /// The way from HTTP to the sites with HTTPS.
    private mutating func addRedirects() {
        for port in Set(redirected.map(\.port)).sorted() {
            let known = hosts[httpPort]?.hosts ?? []
            let names = Set(redirected.filter { $0.port == port && !known.contains($0.host) }.map(\.host)).sorted()
            guard !names.isEmpty else { continue }
            hosts[httpPort, default: (false, [])].hosts.formUnion(names)
            let target = port == 443 ? "https://$host$request_uri" : "https://$host:\(port)$request_uri"
            let items: [ImportItem] = [
                .directive(["listen", "\(httpPort)"]),
                .directive(["server_name"] + names.map(Self.serverName)),
                .directive(["return", "308", target]),
            ]
            servers += [.gap, .comment("# Caddy leads from HTTP to HTTPS."), .block(["server"], items)]
        }
    }

    /// The answer to hosts of no site.
    private mutating func addOthers() {
        for (port, place) in hosts.sorted(by: { $0.key < $1.key }) where !place.hosts.contains("") {
            let listen = ["listen", "\(port)"] + (place.isSecure ? ["ssl"] : []) + ["default_server"]
            let items: [ImportItem] = [.directive(listen), .directive(["return", "200"])]
            servers += [.gap, .comment("# Caddy answers other hosts with an empty page."), .block(["server"], items)]
        }
    }
}
