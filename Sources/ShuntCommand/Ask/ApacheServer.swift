#if Command
import Glibc
import Shunt
import ShuntTools

/// Apache on loopback with separate files: one port for HTTP, and one whose rules read it as HTTPS.
final class ApacheServer {
    private static let modules = [
        "mpm_event", "unixd", "authz_core", "authz_host", "access_compat", "alias", "autoindex", "deflate", "dir",
        "env", "expires", "filter",
        "headers", "mime", "negotiation", "remoteip", "rewrite", "setenvif", "status", "version",
    ]

    /// The folder of the site.
    let root: String
    private let local: LocalServer
    private let ports: [Int]
    private let servesFiles: Bool

    /// Starts it with `.htaccess` files by their folders; without `servesFiles` it answers whatever the path is.
    init(_ files: [(folder: String, text: String)], servesFiles: Bool) throws(Problem) {
        local = try LocalServer()
        let folder = local.folder
        root = folder + "/site"
        self.servesFiles = servesFiles
        ports = [try LocalServer.freePort(), try LocalServer.freePort()]
        for (index, site) in ["site", "secure"].enumerated() {
            mkdir("\(folder)/\(site)", 0o755)
            for file in files {
                local.makeFolders("\(folder)/\(site)\(file.folder)")
                // Apache knows HTTPS by its connection only.
                let text = index == 0 ? file.text : Self.secured(file.text)
                try local.write(text, to: "\(folder)/\(site)\(file.folder).htaccess")
            }
        }
        try local.write(configuration, to: folder + "/apache.conf")
        try local.start(
            ["apache2", "/usr/sbin/apache2", "httpd", "/usr/sbin/httpd"],
            ["-f", folder + "/apache.conf", "-DFOREGROUND"],
            package: "apache2-bin",
            port: ports[1]
        )
    }

    private static func secured(_ text: String) -> String {
        text.replacing(#/%\{(?:HTTPS|ENV:HTTPS)\}/#.ignoresCase(), with: "on")
            .replacing(#/%\{SERVER_PORT\}/#.ignoresCase(), with: "443")
            .replacing(#/%\{REQUEST_SCHEME\}/#.ignoresCase(), with: "https")
    }

    private var configuration: String {
        let folder = local.folder
        let libraries = ["/usr/lib/apache2/modules", "/usr/lib64/httpd/modules", "/usr/libexec/apache2"]
        let files = LocalFileSystem()
        let library = libraries.first { (try? files.attributes($0)) != nil } ?? libraries[0]
        let loads = Self.modules.filter { (try? files.attributes("\(library)/mod_\($0).so")) != nil }
            .map { "LoadModule \($0)_module \(library)/mod_\($0).so" }
        let user = geteuid() == 0 ? "User \(getpwnam("www-data") == nil ? "nobody" : "www-data")\n" : ""
        let handler = servesFiles ? "" : "SetHandler server-status\n"
        // Rules without files have no check for those of Apache.
        let hidden = servesFiles ? "<FilesMatch \"^\\.ht\">\nRequire all denied\n</FilesMatch>\n" : ""
        let sites = zip(["site", "secure"], zip(ports, ["http://localhost:80", "https://localhost:443"]))
            .map { site, place in
                """
                <VirtualHost 127.0.0.1:\(place.0)>
                ServerName \(place.1)
                DocumentRoot \(folder)/\(site)
                </VirtualHost>
                """
            }
        return """
            \(loads.joined(separator: "\n"))
            ServerRoot \(folder)
            PidFile \(folder)/pid
            ErrorLog \(folder)/errors
            \(user)Listen 127.0.0.1:\(ports[0])
            Listen 127.0.0.1:\(ports[1])
            ServerName localhost:80
            TypesConfig /dev/null
            DirectoryIndex disabled
            RemoteIPHeader X-Shunt-Client
            RemoteIPInternalProxy 127.0.0.1
            Header always set X-Shunt-Path "expr=%{REQUEST_URI}"
            Header always set X-Shunt-Arguments "expr=%{QUERY_STRING}"
            StartServers 1
            <Directory \(folder)>
            AllowOverride All Nonfatal=All
            Require all granted
            \(handler)</Directory>
            \(hidden)\(sites.joined(separator: "\n"))

            """
    }

    // MARK: Asking

    /// The answer to a request; a name of `files` that ends in a slash is a folder.
    func answer(_ request: WireRequest, files: [String]) throws -> WireAnswer {
        let site = request.isSecure ? local.folder + "/secure" : root
        let paths = files.filter { $0.hasPrefix(root + "/") }.map { site + $0.dropFirst(root.count) }
        let made = paths.flatMap(local.makeFile)
        defer { LocalServer.removeMade(made) }
        let exchange = WireExchange(host: "127.0.0.1", port: ports[request.isSecure ? 1 : 0])
        let more = request.remoteAddress == "127.0.0.1" ? [] : [("X-Shunt-Client", request.remoteAddress)]
        let head = WireHead(try exchange.head(of: request.bytes(more)))
        var answer = WireAnswer(
            status: head.status,
            location: head["location"],
            path: head["x-shunt-path"],
            arguments: head["x-shunt-arguments"] ?? []
        )
        // The handler that answers whatever the path is knows no other methods.
        answer.isOtherwiseMissing =
            !servesFiles && !["GET", "HEAD"].contains(String(decoding: request.method, as: UTF8.self))
        return answer
    }

}
#endif
