import Foundation
import TestFolder
import Testing

/// `.htaccess` files next to the files of a site: what is imported without a note answers as Apache does.
@Suite("Imported rules of a site with files against Apache", .enabled(if: hasApache))
struct ApacheFilesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var requests: String
        /// True if a note reports that it is not imported exactly.
        var isNoted = false

        var testDescription: String { name }
    }

    private static let site = [
        "index.html", "a.html", "about.html", "about.php", "index.php", "dir/index.html", "dir/x.html", "blog/p.html",
        "wp-content/x.css", "wp-admin/index.php", "public/index.html",
    ]

    static let cases = [
        Case(
            name: "The targets of Redirect are sent as they are written",
            text: """
                Redirect 301 /a https://b.example/caf%C3%A9
                Redirect 302 /b https://b.example/login?next=%2Fhome
                Redirect 301 /c /caf%C3%A9
                Redirect 301 /d https://b.example/a%2Fb
                Redirect 307 /e /x%2Fy
                RedirectPermanent /f https://b.example/x#sec
                Redirect 301 /g /new#top
                """,
            requests: "/a /a/x /a/x%20y /b /b/z /c?q=1 /d/y /d?x /e/z /f /f/x /f?q /g /g?a=1"
        ),
        Case(
            name: "Only the path of the target of RedirectMatch is escaped",
            text: """
                RedirectMatch 301 ^/a$ https://b.example/caf%C3%A9?x=%41
                RedirectMatch 301 ^/b/(.*)$ https://b.example/$1#sec
                RedirectMatch 301 ^/c$ https://b.example/x?a=1&b=2#sec
                RedirectMatch 308 ^/d$ https://b.example/%41
                """,
            requests: "/a /a?b /b/x /b/x?y /c /c?z /d"
        ),
        Case(
            name: "Targets whose scheme is computed",
            text: """
                RewriteEngine On
                RewriteCond %{HTTPS} ^on$
                RewriteRule ^ - [E=ps:s]
                RewriteRule ^e http%{ENV:ps}://www.%{HTTP_HOST}%{REQUEST_URI} [R=301,L]
                RewriteCond %{HTTP_HOST} ^a\\.(.+)$ [NC]
                RewriteCond %{HTTPS}s ^on(s)|offs()
                RewriteRule ^f http%1://b.%{HTTP_HOST}%{REQUEST_URI} [R=302,L]
                RewriteCond %{HTTPS}s ^on(s)|
                RewriteRule ^ http%1://www.%{HTTP_HOST}%{REQUEST_URI} [R=301,L]
                """,
            requests: "/ /x /x?y /e /f/x"
        ),
        Case(
            name: "Targets that begin with the path, or with a capture",
            text: """
                RewriteEngine On
                RewriteCond %{QUERY_STRING} ^p=(/.+)$
                RewriteRule ^p$ %1? [R,L]
                RewriteRule ^none/(.*)$ %{REQUEST_URI}/$1 [R,L]
                RewriteRule ^q(/.*)$ $1 [R,L]
                RewriteCond %{REQUEST_FILENAME} !-f
                RewriteRule [^/]$ %{REQUEST_URI}/ [R=301,L]
                """,
            requests: "/p?p=/x /none/x /q/x/y /other /other/b /a.html"
        ),
        Case(
            name: "Variables that the request and rules set",
            text: """
                RewriteEngine On
                SetEnvIf Request_URI ^.*$ ROOT=https://b.example/
                SetEnvIf Request_URI "^/(s|t)/" kind=$1 secret
                SetEnvIfNoCase Request_URI ^/T/ !secret
                Order allow,deny
                Allow from all
                Deny from env=secret
                RewriteRule . - [E=BASE:/]
                RewriteCond %{ENV:kind} ^(.)$
                RewriteRule ^t/(.*)$ /k/%1?$1 [R=307,L]
                RewriteRule ^r/(.*)$ %{ENV:ROOT}$1 [R=303,L]
                RewriteRule ^q/(.*)$ /m?a=$1 [R=303,QSA,L]
                RewriteRule ^p/(.*)$ %{ENV:BASE}$1 [L]
                RewriteRule ^n/((dir|public)/.*)$ $1 [L]
                """,
            requests: "/s/x /t/x /T/x /r/x?y /q/x /q/x?y=1 /p/a.html /n/dir/x.html /none"
        ),
        Case(
            name: "Targets that begin with what may be a server",
            text: "RewriteEngine On\nRewriteCond %{QUERY_STRING} ^to=(.*)$\nRewriteRule ^ %1? [R,L]",
            requests: "/x",
            isNoted: true
        ),
        Case(
            name: "Captures of groups that an expression does not have are empty",
            text: """
                RewriteEngine On
                RewriteRule ^q/ /m?$1=x [R=307,L]
                RewriteCond %{HTTP_HOST} ^(a)
                RewriteRule ^w/ /m?%2=x [R=302,L]
                """,
            requests: "/q/ /w/"
        ),
        Case(
            name: "Rules that leave the path unchanged",
            text: """
                RewriteEngine On
                RewriteRule ^([_0-9a-zA-Z-]+/)?(wp-(content|admin).*) $2 [L]
                RewriteRule ^([_0-9a-zA-Z-]+/)?(.*\\.php)$ $2 [L]
                RewriteRule ^([a-z]) $1 [QSA,L]
                RewriteRule (.*) $1 [L]
                """,
            requests: "/b /b?x /7 /xmlrpc.php /wp-admin/x.php /wp-content/none /n/wp-content/x.css /n/about.php"
        ),
        Case(
            name: "A rule that leaves the path unchanged and has no end",
            text:
                "RewriteEngine On\nRewriteRule (.*) $1 [S=1]\nRewriteRule ^about a.html [L]\nRewriteRule ^b /a.html [L]",
            requests: "/x /about /b"
        ),
        Case(
            name: "What an index finds is not redirected again",
            text: """
                RewriteEngine On
                RewriteRule ^index\\.html$ / [R=301,L]
                RewriteCond %{REQUEST_URI} /d[a-z]+/.*\\.html$
                RewriteRule (.+) /old?u=$1 [R,L]
                RewriteRule ^(.*)\\.html$ /$1 [R=301,L]
                """,
            requests: "/ /index.html /?x /dir/ /dir/x.html /dir/index.html /a.html /public/"
        ),
        Case(
            name: "The last OR joins nothing",
            text: """
                RewriteEngine On
                RewriteCond %{HTTP_USER_AGENT} ^evil [NC,OR]
                RewriteCond %{HTTP_USER_AGENT} ^bad [NC,OR]
                RewriteRule ^a - [F,L]
                """,
            requests: "/ /a.html"
        ),
        Case(
            name: "A redirect without L, whose Location later rules see",
            text: "RewriteEngine On\nRewriteRule ^(a|b)$ http://b.example/$1 [R]\nRewriteRule (.*) /index.php [R]",
            requests: "/x",
            isNoted: true
        ),
        Case(
            name: "Escapes and fragments with NE",
            text: """
                RewriteEngine On
                RewriteRule ^a$ http://b.example/new#top [R=301,NE,L]
                RewriteRule ^b$ http://b.example/a%2Fb [R=301,NE,L]
                """,
            requests: "/a /a?q=1 /b /b?z"
        ),
        Case(
            name: "Captures that are escaped for a query",
            text: "RewriteEngine On\nRewriteRule ^b/(.*)$ /login?back=$1 [R,L,B,NE]",
            requests: "/b/x",
            isNoted: true
        ),
        Case(
            name: "Names that end in what is no folder",
            text: """
                RewriteEngine On
                RewriteCond %{REQUEST_FILENAME}.html -f
                RewriteRule ^(.+?)/?$ /$1.html [L]
                """,
            requests: "/about",
            isNoted: true
        ),
        Case(name: "MultiViews", text: "Options +MultiViews", requests: "/a.html", isNoted: true),
        Case(name: "DirectorySlash", text: "DirectorySlash Off", requests: "/dir/", isNoted: true),
        Case(name: "No index", text: "DirectoryIndex disabled", requests: "/a.html", isNoted: true),
    ]

    @Test("Redirects, rewritten paths and missing files are the same", arguments: cases)
    func answers(_ row: Case) throws {
        var files = Dictionary(uniqueKeysWithValues: Self.site.map { ("site/\($0)", $0) })
        files["site/.htaccess"] = row.text + "\n"
        let folder = try TestFolder(files)
        let imported = try folder.run(
            ["import", "apache", "site/.htaccess", "--root", "\(folder.path)/site", "--output", "r.conf"]
        )
        #expect(imported.status == (row.isNoted ? 1 : 0), "\(imported.errors)\(imported.text)")
        let rules = try String(contentsOfFile: folder.path + "/r.conf", encoding: .utf8)
        let targets = row.requests.split(separator: " ").map(String.init)
        let asked = try Apache.answers(to: targets, folder: folder)
        let input = targets.map { "{\"target\": \"\($0)\", \"host\": \"a.example\", \"listen\": \"127.0.0.1:80\"}\n" }
        let decided = try folder.run(
            ["run", "--rules", "r.conf", "--document-root", "\(folder.path)/site", "--format", "json"],
            input: input.joined()
        )
        let lines = decided.text.split(separator: "\n")
        #expect(lines.count == targets.count, "\(decided.errors)")
        for (target, (line, there)) in zip(targets, zip(lines, asked)) {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(Self.shown(object ?? [:]) == there, "\(target)\n\(line)\n\(rules)")
        }
    }

    private static func shown(_ decision: [String: Any]) -> String {
        let url = decision["url"] as? String ?? ""
        switch decision["decision"] as? String {
        case "redirect": return "\(decision["status"] ?? 0) \(url.hasPrefix("/") ? "http://a.example" : "")\(url)"
        case "forward": return "200 \(url.replacing("http://a.example", with: "").split(separator: "?")[0])"
        default: return "\(decision["status"] ?? 0)"
        }
    }
}

/// An Apache for one test.
private enum Apache {
    /// Its answers: the status with the Location, or with the path after all rules.
    static func answers(to targets: [String], folder: TestFolder) throws -> [String] {
        _ = system("chmod -R a+rX \(folder.path)")
        let apache = try RunningApache(
            in: folder,
            modules: [
                "mpm_event", "authz_core", "access_compat", "alias", "rewrite", "setenvif", "dir", "headers",
                "negotiation", "mime",
            ],
            configuration: """
                ServerName a.example
                TypesConfig /dev/null
                DocumentRoot \(folder.path)/site
                DirectoryIndex index.html
                Header always set X-Path "expr=%{REQUEST_URI}"
                <Directory \(folder.path)>
                AllowOverride All
                Options FollowSymLinks
                </Directory>
                """
        )
        defer { apache.stop() }
        let commands = targets.map {
            "curl -s --path-as-is -o /dev/null -D - -H 'Host: a.example' 'http://127.0.0.1:\(apache.port)\($0)' >> \(folder.path)/heads\n"
        }
        try folder.write("ask", commands.joined())
        _ = system("sh \(folder.path)/ask")
        let heads = try String(contentsOfFile: folder.path + "/heads", encoding: .utf8)
            .replacing("\r\n", with: "\n").split(separator: "\n\n")
        return heads.map { head in
            let status = head.split(separator: " ")[1].prefix(3)
            func field(_ name: String) -> Substring? {
                head.split(separator: "\n").first { $0.lowercased().hasPrefix(name) }?.dropFirst(name.count)
            }
            if let location = field("location: ") { return "\(status) \(location)" }
            return status == "200" ? "200 \(field("x-path: ") ?? "")" : String(status)
        }
    }
}
