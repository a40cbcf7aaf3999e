import Foundation
import TestFolder
import Testing

/// `.htaccess` files whose access Apache decides: what is imported is never more open.
@Suite("Imported access against Apache", .enabled(if: hasApache))
struct ApacheAccessTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// The files, by their folders.
        var files: [String: String]
        /// Paths, some of them with an address.
        var requests: [String]
        /// False if something is noted, and refused in its place.
        var isExact = true

        var testDescription: String { name }

        init(_ name: String, _ text: String, _ folders: [String: String] = [:], requests: String, isExact: Bool = true)
        {
            self.name = name
            files = folders.merging(["": text]) { $1 }
            self.requests = requests.split(separator: ",").map { String($0.drop { $0 == " " }) }
            self.isExact = isExact
        }
    }

    static let cases = [
        Case(
            "The checks of a folder hold in the folders inside it",
            "Require ip 10.0.0.0/8",
            [
                "blog/": "RewriteEngine on\nRewriteRule ^x$ /blog/y [R,L]", "cat/": "ErrorDocument 404 none",
                "cat/in/": "Redirect /cat/in/a /b",
            ],
            requests: "/blog/x, /blog/x 10.0.0.1, /cat/a, /cat/a 10.1.1.1, /cat/in/a, /cat/in/a 10.1.1.1"
        ),
        Case(
            "A file that decides nothing, with others in the folders inside it",
            "AddType a/b c",
            ["in/": "Require all denied", "ten/": "Require ip 10"],
            requests: "/a, /in/a, /ten/a, /ten/a 10.0.0.1"
        ),
        Case(
            "A section of the site does not open a folder that is closed",
            "<FilesMatch \"x$\">\nRequire ip 10\n</FilesMatch>",
            ["in/": "Order allow,deny\n<Files c>\nRequire all granted\n</Files>"],
            requests: "/x, /x 10.0.0.1, /in/x, /in/x 10.0.0.1, /in/c 10.0.0.1"
        ),
        Case(
            "A section opens a closed folder for some, with rules that lead elsewhere",
            "RedirectMatch ^/in/a$ /b",
            ["in/": "Require all denied\n<Files c.x>\nRequire ip 10\n</Files>"],
            requests: "/in/a, /in/c.x, /in/c.x 10.0.0.1"
        ),
        Case(
            "A folder opens what the one around it refuses",
            "Require all denied",
            [
                "open/": "Require all granted", "open/in/": "ErrorDocument 404 none",
                "other/": "Order deny,allow\nAllow from all",
            ],
            requests: "/a, /open/a, /open/in/a, /other/a"
        ),
        Case(
            "The rules of a folder hold in sections and in the folders inside it",
            """
            <Files "login.php">
            Require ip 10.0.0.0/8
            </Files>
            RewriteEngine on
            RewriteCond %{QUERY_STRING} bad
            RewriteRule ^ - [F]
            RewriteRule ^admin/secret - [F]
            """,
            ["admin/": "Require ip 10.0.0.0/8", "own/": "RewriteEngine on"],
            requests: """
                /login.php 10.0.0.1, /login.php?bad 10.0.0.1, /login.php, /admin/secret 10.0.0.1, /admin/x?bad 10.0.0.1, \
                /admin/x 10.0.0.1, /admin/x, /own/x?bad, /own/login.php, /own/login.php?bad 10.0.0.1
                """
        ),
        Case(
            "Checks for older releases in sections are checks",
            """
            <FilesMatch "\\.sql$">
            <IfModule mod_access_compat.c>
            Order allow,deny
            Deny from all
            </IfModule>
            </FilesMatch>
            <FilesMatch "\\.bak$">
            <IfModule mod_authz_core.c>
            Require all denied
            </IfModule>
            <IfModule !mod_authz_core.c>
            Order allow,deny
            Allow from all
            </IfModule>
            </FilesMatch>
            <IfVersion < 2.4>
            Order allow,deny
            Allow from all
            </IfVersion>
            <IfVersion >= 2.4>
            Require ip 10.0.0.0/8
            </IfVersion>
            """,
            requests: "/a.sql, /a.sql 10.0.0.1, /a.bak 10.0.0.1, /a, /a 10.0.0.1"
        ),
        Case(
            "Both kinds of checks have to pass: Deny",
            "Order deny,allow\nDeny from all\nRequire all granted",
            requests: "/a, /a 10.0.0.1"
        ),
        Case(
            "Both kinds of checks have to pass: Require",
            "Order allow,deny\nAllow from all\nRequire ip 10",
            requests: "/a, /a 10.0.0.1"
        ),
        Case(
            "Both kinds of checks with other addresses",
            "Order allow,deny\nAllow from 10.0.0.0/8\nRequire ip 10.1 192.0.2.9",
            requests: "/a, /a 10.0.0.1, /a 10.1.0.1, /a 192.0.2.9",
            isExact: false
        ),
        Case(
            "One of both kinds",
            "Order deny,allow\nDeny from all\nRequire ip 10\nSatisfy any",
            requests: "/a, /a 10.1.0.1",
            isExact: false
        ),
        Case("Mutual failure", "Order Mutual-failure\nAllow from 10.0.0.1", requests: "/a, /a 10.0.0.1, /a 10.0.0.2"),
        Case(
            "Deny before allow",
            "Order allow,deny\nAllow from 10\nDeny from 10.1",
            requests: "/a, /a 10.0.0.1, /a 10.1.0.1"
        ),
        Case("Allow before deny", "Deny from 10\nAllow from 10.1", requests: "/a, /a 10.0.0.1, /a 10.1.0.1"),
        Case(
            "A host in a list",
            "Order deny,allow\nDeny from host.example 10.2",
            requests: "/a, /a 10.2.0.1",
            isExact: false
        ),
        Case(
            "All of several, some negated",
            "<RequireAll>\nRequire all granted\nRequire not ip 10.1\n<RequireAny>\nRequire ip 10 192.0.2\n</RequireAny>\n</RequireAll>",
            requests: "/a, /a 10.0.0.1, /a 10.1.0.1, /a 192.0.2.1"
        ),
        Case(
            "A section around another one, before a redirect",
            "<RequireAny>\nRequire all denied\n<RequireAll>\nRequire ip 10\n</RequireAll>\n</RequireAny>\nRedirect /b /c",
            requests: "/a, /b, /b 10.0.0.1"
        ),
        Case(
            "All of two networks",
            "<RequireAll>\nRequire ip 10\nRequire ip 10.1\n</RequireAll>",
            requests: "/a, /a 10.0.0.1, /a 10.1.0.1",
            isExact: false
        ),
        Case(
            "None of several",
            "<RequireAll>\nRequire all granted\n<RequireNone>\nRequire ip 10\n</RequireNone>\n</RequireAll>",
            requests: "/a, /a 10.0.0.1",
            isExact: false
        ),
        Case(
            "Addresses or a method",
            "Require ip 10\nRequire method POST",
            requests: "/a, /a 10.0.0.1",
            isExact: false
        ),
        Case("Methods", "<Limit GET>\nRequire all denied\n</Limit>", requests: "/a, /a 10.0.0.1", isExact: false),
        Case(
            "Other methods",
            "<LimitExcept POST>\nOrder deny,allow\nDeny from all\n</LimitExcept>",
            requests: "/a",
            isExact: false
        ),
        Case(
            "A condition of Apache",
            "<If \"%{QUERY_STRING} == 'x'\">\nRequire all denied\n</If>",
            requests: "/a, /a?x",
            isExact: false
        ),
        Case(
            "Names with wildcards",
            """
            <Files "[ab].txt">
            Require all denied
            </Files>
            <Files "x?.in*">
            Require all denied
            </Files>
            <Files "[!a-c]1">
            Require ip 10
            </Files>
            <Files "s\\*r">
            Require all denied
            </Files>
            """,
            requests: "/a.txt, /ab.txt, /c/b.txt, /xy.inc, /x.inc, /a.txt/b, /d1, /b1, /d1 10.0.0.1, /s*r, /star"
        ),
        Case(
            "Expressions on names",
            """
            <FilesMatch "^\\.ht|\\.(bak|sql)$">
            Require all denied
            </FilesMatch>
            <FilesMatch "^(?!index\\.php$).*\\.php$">
            Require all denied
            </FilesMatch>
            <FilesMatch "old">
            Require ip 10
            </FilesMatch>
            <FilesMatch "^w.*x$">
            Require all denied
            </FilesMatch>
            """,
            requests: """
                /.htx, /a/.hty, /a.ht, /a.bak, /bak.a, /a.php, /index.php, /b/index.php, /old, /an.older, /a.sql/x, /index.php/x, /old 10.0.0.1, \
                /wax, /w/x, /a/w-x, /aw/x
                """
        ),
        Case(
            "The last of several sections decides",
            """
            <FilesMatch "\\.css$">
            Require all denied
            </FilesMatch>
            <Files "site.css">
            Require all granted
            </Files>
            <FilesMatch "^s.*e\\.css$">
            Require ip 10
            </FilesMatch>
            """,
            requests: "/a.css, /a/site.css, /site.css 10.0.0.1, /state.css 10.0.0.1, /a.html"
        ),
        Case(
            "Sections with different kinds of checks",
            "<FilesMatch \"\\.css$\">\nRequire all denied\n</FilesMatch>\n<FilesMatch \"^a\">\nOrder allow,deny\nAllow from all\n</FilesMatch>",
            requests: "/a.css, /b.css, /a.html",
            isExact: false
        ),
        Case(
            "Sections of a folder and of the one around it",
            "Require all denied\n<Files \"a.x\">\nRequire all granted\n</Files>",
            ["in/": "<Files \"b\">\nRequire all granted\n</Files>", "ip/": "Require ip 10"],
            requests: "/a.x, /b, /in/a.x, /in/b, /in/c, /ip/a.x, /ip/b, /ip/b 10.0.0.1"
        ),
        Case(
            "Access is checked before rules lead elsewhere",
            "DirectoryIndex index.html",
            [
                "private/": "Require all denied\nRewriteEngine on\nRewriteRule ^(.*)$ /index.php?p=$1 [L]",
                "ten/":
                    "Require ip 10\nRewriteEngine on\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^ /index.php [L]",
                "mixed/": "Order allow,deny\nAllow from 10\nDeny from 10.1\nRedirect /mixed/a /b",
            ],
            requests: "/private/a, /ten/a, /ten/a 10.0.0.1, /mixed/a, /mixed/a 10.1.0.1",
            isExact: false
        ),
        Case(
            "Skips and chains over rules that do nothing here",
            """
            RewriteEngine on
            RewriteCond %{HTTP_USER_AGENT} good
            RewriteRule ^ - [S=2]
            RewriteRule \\.txt$ - [T=text/plain]
            RewriteRule ^secret - [F]
            RewriteCond %{IS_SUBREQ} true
            RewriteRule ^ - [C]
            RewriteRule ^pub - [L]
            RewriteRule ^pub/x - [F]
            RewriteRule ^UP - [C,NC]
            RewriteRule /X$ - [F]
            """,
            requests: "/secret, /secret.txt, /pub/x, /up/X, /up/x, /UP/X, /no/X"
        ),
        Case(
            "A refusal whose conditions have no counterpart",
            "RewriteEngine on\nRewriteCond %{TIME_HOUR} >08\nRewriteRule ^staff - [F]\nRewriteRule ^x - [C]\nRewriteRule y - [G]",
            requests: "/staff, /a, /xy, /y",
            isExact: false
        ),
        Case(
            "Names that are invalid here",
            "Require ip 10",
            ["v1.0/": "Require ip 192.0.2\nRedirect /v1.0/a /b", "a b/": "Require ip 192.0.2\nErrorDocument 404 none"],
            requests: "/v1.0/a, /v1.0/a 192.0.2.1, /a%20b/x, /a%20b/x 192.0.2.1"
        ),
    ]

    @Test("A comparison of nothing is not a comparison, and rules that are not valid are an error")
    func problems() throws {
        let folder = try TestFolder([
            ".htaccess": "AddType a/b c\n", "site.conf": "ProxyPass /a http://x/\nProxyPass /a http://y/\n",
        ])
        let nothing = try folder.run(["import", "apache", ".htaccess", "--verify"])
        #expect(nothing.errors.contains("nothing was compared"))
        let invalid = try folder.run(["import", "apache", "site.conf"])
        #expect(invalid.status == 1)
        #expect(invalid.errors.contains("a second location"))
    }

    @Test("Requests that Apache refuses are refused", arguments: cases + optionCases)
    func access(_ row: Case) throws {
        var files = [String: String](uniqueKeysWithValues: row.files.map { ("\($0.key).htaccess", $0.value + "\n") })
        let lines = row.requests.map { request in
            let words = request.split(separator: " ")
            let address = words.count > 1 ? ", \"remote_addr\": \"\(words[1])\"" : ""
            return "{\"url\": \"http://localhost\(words[0])\"\(address)}\n"
        }
        files["log"] = lines.joined()
        let folder = try TestFolder(files)
        let names = row.files.keys.sorted { $0.count < $1.count }.map { "\($0).htaccess" }
        let outcome = try folder.run(["import", "apache"] + names + ["--verify", "--log", "log", "--format", "json"])
        let report = try JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any]
        let verification = try #require(report?["verification"] as? [String: Any], "\(outcome.errors)")
        #expect(verification["requests"] as? Int ?? 0 >= lines.count)
        let rows = verification["rules"] as? [[String: Any]] ?? []
        let differences = rows.flatMap { $0["differences"] as? [[String: String]] ?? [] }
        let rules = report?["rules"] ?? ""
        if row.isExact {
            #expect(differences == [], "\(rules)")
            #expect(outcome.status == 0, "\(outcome.errors)")
        } else {
            #expect(differences.allSatisfy { $0["here"] == "respond 403" }, "\(differences)\n\(rules)")
            #expect(outcome.status == 1)
            #expect(report?["imported"] as? Int != report?["read"] as? Int)
        }
    }
}
