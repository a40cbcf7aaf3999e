import ShuntCore
import Testing

@testable import ShuntRules

/// What people see when directives are unknown, misplaced or incomplete.
@Suite struct StructureMessageTests {
    private func check(_ rules: String, _ expected: String) {
        var source = RuleFiles.load(text: rules)
        _ = StructureCheck.run(&source)
        #expect(DiagnosticRenderer().render(source.orderedDiagnostics) == expected)
    }

    @Test func unknownDirective() {
        check(
            #"""
            server {
                retrun 301 /x;
                locaton / { }
                wibble_wobble_wubble;
            }

            """#,
            #"""
            rules.conf:2:5: error: unknown directive "retrun"
               2 |     retrun 301 /x;
                 |     ^~~~~~ did you mean "return"?
            rules.conf:3:5: error: unknown directive "locaton"
               3 |     locaton / { }
                 |     ^~~~~~~ did you mean "location"?
            rules.conf:4:5: error: unknown directive "wibble_wobble_wubble"
               4 |     wibble_wobble_wubble;
                 |     ^~~~~~~~~~~~~~~~~~~~

            """#
        )
    }

    @Test func homoglyph() {
        check(
            "server { r\u{435}turn 302 https://evil.test; }\n",
            "rules.conf:1:10: error: unknown directive \"r\u{435}turn\"\n   1 | server { r\u{435}turn 302 https://evil.test; }\n     |          ^~~~~~ its character 2 is U+0435; did you mean \"return\"?\n"
        )
    }

    @Test func misplaced() {
        check(
            #"""
            rewrite ^/a /b;
            return 404;
            server {
                alias /x;
                if ($a) {
                    if ($b) { return 204; }
                    location /x { }
                    try_files a b;
                }
                location / {
                    limit_except GET { return 405; }
                    server_name x;
                    block host a.test;
                }
                if ($a) { add_header X y; }
            }

            """#,
            #"""
            rules.conf:1:1: error: "rewrite" is not allowed at the top level; it is allowed in "server", in "location", in an "if" of a server or in an "if" of a location
               1 | rewrite ^/a /b;
                 | ^~~~~~~ outside servers rewrite_url changes whole URLs
            rules.conf:2:1: error: "return" is not allowed at the top level; it is allowed in "server", in "location", in an "if" of a server or in an "if" of a location
               2 | return 404;
                 | ^~~~~~ outside servers use block, degrade or rewrite_url
            rules.conf:4:5: error: "alias" is not allowed in "server"; it is allowed in "location"
               4 |     alias /x;
                 |     ^~~~~
            rules.conf:6:9: error: "if" is not allowed in an "if" of a server; it is allowed at the top level, in "server", in "location", in "match" or in an "if" on whole URLs
               6 |         if ($b) { return 204; }
                 |         ^~ nginx has no "if" in an "if": set a variable in the first and test it in the second
            rules.conf:7:9: error: "location" is not allowed in an "if" of a server; it is allowed in "server" or in "location"
               7 |         location /x { }
                 |         ^~~~~~~~
            rules.conf:8:9: error: "try_files" is not allowed in an "if" of a server; it is allowed in "server" or in "location"
               8 |         try_files a b;
                 |         ^~~~~~~~~
            rules.conf:11:28: error: "return" is not allowed in "limit_except"; it is allowed in "server", in "location", in an "if" of a server or in an "if" of a location
              11 |         limit_except GET { return 405; }
                 |                            ^~~~~~
            rules.conf:12:9: error: "server_name" is not allowed in "location"; it is allowed in "server"
              12 |         server_name x;
                 |         ^~~~~~~~~~~
            rules.conf:13:9: error: "block" is not allowed in "location"; it is allowed at the top level, in "match" or in an "if" on whole URLs
              13 |         block host a.test;
                 |         ^~~~~
            rules.conf:15:15: error: "add_header" is not allowed in an "if" of a server; it is allowed in "http", in "server", in "location" or in an "if" of a location
              15 |     if ($a) { add_header X y; }
                 |               ^~~~~~~~~~

            """#
        )
    }

    @Test func argumentCounts() {
        check(
            #"""
            server {
                server_name;
                set $a;
                set $a b c;
                break now;
                rewrite ^/a /b last now;
                return;
                merge_slashes maybe;
                merge_slashes on off;
                error_page 404;
            }

            """#,
            #"""
            rules.conf:2:5: error: "server_name" takes at least 1 argument, not 0
               2 |     server_name;
                 |     ^~~~~~~~~~~ write: server_name NAME...;
            rules.conf:3:5: error: "set" takes 2 arguments, not 1
               3 |     set $a;
                 |     ^~~ write: set $NAME VALUE;
            rules.conf:4:14: error: "set" takes 2 arguments, not 3
               4 |     set $a b c;
                 |              ^ put quotes around a text with spaces in it, or look for a missing ";"
            rules.conf:5:11: error: "break" takes no arguments, not 1
               5 |     break now;
                 |           ^~~ put quotes around a text with spaces in it, or look for a missing ";"
            rules.conf:6:25: error: "rewrite" takes 2 or 3 arguments, not 4
               6 |     rewrite ^/a /b last now;
                 |                         ^~~ put quotes around a text with spaces in it, or look for a missing ";"
            rules.conf:7:5: error: "return" takes 1 or 2 arguments, not 0
               7 |     return;
                 |     ^~~~~~ write: return CODE [TEXT]; or return CODE URL; or return URL;
            rules.conf:8:19: error: "merge_slashes" takes "on" or "off", not "maybe"
               8 |     merge_slashes maybe;
                 |                   ^~~~~
            rules.conf:9:22: error: "merge_slashes" takes 1 argument, "on" or "off", not 2
               9 |     merge_slashes on off;
                 |                      ^~~ put quotes around a text with spaces in it, or look for a missing ";"
            rules.conf:10:5: error: "error_page" takes at least 2 arguments, not 1
              10 |     error_page 404;
                 |     ^~~~~~~~~~ write: error_page CODE... [=[CODE]] URI;

            """#
        )
    }

    @Test func blocks() {
        check(
            #"""
            server
            {
                location /x;
                root /y { }
                if ($a);
            }
            server;

            """#,
            #"""
            rules.conf:3:5: error: "location" needs a block
               3 |     location /x;
                 |     ^~~~~~~~ end it with "{" and "}", not with ";"
            rules.conf:4:5: error: "root" has no block
               4 |     root /y { }
                 |     ^~~~ end it with ";"
            rules.conf:5:5: error: "if" needs a block
               5 |     if ($a);
                 |     ^~ end it with "{" and "}", not with ";"
            rules.conf:7:1: error: "server" needs a block
               7 | server;
                 | ^~~~~~ end it with "{" and "}", not with ";"

            """#
        )
    }

    @Test func elseWithoutIf() {
        check(
            #"""
            if ($a) { break; }
            set $x 1;
            else { break; }
            if ($a) { break; } else if ($b) { break; } else { set $y 1; }
            else { break; }
            if ($a) { } else maybe { }
            server { if ($a) { } else { } }

            """#,
            #"""
            rules.conf:3:1: error: "else" without an "if" before it
               3 | else { break; }
                 | ^~~~ put it after the "}" of an "if"
            rules.conf:5:1: error: "else" without an "if" before it
               5 | else { break; }
                 | ^~~~ put it after the "}" of an "if"
            rules.conf:6:18: error: after "else" comes "{" or "if (…) {", not "maybe"
               6 | if ($a) { } else maybe { }
                 |                  ^~~~~
            rules.conf:7:22: error: "else" is not allowed in "server"; it is allowed at the top level, in "match" or in an "if" on whole URLs
               7 | server { if ($a) { } else { } }
                 |                      ^~~~ nginx has no "else": use a second "if", or a map

            """#
        )
    }

    @Test func duplicates() {
        check(
            #"""
            server {
                root /a;
                root /b;
                location / { root /c; alias /d; }
                absolute_redirect on;
                absolute_redirect off;
            }

            """#,
            #"""
            rules.conf:3:5: error: "root" may stand only once in a block
               3 |     root /b;
                 |     ^~~~ take one of them out
            rules.conf:2:5: note: the first is here
               2 |     root /a;
                 |     ^~~~
            rules.conf:4:27: error: "alias" may stand only once in a block, and not beside "root"
               4 |     location / { root /c; alias /d; }
                 |                           ^~~~~ take one of them out
            rules.conf:4:18: note: the first is here
               4 |     location / { root /c; alias /d; }
                 |                  ^~~~
            rules.conf:6:5: error: "absolute_redirect" may stand only once in a block
               6 |     absolute_redirect off;
                 |     ^~~~~~~~~~~~~~~~~ take one of them out
            rules.conf:5:5: note: the first is here
               5 |     absolute_redirect on;
                 |     ^~~~~~~~~~~~~~~~~

            """#
        )
    }

    @Test func locations() {
        check(
            #"""
            server {
                location /a { }
                location ^~ /a { }
                location = /a { location /a/b { } }
                location =/a { }
                location @n { location /x { } }
                location @n { }
                location /b { location /c { } location @m { } location ~ x { location /y { } } }
                location !~ /x { }
                location ~ y { } location ~* y { } location ~y { }
            }

            """#,
            #"""
            rules.conf:3:17: error: a second location "^~ /a"
               3 |     location ^~ /a { }
                 |                 ^~ take one of them out
            rules.conf:2:14: note: the first is here
               2 |     location /a { }
                 |              ^~
            rules.conf:4:30: error: location "/a/b" cannot stand in the exact location "= /a"
               4 |     location = /a { location /a/b { } }
                 |                              ^~~~ move it out of that location
            rules.conf:5:14: error: a second location "= /a"
               5 |     location =/a { }
                 |              ^~~ take one of them out
            rules.conf:4:16: note: the first is here
               4 |     location = /a { location /a/b { } }
                 |                ^~
            rules.conf:6:28: error: location "/x" cannot stand in the named location "@n"
               6 |     location @n { location /x { } }
                 |                            ^~ move it out of that location
            rules.conf:7:14: warning: a second location "@n", which is never reached
               7 |     location @n { }
                 |              ^~ take one of them out
            rules.conf:6:14: note: the first is here
               6 |     location @n { location /x { } }
                 |              ^~
            rules.conf:8:28: error: location "/c" is outside location "/b"
               8 |     location /b { location /c { } location @m { } location ~ x { location /y { } } }
                 |                            ^~ begin it with "/b"
            rules.conf:8:44: error: the named location "@m" can stand in a server only
               8 |     location /b { location /c { } location @m { } location ~ x { location /y { } } }
                 |                                            ^~ move it out
            rules.conf:8:75: error: location "/y" is outside location "~ x"
               8 |     location /b { location /c { } location @m { } location ~ x { location /y { } } }
                 |                                                                           ^~ only regular expressions can stand in one
            rules.conf:9:14: error: "!~" is no location modifier
               9 |     location !~ /x { }
                 |              ^~ use "=", "^~", "~", "~*" or none; put quotes around a path with spaces in it
            rules.conf:10:49: warning: a second location "~ y", which is never reached
              10 |     location ~ y { } location ~* y { } location ~y { }
                 |                                                 ^~ take one of them out
            rules.conf:10:16: note: the first is here
              10 |     location ~ y { } location ~* y { } location ~y { }
                 |                ^

            """#
        )
    }

    @Test func ignored() {
        check(
            #"""
            user www-data;
            worker_processes auto;
            events { worker_connections 768; }
            http {
                gzip on;
                sendfile on;
                auth_basic "closed";
                server { gzip off; location / { gzip on; client_max_body_size 1m; } }
                perl_set $x 1;
                geoip_country /x;
            }
            stream { server { whatever; } }

            """#,
            #"""
            rules.conf:1:1: warning: "user" (line 1), "worker_processes" (line 2), "events" (line 3), "gzip" (line 5, 3 times), \#
            "sendfile" (line 6), "stream" (line 12) are ignored: they do not change where a request goes
               1 | user www-data;
                 | ^~~~
            rules.conf:7:5: warning: "auth_basic" is ignored: Shunt checks no passwords
               7 |     auth_basic "closed";
                 |     ^~~~~~~~~~
            rules.conf:8:46: warning: "client_max_body_size" is ignored: Shunt reads no request bodies, so it refuses nothing here
               8 |     server { gzip off; location / { gzip on; client_max_body_size 1m; } }
                 |                                              ^~~~~~~~~~~~~~~~~~~~
            rules.conf:9:5: error: "perl_set" cannot be used in Shunt
               9 |     perl_set $x 1;
                 |     ^~~~~~~~ code in rule files is not run; use a map, or an input that the caller supplies
            rules.conf:10:5: error: "geoip_country" cannot be used in Shunt
              10 |     geoip_country /x;
                 |     ^~~~~~~~~~~~~ use geo with a list of networks, or an input that the caller supplies

            """#
        )
    }

    @Test func lua() {
        check(
            #"""
            server { location / { content_by_lua_block { ngx.say(1) } } }

            """#,
            #"""
            rules.conf:1:23: error: unknown directive "content_by_lua_block"
               1 | server { location / { content_by_lua_block { ngx.say(1) } } }
                 |                       ^~~~~~~~~~~~~~~~~~~~ code in rule files is not run; use a map, or an input that the caller supplies
            rules.conf:1:56: error: "}" before the ";" that ends the directive "ngx.say(1)"
               1 | server { location / { content_by_lua_block { ngx.say(1) } } }
                 |                                                        ^ put ";" after "ngx.say(1)"

            """#
        )
    }
}
