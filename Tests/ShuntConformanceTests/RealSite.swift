import Foundation
import NginxOracle

/// The configuration of a real site, and the same made ready for a machine that has nothing of what it names.
struct RealSite {
    /// The file or folder that is loaded unchanged.
    let path: String
    /// The text for the `http` level, with all that is included.
    private(set) var rules: [UInt8] = []

    /// Directives that name what is not there (certificates, logs, sockets, other modules), or that have no effect on
    /// where a request goes and would need it.
    private static let leftOut: Set<String> = [
        "user", "pid", "worker_processes", "worker_cpu_affinity", "worker_rlimit_nofile", "load_module", "error_log",
        "access_log",
        "log_format", "http2", "http3", "quic_retry", "fastcgi_param", "fastcgi_hide_header", "open_file_cache",
        "gzip_static", "brotli", "brotli_static", "fastcgi_cache_path", "include", "map_hash_bucket_size",
        "server_names_hash_bucket_size", "keepalive_timeout", "keepalive_requests", "default_type", "resolver",
        "resolver_timeout", "client_max_body_size", "server_tokens",
    ]
    /// Blocks that go with everything in them.
    private static let leftOutBlocks: Set<String> = ["events", "upstream", "stream", "mail", "types"]
    /// The handler of a server without PHP in its place.
    private static let handler = "proxy_pass http://127.0.0.1:9"
    private static let handlers: Set<String> = ["fastcgi_pass", "proxy_pass", "uwsgi_pass", "scgi_pass", "grpc_pass"]

    init(folder: String) throws {
        let main = folder + "/nginx.conf"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".conf") }
            .sorted()
        let isWhole = FileManager.default.fileExists(atPath: main)
        path = isWhole ? main : folder
        for file in isWhole ? ["nginx.conf"] : files {
            rules += try Self.adapted("\(folder)/\(file)", in: folder, depth: 0) + [0x0a]
        }
    }

    /// A file with what it includes, without what is left out.
    private static func adapted(_ path: String, in folder: String, depth: Int) throws -> [UInt8] {
        guard depth < 10 else { return [] }
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var result: [UInt8] = []
        /// The kind of each open block, and whether it is in the result.
        var blocks: [(isKept: Bool, hasBraces: Bool)] = []
        for item in RuleText(bytes).items {
            let isKept = blocks.last?.isKept ?? true
            switch item.kind {
            case .open:
                let keeps = isKept && !leftOutBlocks.contains(item.name)
                let hasBraces = keeps && item.name != "http"
                if hasBraces { result += words(item, of: bytes) + Array(" {\n".utf8) }
                blocks.append((keeps, hasBraces))
            case .close:
                if blocks.popLast()?.hasBraces == true { result += Array("}\n".utf8) }
            case .directive:
                guard isKept else { continue }
                if item.name == "include", item.words.count == 2 {
                    for file in included(String(decoding: item.words[1].bytes, as: UTF8.self), by: path, in: folder) {
                        result += try adapted(file, in: folder, depth: depth + 1)
                    }
                } else if let text = text(item, of: bytes) {
                    result += text + Array(";\n".utf8)
                }
            }
        }
        return result
    }

    private static func words(_ item: RuleText.Item, of bytes: [UInt8]) -> [UInt8] {
        Array(item.words.map { bytes[$0.range] }.joined(separator: [0x20]))
    }

    /// A directive as it can run here; nil for one that is left out.
    private static func text(_ item: RuleText.Item, of bytes: [UInt8]) -> [UInt8]? {
        let name = item.name
        if leftOut.contains(name) || name.hasPrefix("ssl_") { return nil }
        if handlers.contains(name) { return Array(handler.utf8) }
        switch name {
        case "root": return Array("root @ROOT@".utf8)
        case "listen":
            let words = item.words.dropFirst().map { String(decoding: $0.bytes, as: UTF8.self) }
            guard let address = words.first, !address.hasPrefix("["), !address.hasPrefix("unix:") else { return nil }
            let flags = words.dropFirst().filter { $0.hasPrefix("default") }
            return Array((["listen", address] + flags).joined(separator: " ").utf8)
        default: return words(item, of: bytes)
        }
    }

    /// The files that an `include` leads to inside of the folder of the site, or of nginx' own.
    private static func included(_ name: String, by file: String, in folder: String) -> [String] {
        let folders = [folder, "/etc/nginx"]
        let candidates = name.hasPrefix("/") ? [name, folder + "/" + name.dropFirst("/etc/nginx/".count)] : []
        for pattern in candidates + (name.hasPrefix("/") ? [] : folders.map { $0 + "/" + name }) {
            let files = matches(pattern)
            if !files.isEmpty { return files }
        }
        return []
    }

    /// The paths that a pattern with `*` in its last component stands for.
    private static func matches(_ pattern: String) -> [String] {
        let url = URL(fileURLWithPath: pattern)
        let last = url.lastPathComponent
        guard let star = last.firstIndex(of: "*") else {
            return FileManager.default.fileExists(atPath: pattern) ? [pattern] : []
        }
        let (first, rest) = (last[..<star], last[last.index(after: star)...])
        let parent = url.deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.filter { $0.hasPrefix(first) && $0.hasSuffix(rest) && !$0.hasPrefix(".") }.sorted()
            .map { parent + "/" + $0 }
    }
}

/// Requests and files that are made of the words of a configuration.
extension RealSite {
    /// The names in paths and expressions: what is between signs that no name has.
    private var names: [String] {
        var result: [String] = []
        let asked: Set<String> = ["location", "rewrite", "if", "try_files", "index", "return", "map", "error_page"]
        for item in RuleText(rules).items where asked.contains(item.name) || item.words.count == 2 {
            for word in item.words.dropFirst() {
                let text = String(decoding: word.bytes, as: UTF8.self)
                    .replacingOccurrences(of: "\\.", with: ".")
                let parts = text.split { !($0.isLetter || $0.isNumber || "._-".contains($0)) }.map(String.init)
                for part in parts where part.count < 40 && part.contains(where: \.isLetter) && !result.contains(part) {
                    result.append(part)
                }
            }
        }
        return result.isEmpty ? ["a", "b"] : result
    }

    /// The paths that are written out.
    private var paths: [String] {
        RuleText(rules).items.filter { $0.name == "location" }
            .compactMap { $0.words.last.map { String(decoding: $0.bytes, as: UTF8.self) } }
            .filter { $0.hasPrefix("/") && !$0.contains(where: "()[]*+?|^$\\".contains) }
    }

    /// Files that such a site has: what the requests ask for, some of them.
    var files: [SupportFile] {
        var random = RandomSource(seed: 7)
        let endings = ["css", "js", "png", "php", "html", "txt"]
        var wanted = [
            "index.php", "index.html", "app.php", "robots.txt", "w/index.php", "w/rest.php", "remote.php",
            "a/index.php",
        ]
        for _ in 0..<40 {
            wanted.append("\(name(&random, endings))")
            wanted.append("dir/\(name(&random, endings))")
        }
        var folders: Set<String> = []
        var result: [SupportFile] = []
        for path in Set(wanted).sorted() where !wanted.contains(where: { $0.hasPrefix(path + "/") }) {
            result.append(SupportFile(kind: .file, path: path, content: Array(path.utf8)))
            folders.insert(String(path.prefix { $0 != "/" }))
        }
        return result
    }

    private func name(_ random: inout RandomSource, _ endings: [String]) -> String {
        let name = random.pick(names).drop { $0 == "." }
        return name.contains(".") || random.chance(30) ? String(name) : "\(name).\(random.pick(endings))"
    }

    /// Requests to each of the servers, repeatable by the seed.
    func requests(_ count: Int, seed: UInt64) -> [OracleRequest] {
        var random = RandomSource(seed: seed)
        let text = RuleText(rules)
        let hosts = text.directives(named: "server_name").flatMap { $0.words.dropFirst() }
            .map { String(decoding: $0.bytes, as: UTF8.self) }
            .filter { !$0.hasPrefix("~") && !$0.isEmpty }
            .map { $0.replacingOccurrences(of: "*", with: "sub") }
        let files = files.map { "/" + $0.path }
        return (0..<count)
            .map { _ in
                var request = OracleRequest(
                    target: Array(target(&random, files).utf8),
                    host: random.chance(85) ? random.pick(hosts, else: "localhost") : "other.example"
                )
                request.listen = random.pick(text.listens)
                if random.chance(10) { request.method = Array(random.pick(["HEAD", "POST", "PUT"]).utf8) }
                return request
            }
    }

    private func target(_ random: inout RandomSource, _ files: [String]) -> String {
        let endings = ["css", "js", "png", "php", "html", "txt", "php/a/b", "svgz", "123.css"]
        var path: String
        switch random.below(6) {
        case 0: path = random.pick(files)
        case 1: path = random.pick(paths, else: "/")
        case 2: path = random.pick(paths, else: "/") + "/" + name(&random, endings)
        case 3: path = "/" + random.pick(names)
        default:
            path = ""
            for _ in 0...random.below(3) { path += "/" + random.pick(names) }
            if random.chance(60) { path += "." + random.pick(endings) }
        }
        if random.chance(8) { path += "/" }
        if random.chance(4) { path = path.replacingOccurrences(of: "/", with: "//") }
        if random.chance(4) { path = path.uppercased() }
        if random.chance(4) { path += "%20%2e" }
        if random.chance(3) { path += "/../" + random.pick(names) }
        if random.chance(25) { path += "?" + random.pick(names) + "=" + random.pick(names) }
        return path.isEmpty ? "/" : path
    }
}
