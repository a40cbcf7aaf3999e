import ShuntRules
import Testing

@testable import ShuntTools

@Suite("Rules made of a Caddyfile")
struct CaddyImportTests {
    private func imported(_ text: String) throws -> ImportedRules {
        try CaddyImport.rules(named: "Caddyfile", text: text) { $0 == "more.caddy" ? "respond /more 202\n" : nil }
    }

    private func check(_ imported: ImportedRules, _ requests: String) throws {
        try OtherImportTests().check(imported, requests)
    }

    @Test("A path is compared without the blanks and dots at its end")
    func ends() throws {
        let imported = try imported("http://a {\nrespond /secret 403\n@b path *.bak\nrespond @b 404\nrespond 200\n}\n")
        try check(
            imported,
            """
            GET /secret%20 a -> respond 403
            GET /secret. a -> respond 403
            GET /x.bak.%20 a -> respond 404
            GET /secret/x a -> respond 200
            """
        )
    }

    @Test("A word before the block of a matcher holds for the whole block")
    func wordBeforeBlock() throws {
        let imported = try imported(
            "http://a {\n@out not {\nremote_ip 10.0.0.0/8\n}\nrespond @out 403\n@in not {\npath /x\nmethod POST\n}\nrespond @in 404\nrespond 200\n}\n"
        )
        try check(
            imported,
            """
            GET /x a -> respond 403
            GET /y a -> respond 404
                @remote 10.0.0.1
            POST /x a -> respond 200
                @remote 10.0.0.1
            """
        )
    }

    @Test("Sites with snippets, matchers, groups and blocks, in the order in which Caddy runs them")
    func sites() throws {
        let imported = try imported(
            """
            {
                email me@example.com
            }
            (common) {
                header X-Site {args.0}
                encode gzip
            }
            example.com, www.example.com {
                import common "one two"
                import more.caddy
                reverse_proxy /ws/* localhost:9000
                # Moved pages
                redir /old /new
                redir /old/* https://old.example{uri} permanent
                @www host www.example.com
                redir @www https://example.com{uri} 308
                @post path_regexp post ^/post/(\\d+)$
                redir @post /p/{re.post.1}?{query}
                rewrite /x* /y?{query}
                rewrite /xa /z
                handle_path /api/* {
                    reverse_proxy 10.0.0.1:80 10.0.0.2:80
                }
                handle /gone* {
                    error 410
                }
                @robots {
                    header User-Agent *Bot*
                    not path /robots.txt
                }
                respond @robots `no robots` 403
                file_server
                root * /srv
            }
            http://other.example:8080 {
                abort /a
                respond "other"
            }
            """
        )
        #expect(imported.notes.map(\.kind) == [.remark])
        #expect((imported.count, imported.importedCount) == (19, 19))
        #expect(imported.text.contains("add_header X-Site \"one two\" always;"))
        #expect(imported.text.contains("# Moved pages"))
        try check(
            imported,
            """
            http://example.com/a?b -> redirect 308 https://example.com/a?b
            https://example.com/OLD -> redirect 302 https://example.com/new
            https://example.com/old/x?y -> redirect 301 https://old.example/old/x?y
            https://www.example.com/x?y -> redirect 308 https://example.com/x?y
            https://example.com/post/7?a=b -> redirect 302 https://example.com/p/7?a=b
            https://example.com/xa?q -> forward https://example.com/y?q
                @file /srv/y
            https://example.com/xb?q -> forward https://example.com/y?q
                @file /srv/y
            https://example.com/api/v1?q -> forward http://upstream_22/v1?q
            https://example.com/gone -> respond 410
            https://example.com/more -> respond 202
            https://example.com/ws/x -> forward http://localhost:9000/ws/x
            https://example.com/a -> respond 403 "no robots"
                > User-Agent: a Bot b
            https://example.com/robots.txt -> forward https://example.com/robots.txt
                > User-Agent: a Bot b
                @file /srv/robots.txt
            http://other.example:8080/a -> respond 444
            http://other.example:8080/b -> respond 200 "other"
            http://unknown.example:8080/b -> respond 200
            """
        )
    }

    @Test("A file of one site without braces, with a route and files")
    func one() throws {
        let imported = try imported(
            """
            :80

            root * /srv
            try_files {path} {path}/ /index.html
            route /r/* {
                respond /r/b "second" 200
                redir /r/* /c
            }
            file_server
            """
        )
        #expect(imported.notes.isEmpty)
        try check(
            imported,
            """
            http://a.example/r/b -> respond 200 "second"
            http://a.example/r/a -> redirect 302 http://a.example/c
            http://a.example/x -> forward http://a.example/index.html
                @file /srv/
                @file /srv/index.html
            http://a.example/y.css -> forward http://a.example/y.css
                @file /srv/
                @file /srv/y.css
            """
        )
    }

    @Test("Two blocks whose paths differ in case only")
    func cases() throws {
        let imported = try imported(
            """
            :80
            @re path_regexp ^/a
            handle @re {
                respond 201
            }
            handle /a* {
                respond 410
            }
            respond 202
            """
        )
        try check(
            imported,
            """
            http://a.example/a -> respond 201
            http://a.example/A -> respond 410
            http://a.example/b -> respond 202
            """
        )
    }

    @Test("Two rewrites with the same matcher both run, of others the first")
    func rewrites() throws {
        let imported = try imported(
            ":80\nrewrite /same /b\nrewrite /same /c\nrewrite /o* /d\nrewrite /* /e\nreverse_proxy app:1\n"
        )
        try check(
            imported,
            """
            http://a.example/same -> forward http://app:1/c
            http://a.example/other -> forward http://app:1/d
            http://a.example/x -> forward http://app:1/e
            """
        )
    }

    @Test(
        "Protection without a counterpart refuses",
        arguments: [
            "basicauth /s* {\n Bob JDJh\n}\nrespond ok", "forward_auth app:9091 {\n uri /verify\n}\nrespond ok",
            "@m expression {path}.startsWith('/s')\nrespond @m 403\nrespond ok",
            "@m remote_ip forwarded 10.0.0.0/8\nhandle @m {\n abort\n}\nrespond ok",
            "php_fastcgi app:9000\nfile_server", "rate_limit 10\nrespond ok", "import unknown\nrespond ok",
            "reverse_proxy unix//run/app.sock\nfile_server", "tls {\n client_auth {\n mode require\n }\n}\nrespond ok",
            "file_server {\n hide .git/x\n}", "@m path /a%2fb /s\nrespond @m 403\nrespond ok",
            "handle {\n basicauth {\n Bob JDJh\n }\n reverse_proxy localhost:1\n}",
        ]
    )
    func refusals(site: String) throws {
        let imported = try imported(":80 {\n\(site)\n}\n")
        #expect(imported.notes.contains { $0.kind == .leftOut })
        try check(imported, "http://a.example/s -> respond 403")
    }

    @Test(
        "Files that are broken",
        arguments: ["a {\n", "a {\n}\n}\n", ":80\nrespond \"a\n", "(a) {\nimport a\nimport a\n}\nb {\nimport a\n}\n"]
    )
    func broken(text: String) {
        #expect(throws: ImportError.self) { try imported(text) }
    }
}
