import Shunt
import ShuntRules
import Testing

@testable import ShuntTools

@Suite("Rules made of Apache's configuration")
struct ApacheImportTests {
    static func imported(_ text: String, folder: String? = "/") throws -> ImportedRules {
        try ApacheImport.rules(from: [ApacheImport.Source(name: ".htaccess", text: text, folder: folder)])
    }

    @Test("Directives without a counterpart are noted, and refused", arguments: closed + closedEnvironments)
    func refusals(_ row: Case) throws {
        let imported = try Self.imported(row.text, folder: row.folder)
        #expect(imported.notes.contains { $0.kind != .remark }, "\(imported.text)")
        try Self.check(imported, row)
    }

    @Test("Imported rules decide as before", arguments: cases + servers + environments)
    func decisions(_ row: Case) throws {
        let imported = try Self.imported(row.text, folder: row.folder)
        #expect(imported.notes.filter { $0.kind != .remark } == [], "\(imported.text)")
        try Self.check(imported, row)
    }

    @Test("Directives outside of virtual hosts apply in them, in every order of the files", arguments: [false, true])
    func shared(isReversed: Bool) throws {
        let main =
            "<FilesMatch \"^\\.ht\">\nRequire all denied\n</FilesMatch>\n<Directory />\nRequire all denied\n</Directory>\n"
        let host =
            "<VirtualHost *:80>\nDocumentRoot /srv\n<Directory /srv>\nRequire all granted\n</Directory>\n</VirtualHost>\n"
        let sources = [("main.conf", main), ("host.conf", host)]
            .map { ApacheImport.Source(name: $0.0, text: $0.1, folder: nil) }
        let imported = try ApacheImport.rules(from: isReversed ? sources.reversed() : sources)
        #expect(imported.text.matches(of: /server \{/).count == 1)
        #expect(imported.text.contains("# main.conf:1"))
        let row = Case(name: "", text: "", requests: "GET /.htx a -> respond 403\nGET /a a -> respond 404")
        try Self.check(imported, row)
        let parts = ["a", "b"].map { ApacheImport.Source(name: $0, text: "Redirect /\($0) /c", folder: nil) }
        #expect(throws: ImportError.self) { try ApacheImport.rules(from: parts) }
    }

    @Test(
        "A rule that ends otherwise than Apache's is noted",
        arguments: [
            ("RewriteRule \\.txt$ - [L]\nRedirect 410 /admin", nil, [3]),
            ("RewriteRule ^get$ /admin/a [END]\n<Files a>\nRequire all denied\n</Files>", "/", [2]),
            ("RewriteRule ^get$ /admin/a [END]\nRedirectMatch 403 ^/admin", "/", [2]),
            ("RewriteRule ^get$ /admin/a [END]", "/", []),
        ]
    )
    func ends(text: String, folder: String?, lines: [Int]) throws {
        let imported = try Self.imported("RewriteEngine on\n" + text, folder: folder)
        #expect(imported.notes.map(\.line) == lines)
    }

    @Test(
        "A rule that leads into a folder with other checks, past its redirects or by access, is noted",
        arguments: [
            ("RewriteEngine on\nRewriteRule ^get$ /docs/a [END]", "Require all denied", [2]),
            ("RewriteEngine on\nRewriteRule ^get$ /docs/a [L]", "Require all denied", []),
            ("RewriteEngine on\nRewriteRule ^get$ /docs/a [END]", "ErrorDocument 404 none", []),
            ("Require all granted", "Redirect 403 /docs", [1]),
            ("Require all granted", "Redirect 403 /docs/x", []),
            (
                "RewriteEngine on\nRewriteCond %{REQUEST_FILENAME} !-F\nRewriteRule ^x - [F]", "ErrorDocument 404 none",
                [3]
            ),
            ("RewriteEngine on\nRewriteCond %{HTTP:X-Test} -lt5\nRewriteRule ^x - [F]", "ErrorDocument 404 none", [3]),
            ("RewriteEngine on\nRewriteCond %{HTTP:X-Test} !-ge5\nRewriteRule ^x /y", "ErrorDocument 404 none", [3]),
        ]
    )
    func holes(text: String, inner: String, lines: [Int]) throws {
        let imported = try ApacheImport.rules(from: [
            ApacheImport.Source(name: "a", text: text, folder: "/"),
            ApacheImport.Source(name: "b", text: inner, folder: "/docs/"),
        ])
        #expect(imported.notes.map(\.line) == lines, "\(imported.notes)")
    }

    @Test(
        "Directives that decide nothing have no note",
        arguments: [
            ("FilterDeclare COMPRESS\nFilterProvider COMPRESS DEFLATE x\nCGIPassAuth On\nErrorDocument 100 /x", 0),
            ("AuthType Basic\nAuthName \"x\"\nAuthUserFile /x", 0), ("AuthType Basic\nRequire valid-user", 1),
            ("<IfVersion >= 2.4.4>\nRedirect /a /b\n</IfVersion>\n<IfVersion < 2.4.8>\nRedirect /c\n</IfVersion>", 0),
            ("<IfVersion >= 2.4.99>\nRedirect /a /b\n</IfVersion>", 1),
            ("<IfVersion = 2.4.52>\nRedirect /a /b\n</IfVersion>", 1),
        ]
    )
    func idle(text: String, count: Int) throws {
        let notes = try Self.imported(text).notes.filter { $0.kind != .remark }
        #expect(notes.count == count, "\(notes)")
    }

    @Test(
        "A section of paths is asked before rules that change a path, but for those with PT",
        arguments: [
            ("RewriteRule ^/SCRIPT/(.*)$ /x/$1 [L]", "Require all denied", true, []),
            ("RewriteRule ^/SCRIPT/(.*)$ /x/$1 [L,PT]", "Require all denied", false, []),
            ("RewriteRule ^/SCRIPT/(.*)$ /x/$1 [passthrough]", "Require all denied", false, []),
            ("RewriteRule ^/SCRIPT/(.*)$ /x/$1", "Order deny,allow\nDeny from 10\nAllow from 10.1.1.1", true, [3, 6]),
        ]
    )
    func checksBeforeRules(rule: String, access: String, isFirst: Bool, lines: [Int]) throws {
        let text = "RewriteEngine on\n\(rule)\n<Location /SCRIPT>\n\(access)\n</Location>"
        let imported = try Self.imported(text, folder: nil)
        #expect(imported.notes.map(\.line) == lines)
        let decision = Engine(try RuleSet(text: imported.text)).decide(RuleRequest(target: "/SCRIPT/a", host: "a.test"))
        #expect((decision.status == 403) == isFirst, "\(imported.text)")
    }

    /// Forms of public files.
    private static let forms: [(text: String, folder: String, requests: String, lines: [Int])] = [
        (
            "RewriteRule ^q$ ../admin/a.php [L]\nRewriteRule ^r$ x/./../y [L]", "/b/",
            "GET /b/q a -> forward http://a/admin/a.php\nGET /b/r a -> forward http://a/b/y", []
        ),
        ("RewriteRule ^(.*)x$ $1/../admin [L]", "/b/", "GET /b/q a -> forward http://a/b/q", [2]),
        ("RewriteRule ^q$ ../../a [L]", "/b/", "GET /b/q a -> forward http://a/b/q", [2]),
        (
            "RewriteCond %{REQUEST_URI} ^/(x)/\\1$ [OR]\nRewriteCond %{REQUEST_URI} ^/(y)/\\1$\nRewriteRule ^ - [F]",
            "/",
            "GET /y/y a -> respond 403\nGET /x/x a -> respond 403\nGET /x/y a -> forward http://a/x/y", []
        ),
        ("Header set X-A: b", "/", "GET / a -> forward http://a/", []),
        ("RedirectMatch ^/q(.*)$ /$request_uri$1", "/", "GET /q a -> forward http://a/q", [2]),
        (
            "Redirect 301 /old /new\nRewriteRule ^ - [E=X:1]\nRewriteCond %{HTTP_HOST} ^b$\n"
                + "RewriteRule ^ https://x.org%{REQUEST_URI} [R=301,L]", "/",
            "GET /old b -> redirect 301 https://x.org/old\nGET /old a -> redirect 301 http://a/new", []
        ),
    ]

    @Test("Forms of public files decide as they did, or are noted", arguments: forms)
    func publicForms(text: String, folder: String, requests: String, lines: [Int]) throws {
        let imported = try Self.imported("RewriteEngine on\n" + text, folder: folder)
        #expect(imported.notes.filter { $0.kind != .remark }.map(\.line) == lines, "\(imported.text)")
        try Self.check(imported, Case(name: "", text: "", requests: requests))
    }

    @Test("Many conditions make rules that load")
    func manyConditions() throws {
        let conditions = (1...300).map { "RewriteCond %{HTTP_REFERER} ^http(s)?://bot\($0) [NC,OR]\n" }.joined()
        let imported = try Self.imported(
            "RewriteEngine on\n\(conditions)RewriteCond %{HTTP_REFERER} last\nRewriteRule ^ - [F]"
        )
        try Self.check(imported, Case(name: "", text: "", requests: "GET / a -> forward http://a/"))
    }

    @Test("Words are written as they were, whatever is in them")
    func words() throws {
        let imported = try Self.imported(
            """
            ErrorDocument 404 "nope; return 200 \\"x\\" }"
            ErrorDocument 404 "two"
            Header set X-A 'a"; return 200 "pwn'
            Header set X-B "back\\\\"
            Header set X-C "one \\
            line"
            DirectoryIndex a;b.html
            <Files "a b;}{.txt">
                Require all denied
            </Files>
            """
        )
        let text = imported.text
        #expect(text.contains("return 404 \"nope; return 200 \\\"x\\\" }\""))
        #expect(text.contains("add_header X-A \"a\\\"; return 200 \\\"pwn\";"))
        #expect(text.contains("add_header X-B back\\\\;"))
        #expect(text.contains("add_header X-C \"one line\";"))
        #expect(text.contains("error_page 404 @error_404_2;"))
        #expect(throws: Never.self) { try RuleSet(text: text) }
    }

    private static func check(_ imported: ImportedRules, _ row: Case) throws {
        let ruleSet = try RuleSet(text: imported.text)
        let cases = try TestFile(Array(row.requests.utf8), named: "cases", host: nil).cases
        let report = RuleTests(ruleSet, cases).run()
        for outcome in report.outcomes where outcome.result != .passed {
            Issue.record("\(outcome.test.request): \(outcome.decision.map { "\($0)" } ?? "")\n\(imported.text)")
        }
    }

    @Test("Rules are written as a person writes them, with their comments and lines")
    func text() throws {
        let imported = try Self.imported(
            """
            # BEGIN WordPress
            <IfModule mod_rewrite.c>
            RewriteEngine On
            RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]
            RewriteBase /
            RewriteRule ^index\\.php$ - [L]
            RewriteCond %{REQUEST_FILENAME} !-f
            RewriteCond %{REQUEST_FILENAME} !-d
            RewriteRule . /index.php [L]
            </IfModule>
            # END WordPress

            # Not here
            RewriteCond %{LA-U:REMOTE_USER} !^$
            RewriteRule ^staff - [F]
            AddType text/x-thing thing
            """
        )
        #expect(
            imported.text == """
                # Imported from .htaccess by shunt import apache.

                server {
                    listen 80;
                    # Without a location that has fastcgi_pass, files of PHP are sent as text.
                    root /var/www/html;

                    location / {
                        # BEGIN WordPress
                        # .htaccess:4 does nothing here: requests are passed on with their Authorization
                        if ($uri ~ ^/index\\.php$) { break; }  # .htaccess:6
                        if (!-e $request_filename) { rewrite ^/. /index.php last; }  # .htaccess:7-9
                        # END WordPress

                        # Not here
                        # not imported: .htaccess:14 RewriteCond %{LA-U:REMOTE_USER} !^$: of the rule below
                        # not imported: .htaccess:15 RewriteRule ^staff - [F]: %{LA-U:REMOTE_USER} has no counterpart: refused without its conditions
                        if ($uri ~ ^/staff) { return 403; }  # .htaccess:15
                    }

                    # As in the configuration that Apache comes with.
                    location ~ /\\.ht { deny all; }

                    # Left out, as they decide nothing about a request: AddType.
                }

                """
        )
        #expect(imported.notes.filter { $0.kind != .remark }.map(\.line) == [15])
        #expect((imported.count, imported.importedCount) == (4, 3))
    }

    @Test("The files of Apache itself are refused where files are shown, once, and PHP has a remark")
    func ownFiles() throws {
        let rules = "RewriteEngine on\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^x index.php [L]\n"
        let own = "<Files .htaccess>\nRequire all denied\n</Files>\n"
        let html = "<FilesMatch \"\\.html$\">\nRequire all denied\n</FilesMatch>\n"
        for (text, count) in [(rules, 1), (rules + own, 0), (rules + html, 1), ("Redirect /a /b", 0)] {
            let imported = try Self.imported(text)
            #expect(imported.text.ranges(of: "location ~ /\\.ht {").count == count, "\(imported.text)")
            guard text.hasPrefix(rules) else { continue }
            #expect(imported.notes.map(\.kind) == [.remark] && imported.notes.map(\.line) == [3])
            try Self.check(imported, Case(name: "", text: "", requests: "GET /a/.htaccess a -> respond 403"))
        }
    }

    @Test(
        "Expressions on paths below a folder match where they did",
        arguments: [
            ("^old$", "^/old$"), ("^/?old$", "^/old$"), ("old$", "old$"), ("(.*)\\.html$", "^/(.*)\\.html$"),
            (".", "^/."),
            ("^(a|b)$", "^/(a|b)$"), ("^a|b$", "^/a|b$"), ("(?:x|/y)z", "(?!^)(?:x|/y)z"), ("[^/]+$", "[^/]+$"),
            ("x?y", "(?!^)x?y"), ("(^a|b)c", "(?!^)((?<=^/)a|b)c"),
        ]
    )
    func below(_ written: String, _ expected: String) {
        #expect(ImportedExpression.below("/", written) == expected)
    }

    @Test("A file that is not a configuration has an error with its line")
    func errors() {
        #expect(throws: ImportError.self) { try Self.imported("<IfModule a>\nRewriteEngine on\n") }
        #expect(throws: ImportError.self) { try Self.imported("</IfModule>\n") }
    }
}
