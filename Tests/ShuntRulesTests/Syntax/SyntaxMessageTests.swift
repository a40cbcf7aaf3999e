import ShuntCore
import Testing

@testable import ShuntRules

/// Messages about broken grammar of a rule file, whole: place, line, caret, suggestion.
@Suite struct SyntaxMessageTests {
    private func check(_ rules: String, _ expected: String) {
        var source = RuleFiles.load(text: rules)
        _ = StructureCheck.run(&source)
        #expect(DiagnosticRenderer().render(source.orderedDiagnostics) == expected)
    }

    @Test func unclosedQuote() {
        check(
            #"""
            server {
                server_name a.test;
                return 200 "v1;
            }
            server { retrun 200 x; }

            """#,
            #"""
            rules.conf:3:16: error: this double quote is not closed [unclosed-quote]
               3 |     return 200 "v1;
                 |                ^ put a double quote at the end of the text
            rules.conf:5:10: error: unknown directive "retrun" [unknown-directive]
               5 | server { retrun 200 x; }
                 |          ^~~~~~ did you mean "return"?

            """#
        )
    }

    @Test func quoteClosedFurtherDown() {
        check(
            #"""
            server {
                return 200 "v1;
                add_header X "a b";
                gzzip on;
            }

            """#,
            #"""
            rules.conf:2:16: error: this double quote is not closed [unclosed-quote]
               2 |     return 200 "v1;
                 |                ^ put a double quote at the end of the text
            rules.conf:3:18: note: the next double quote is here, and more text follows it
               3 |     add_header X "a b";
                 |                  ^
            rules.conf:4:5: error: unknown directive "gzzip" [unknown-directive]
               4 |     gzzip on;
                 |     ^~~~~ did you mean "gzip"?

            """#
        )
    }

    @Test func textAfterQuote() {
        check(
            #"""
            server {
                return 200 "say "hello" now";
            }

            """#,
            #"""
            rules.conf:2:22: error: unexpected "h" after the closing quote [unexpected-character]
               2 |     return 200 "say "hello" now";
                 |                      ^ put a space after the quote, or a backslash before a quote that belongs to the text
            rules.conf:2:29: error: "return" takes 1 or 2 arguments, not 3 [argument-count]
               2 |     return 200 "say "hello" now";
                 |                             ^~~~ put quotes around a text with spaces in it, or look for a missing ";"

            """#
        )
    }

    @Test func missingSemicolonBeforeBrace() {
        check(
            #"""
            server {
                location / {
                    return 301 /x
                }
            }

            """#,
            #"""
            rules.conf:3:22: error: "}" before the ";" that ends the directive "return" [missing-semicolon]
               3 |         return 301 /x
                 |                      ^ put ";" after "/x"

            """#
        )
    }

    @Test func missingSemicolonSwallowsNextLine() {
        check(
            #"""
            server {
                set $a 1
                set $b 2;
                root /var/www
                location / {
                    return 204;
                }
            }

            """#,
            #"""
            rules.conf:2:13: error: the directive "set" runs on into the next line [missing-semicolon]
               2 |     set $a 1
                 |             ^ put ";" after "1"
            rules.conf:3:5: note: "set" looks like a separate directive
               3 |     set $b 2;
                 |     ^~~
            rules.conf:4:18: error: the directive "root" runs on into the next line [missing-semicolon]
               4 |     root /var/www
                 |                  ^ put ";" after "/var/www"
            rules.conf:5:5: note: "location" looks like a separate directive
               5 |     location / {
                 |     ^~~~~~~~

            """#
        )
    }

    @Test func missingSpaceAfterIf() {
        check(
            "server { if($uri = /x) { return 403; } }\n",
            #"""
            rules.conf:1:10: error: unknown directive "if($uri" [unknown-directive]
               1 | server { if($uri = /x) { return 403; } }
                 |          ^~~~~~~ write a space after if

            """#
        )
    }

    @Test func missingSemicolonInOpenEndedList() {
        check(
            #"""
            server {
                server_name a.test b.test
                listen 80;
            }

            """#,
            #"""
            rules.conf:2:30: warning: the directive "server_name" runs on into the next line [missing-semicolon]
               2 |     server_name a.test b.test
                 |                              ^ put ";" after "b.test"
            rules.conf:3:5: note: "listen" looks like a separate directive
               3 |     listen 80;
                 |     ^~~~~~

            """#
        )
    }

    @Test func missingSemicolonAtTheEnd() {
        check(
            #"""
            server { return 204; }
            map_hash_max_size 2048

            """#,
            #"""
            rules.conf:2:23: error: the file ends before the ";" that ends the directive "map_hash_max_size" [missing-semicolon]
               2 | map_hash_max_size 2048
                 |                       ^ put ";" after "2048"
            rules.conf: note: "map_hash_max_size" has no effect on answers and upstreams [ignored-directives]

            """#
        )
    }

    @Test func tooManyClosingBraces() {
        check(
            #"""
            server {
                return 204;
            }
            }
            server { }

            """#,
            #"""
            rules.conf:4:1: error: unexpected "}" [unexpected-brace]
               4 | }
                 | ^ no block is open here: remove it, or look for a "}" too many above

            """#
        )
    }

    @Test func unclosedBlock() {
        check(
            #"""
            http {
                server {
                    location / {
                        return 204;
                }
            }

            """#,
            #"""
            rules.conf:1:6: error: the block of "http" is not closed before the file ends [unclosed-block]
               1 | http {
                 |      ^ put "}" after its last directive
            rules.conf:5:5: note: this "}" closes "location" of line 3, but is indented like another block
               5 |     }
                 |     ^

            """#
        )
    }

    @Test func unclosedBlockOnOneLine() {
        check(
            #"""
            server { location / { return 200 v1;

            """#,
            #"""
            rules.conf:1:21: error: the block of "location" is not closed before the file ends [unclosed-block]
               1 | server { location / { return 200 v1;
                 |                     ^ put "}" after its last directive
            rules.conf:1:8: note: this block is not closed either
               1 | server { location / { return 200 v1;
                 |        ^

            """#
        )
    }

    @Test func braceInExpression() {
        check(
            #"""
            server {
                rewrite ^/a{2}/(\d{1,3})$ /b/$1 last;
                location ~ ^/x{3} { return 204; }
                gzzip on;
            }

            """#,
            #"""
            rules.conf:2:16: error: a word with "{" in it must be in quotes [unquoted-brace]
               2 |     rewrite ^/a{2}/(\d{1,3})$ /b/$1 last;
                 |                ^ write "^/a{2}/(\d{1,3})$" with its quotes
            rules.conf:3:19: error: a word with "{" in it must be in quotes [unquoted-brace]
               3 |     location ~ ^/x{3} { return 204; }
                 |                   ^ write "^/x{3}" with its quotes
            rules.conf:4:5: error: unknown directive "gzzip" [unknown-directive]
               4 |     gzzip on;
                 |     ^~~~~ did you mean "gzip"?

            """#
        )
    }

    @Test func emptyStatements() {
        check(
            #"""
            server {
                return 204;;
                { deny all; }
            }

            """#,
            #"""
            rules.conf:2:16: error: unexpected ";" [unexpected-semicolon]
               2 |     return 204;;
                 |                ^ remove it
            rules.conf:3:5: error: unexpected "{" [unexpected-brace]
               3 |     { deny all; }
                 |     ^ a block belongs to the directive before it: put its name and arguments in front of "{"

            """#
        )
    }

    @Test func byteOrderMark() {
        check(
            "\u{feff}server { return 204; }\n",
            #"""
            rules.conf:1:1: error: the file begins with a byte order mark [byte-order-mark]
               1 | <U+FEFF>server { return 204; }
                 | ^~~~~~~~ save it as UTF-8 without one

            """#
        )
    }

    @Test func bareCarriageReturn() {
        check(
            "# harmless\u{d}server { return 302 https://evil.test; }\n",
            #"""
            rules.conf:1:11: error: a carriage return without a line feed [control-byte]
               1 | # harmless\x0dserver { return 302 https://evil.test; }
                 |           ^~~~ remove it

            """#
        )
    }

    @Test func controlByte() {
        check(
            "server { return 200 \"a\u{1b}[2Jb\"; }\n",
            #"""
            rules.conf:1:23: error: the control byte U+001B is not allowed in a rule file [control-byte]
               1 | server { return 200 "a\x1b[2Jb"; }
                 |                       ^~~~ remove it

            """#
        )
    }

    @Test func bidirectionalControl() {
        check(
            "# \u{202e} } ;\u{2066} allow\u{2069}\nserver { return 204; }\n",
            #"""
            rules.conf:1:3: warning: U+202E makes the line look different from its content [bidirectional-control]
               1 | # <U+202E> } ;<U+2066> allow<U+2069>
                 |   ^~~~~~~~ remove it
            rules.conf:1:10: warning: U+2066 makes the line look different from its content [bidirectional-control]
               1 | # <U+202E> } ;<U+2066> allow<U+2069>
                 |               ^~~~~~~~ remove it
            rules.conf:1:19: warning: U+2069 makes the line look different from its content [bidirectional-control]
               1 | # <U+202E> } ;<U+2066> allow<U+2069>
                 |                             ^~~~~~~~ remove it

            """#
        )
    }
}
