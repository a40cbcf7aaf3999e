import ShuntCore
import Testing

@testable import ShuntRules

/// Messages about directives that are unknown, misplaced or incomplete.
@Suite struct StructureMessageTests {
    @Test func unknownDirective() {
        expectStructureMessages(
            #"""
            server {
                retrun 301 /x;
                locaton / { }
                wibble_wobble_wubble;
            }

            """#,
            #"""
            rules.conf:2:5: error: unknown directive "retrun" [unknown-directive]
               2 |     retrun 301 /x;
                 |     ^~~~~~ did you mean "return"?
            rules.conf:3:5: error: unknown directive "locaton" [unknown-directive]
               3 |     locaton / { }
                 |     ^~~~~~~ did you mean "location"?
            rules.conf:4:5: error: unknown directive "wibble_wobble_wubble" [unknown-directive]
               4 |     wibble_wobble_wubble;
                 |     ^~~~~~~~~~~~~~~~~~~~ if it is of a module that changes no decision, write ignore_directive \#
            wibble_wobble_wubble; at the top level

            """#
        )
    }

    @Test(
        "The advice on a directive that protects names what happens without it",
        arguments: ["auth_ldap", "auth_pam", "auth_jwt", "auth_digest", "modsecurity", "SecRulesEnabled", "testcookie"]
    )
    func protecting(name: String) {
        expectStructureMessages(
            "server { \(name) on; }\n",
            """
            rules.conf:1:10: error: unknown directive "\(name)" [unknown-directive]
               1 | server { \(name) on; }
                 |          \(String(repeating: "~", count: name.count).replacing(/^~/, with: "^")) without it every request is let in: use \
            auth_basic, auth_request, allow and deny, or write ignore_directive \(name); at the top level

            """
        )
    }

    @Test func homoglyph() {
        expectStructureMessages(
            "server { r\u{435}turn 302 https://evil.test; }\n",
            "rules.conf:1:10: error: unknown directive \"r\u{435}turn\" [unknown-directive]\n   1 | server { r\u{435}turn 302 https://evil.test; }\n     |          ^~~~~~ its character 2 is U+0435; did you mean \"return\"?\n"
        )
    }

    @Test func misplaced() {
        expectStructureMessages(
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
            rules.conf:1:1: error: "rewrite" is not allowed at the top level; it is allowed in "server", in "location", in an "if" of a server or in an "if" of a location [misplaced-directive]
               1 | rewrite ^/a /b;
                 | ^~~~~~~ outside servers rewrite_url changes whole URLs
            rules.conf:2:1: error: "return" is not allowed at the top level; it is allowed in "server", in "location", in an "if" of a server or in an "if" of a location [misplaced-directive]
               2 | return 404;
                 | ^~~~~~ outside servers use block, degrade or rewrite_url
            rules.conf:4:5: error: "alias" is not allowed in "server"; it is allowed in "location" [misplaced-directive]
               4 |     alias /x;
                 |     ^~~~~
            rules.conf:6:9: error: "if" is not allowed in an "if" of a server; it is allowed at the top level, in "server", in "location", in "match" or in an "if" on whole URLs [misplaced-directive]
               6 |         if ($b) { return 204; }
                 |         ^~ nginx has no "if" in an "if": set a variable in the first and test it in the second
            rules.conf:7:9: error: "location" is not allowed in an "if" of a server; it is allowed in "server" or in "location" [misplaced-directive]
               7 |         location /x { }
                 |         ^~~~~~~~
            rules.conf:8:9: error: "try_files" is not allowed in an "if" of a server; it is allowed in "server" or in "location" [misplaced-directive]
               8 |         try_files a b;
                 |         ^~~~~~~~~
            rules.conf:11:28: error: "return" is not allowed in "limit_except"; it is allowed in "server", in "location", in an "if" of a server or in an "if" of a location [misplaced-directive]
              11 |         limit_except GET { return 405; }
                 |                            ^~~~~~
            rules.conf:12:9: error: "server_name" is not allowed in "location"; it is allowed in "server" [misplaced-directive]
              12 |         server_name x;
                 |         ^~~~~~~~~~~
            rules.conf:13:9: error: "block" is not allowed in "location"; it is allowed at the top level, in "server", in "match" or in an "if" on whole URLs [misplaced-directive]
              13 |         block host a.test;
                 |         ^~~~~
            rules.conf:15:15: error: "add_header" is not allowed in an "if" of a server; it is allowed at the top level, in "http", in "server", in "location" or in an "if" of a location [misplaced-directive]
              15 |     if ($a) { add_header X y; }
                 |               ^~~~~~~~~~

            """#
        )
    }

    @Test func argumentCounts() {
        expectStructureMessages(
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
            rules.conf:2:5: error: "server_name" takes at least 1 argument, not 0 [argument-count]
               2 |     server_name;
                 |     ^~~~~~~~~~~ write: server_name NAME...;
            rules.conf:3:5: error: "set" takes 2 arguments, not 1 [argument-count]
               3 |     set $a;
                 |     ^~~ write: set $NAME VALUE;
            rules.conf:4:14: error: "set" takes 2 arguments, not 3 [argument-count]
               4 |     set $a b c;
                 |              ^ put quotes around a text with spaces in it, or look for a missing ";"
            rules.conf:5:11: error: "break" takes no arguments, not 1 [argument-count]
               5 |     break now;
                 |           ^~~ put quotes around a text with spaces in it, or look for a missing ";"
            rules.conf:6:25: error: "rewrite" takes 2 or 3 arguments, not 4 [argument-count]
               6 |     rewrite ^/a /b last now;
                 |                         ^~~ put quotes around a text with spaces in it, or look for a missing ";"
            rules.conf:7:5: error: "return" takes 1 or 2 arguments, not 0 [argument-count]
               7 |     return;
                 |     ^~~~~~ write: return CODE [TEXT]; or return CODE URL; or return URL;
            rules.conf:8:19: error: "merge_slashes" takes "on" or "off", not "maybe" [invalid-flag]
               8 |     merge_slashes maybe;
                 |                   ^~~~~
            rules.conf:9:22: error: "merge_slashes" takes 1 argument, "on" or "off", not 2 [argument-count]
               9 |     merge_slashes on off;
                 |                      ^~~ put quotes around a text with spaces in it, or look for a missing ";"
            rules.conf:10:5: error: "error_page" takes at least 2 arguments, not 1 [argument-count]
              10 |     error_page 404;
                 |     ^~~~~~~~~~ write: error_page CODE... [=[CODE]] URI;

            """#
        )
    }

    @Test func blocks() {
        expectStructureMessages(
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
            rules.conf:3:5: error: "location" needs a block [missing-block]
               3 |     location /x;
                 |     ^~~~~~~~ end it with "{" and "}", not with ";"
            rules.conf:4:5: error: "root" has no block [unexpected-block]
               4 |     root /y { }
                 |     ^~~~ end it with ";"
            rules.conf:5:5: error: "if" needs a block [missing-block]
               5 |     if ($a);
                 |     ^~ end it with "{" and "}", not with ";"
            rules.conf:7:1: error: "server" needs a block [missing-block]
               7 | server;
                 | ^~~~~~ end it with "{" and "}", not with ";"

            """#
        )
    }

    @Test func elseWithoutIf() {
        expectStructureMessages(
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
            rules.conf:3:1: error: "else" without an "if" before it [else-without-if]
               3 | else { break; }
                 | ^~~~ put it after the "}" of an "if"
            rules.conf:5:1: error: "else" without an "if" before it [else-without-if]
               5 | else { break; }
                 | ^~~~ put it after the "}" of an "if"
            rules.conf:6:18: error: after "else" comes "{" or "if (…) {", not "maybe" [unexpected-else]
               6 | if ($a) { } else maybe { }
                 |                  ^~~~~
            rules.conf:7:22: error: "else" is not allowed in "server"; it is allowed at the top level, in "match" or in an "if" on whole URLs [misplaced-directive]
               7 | server { if ($a) { } else { } }
                 |                      ^~~~ nginx has no "else": use a second "if", or a map

            """#
        )
    }

    @Test func duplicates() {
        expectStructureMessages(
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
            rules.conf:3:5: error: "root" is allowed only once in a block [duplicate-directive]
               3 |     root /b;
                 |     ^~~~ remove one of them
            rules.conf:2:5: note: the first is here
               2 |     root /a;
                 |     ^~~~
            rules.conf:4:27: error: "alias" is allowed only once in a block, and not together with "root" [duplicate-directive]
               4 |     location / { root /c; alias /d; }
                 |                           ^~~~~ remove one of them
            rules.conf:4:18: note: the first is here
               4 |     location / { root /c; alias /d; }
                 |                  ^~~~
            rules.conf:6:5: error: "absolute_redirect" is allowed only once in a block [duplicate-directive]
               6 |     absolute_redirect off;
                 |     ^~~~~~~~~~~~~~~~~ remove one of them
            rules.conf:5:5: note: the first is here
               5 |     absolute_redirect on;
                 |     ^~~~~~~~~~~~~~~~~

            """#
        )
    }
}
