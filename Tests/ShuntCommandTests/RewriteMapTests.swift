import Foundation
import TestFolder
import Testing

@Suite("RewriteMap of Apache")
struct RewriteMapTests {
    private static let map = """
        # comment
        /old/a /new/a
        /old/B /new/b
        /ext https://other.example/y
         /spaced /no
        /novalue
        /old/a /second
        /sp%20c /caf%C3%A9
        key1 rel
        9 /nine#part
        up /Up
        lowkey /low
        default /word

        """

    private static let rules = """
        RewriteEngine on
        RewriteCond ${redirects:%{REQUEST_URI}} !=""
        RewriteRule ^ ${redirects:%{REQUEST_URI}} [R=301,L]
        RewriteRule ^/k/(.*)$ ${redirects:$1|/default} [R=302,L]
        RewriteRule ^/n/(.*)$ ${redirects:$1} [R=302,L,QSD]
        RewriteRule ^/e/(.*)$ ${redirects:$1} [R=307,L,NE]
        RewriteCond ${redirects:${lower:$1}|NOT} !NOT
        RewriteRule ^/l/(.*)$ ${redirects:${lower:$1}} [R=301,L,QSA]
        RewriteCond %{REQUEST_URI} ^/c/(.+)$
        RewriteCond ${redirects:%1|NOT} !^NOT$
        RewriteRule . ${redirects:%1} [R=302,L]
        RewriteRule ^/h/(.*)$ https://${lower:%{HTTP_HOST}}/x$1 [R=301,L]
        RewriteMap redirects txt:/etc/apache2/redirects.txt
        RewriteMap lower int:tolower

        """

    private func said(_ outcome: Outcome) -> String { outcome.text + outcome.errors }

    @Test("Redirects by a text file answer as Apache does, whatever the key is made of", .enabled(if: hasApache))
    func againstApache() throws {
        let folder = try TestFolder(["redirects.txt": Self.map])
        let rules = Self.rules.replacing("/etc/apache2/", with: folder.path + "/")
        try folder.write("site.conf", "<VirtualHost *>\nServerName a.example\n\(rules)</VirtualHost>\n")
        let apache = try RunningApache(
            in: folder,
            modules: ["mpm_event", "authz_core", "alias", "rewrite"],
            configuration: "ServerName localhost\nInclude \(folder.path)/site.conf"
        )
        defer { apache.stop() }
        let words = ["/old/a", "/old/A", "/old/B", "/ext", "/spaced", "/novalue", "/sp%2520c", "/sp%20c", "/h/x"]
        let keys = ["9", "key1", "UP", "lowKEY", "none", "/ext", "default", "x%20y", ""]
        let paths = words + ["k", "n", "e", "l", "c"].flatMap { place in keys.map { "/\(place)/\($0)" } }
        let log = (paths + paths.map { $0 + "?q=1&r" }).map { "http://a.example\($0)\n" }.joined()
        try folder.write("urls.txt", log)
        let outcome = try folder.run([
            "import", "apache", "site.conf", "--output", "out.conf", "--against", "http://127.0.0.1:\(apache.port)",
            "--log",
            "urls.txt",
        ])
        #expect(outcome.status == 0, "\(said(outcome))")
        #expect(
            said(outcome).contains("9 of 9 rules imported") && !said(outcome).contains("differs"),
            "\(said(outcome))"
        )
    }

    @Test("A table stands once for a condition and its rule, with the lines that it is from")
    func tables() throws {
        let folder = try TestFolder([
            "redirects.txt": "/1 /new/1\n/2 /new/2\n",
            "site.conf": Self.rules.split(separator: "\n")[..<3].joined(separator: "\n")
                + "\nRewriteMap redirects txt:redirects.txt\n",
        ])
        let outcome = try folder.run(["import", "apache", "site.conf"])
        #expect(outcome.status == 0)
        #expect(
            said(outcome)
                .contains(
                    """
                    map $uri $redirects_target {
                        volatile;
                        default "";
                        /1 /new/1$is_args$args;  # redirects.txt:1
                        /2 /new/2$is_args$args;  # redirects.txt:2
                    }
                    """
                ),
            "\(said(outcome))"
        )
        #expect(said(outcome).contains("if ($redirects_target != \"\") { return 301 $redirects_target; }"))
        #expect(!said(outcome).contains("$redirects {"))
    }

    @Test(
        "A map that has no counterpart leaves its rule out, with the reason",
        arguments: [
            ("txt:missing.txt", "its file cannot be read"), ("txt:link.txt", "its file cannot be read"),
            ("rnd:m.txt", "chosen by chance"),
            ("dbm:m.db", "a map of the kind dbm"), ("int:escape", "the function escape"),
            ("prg:m.sh", "of the kind prg"),
            ("txt:dollar.txt", "a $ in it"),
        ]
    )
    func unsaid(source: String, reason: String) throws {
        let folder = try TestFolder([
            "m.txt": "a b|c\n", "dollar.txt": "a $1\n",
            "site.conf": "RewriteEngine on\nRewriteMap m \(source)\nRewriteRule ^/(.*)$ ${m:$1} [R]\n",
        ])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.txt",
            withDestinationPath: folder.path + "/m.txt"
        )
        let outcome = try folder.run(["import", "apache", "site.conf"])
        #expect(outcome.status == 1)
        #expect(
            said(outcome).contains("site.conf:3: not imported") || said(outcome).contains("# not imported: site.conf:3")
        )
        #expect(said(outcome).contains(reason), "\(said(outcome))")
    }
}
