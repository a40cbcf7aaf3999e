import ShuntCore
import ShuntTools
import Testing

@Suite("The form of rule files")
struct FormTests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var given: String
        var expected: String
        var testDescription: String { name }
    }

    static func formatted(_ text: String, isTable: Bool = false, _ form: RuleFormat = RuleFormat()) throws -> String {
        let source = FormatSource(name: "a.conf", bytes: Array(text.utf8), isTable: isTable)
        return String(decoding: try form.formatted(source), as: UTF8.self)
    }

    static let cases = [
        Case(name: "an empty file", given: "", expected: ""),
        Case(name: "nothing but space", given: " \n\n\t\n", expected: ""),
        Case(
            name: "blocks and indentation",
            given: "server{\nlisten 80;\n  location /a\n{ return 404;\nbreak; }}",
            expected: """
                server {
                    listen 80;
                    location /a {
                        return 404;
                        break;
                    }
                }

                """
        ),
        Case(
            name: "a block of one directive stays on its line, one of two does not",
            given: "if ($a)  {return 404;}\nif ($b) { set $a 1; return 404; }\nlocation /x {}\nlocation /y {\n}\n",
            expected: """
                if ($a) { return 404; }
                if ($b) {
                    set $a 1;
                    return 404;
                }
                location /x { }
                location /y {
                }

                """
        ),
        Case(
            name: "the block of an expect stays on its line",
            given: "expect /x respond 403 {host a.test;  remote 192.0.2.1;}\n",
            expected: "expect /x respond 403 { host a.test; remote 192.0.2.1; }\n"
        ),
        Case(
            name: "blocks within one line",
            given: "server { location / { return 404; } }\nmap $a $b { a 1; }\n",
            expected: "server { location / { return 404; } }\nmap $a $b { a 1; }\n"
        ),
        Case(
            name: "branches",
            given: "if ($a) {\nblock host a;\n}\nelse if ($b) { block host b; }\n\nelse\n{\nblock host c;\n}\n",
            expected: """
                if ($a) {
                    block host a;
                } else if ($b) {
                    block host b;
                } else {
                    block host c;
                }

                """
        ),
        Case(
            name: "branches on one line",
            given: "if ($a) {return 1;} else {return 2;}\n",
            expected: "if ($a) { return 1; } else { return 2; }\n"
        ),
        Case(
            name: "a comment between branches",
            given: "if ($a) {\nreturn 1;\n} # yes\n# no\nelse {\nreturn 2;\n}\n",
            expected: "if ($a) {\n    return 1;\n} # yes\n# no\nelse {\n    return 2;\n}\n"
        ),
        Case(
            name: "columns two apart are aligned",
            given:
                "input  $a \"\";\ninput  $long  \"0\";\nmap $x $y {\n  default  1;\n  /a/long 2;\n  # why\n  b   3;\n}\n",
            expected: """
                input  $a     "";
                input  $long  "0";
                map $x $y {
                    default  1;
                    /a/long  2;
                    # why
                    b        3;
                }

                """
        ),
        Case(
            name: "single spaces are left",
            given: "map $x $y {\n    default 1;\n    /a/long 2;\n}\ninput $a 1;\ninput $bb 2;\n",
            expected: "map $x $y {\n    default 1;\n    /a/long 2;\n}\ninput $a 1;\ninput $bb 2;\n"
        ),
        Case(
            name: "an operator stays with its operand, rows of other lengths keep their own columns",
            given: "degrade  =  kl://a   https://x;\ndegrade  ^~ kl://bb/  https://y;\ndegrade  host A B  https://z;\n",
            expected: """
                degrade  = kl://a     https://x;
                degrade  ^~ kl://bb/  https://y;
                degrade  host A B     https://z;

                """
        ),
        Case(
            name: "an empty line and another directive end a table",
            given: "input  $a  1;\n\ninput  $long  2;\nbreak;\ninput  $b  3;\n",
            expected: "input  $a  1;\n\ninput  $long  2;\nbreak;\ninput  $b  3;\n"
        ),
        Case(
            name: "tabs are space",
            given: "\tinput\t\t$a\t1;\n\tinput\t$bbbbbbbbb\t2;\n",
            expected: "input  $a          1;\ninput  $bbbbbbbbb  2;\n"
        ),
        Case(
            name: "comments",
            given: """


                # first


                server { # main
                # of the server
                listen 80;   # plain
                server_name a; # name
                  # last

                }
                # end
                """,
            expected: """
                # first

                server { # main
                    # of the server
                    listen 80;  # plain
                    server_name a; # name
                    # last
                }
                # end

                """
        ),
        Case(
            name: "comments below each other stay so",
            given: "listen 80;         # a\nserver_name a.test; # b\nset $a 1;          # c\nset $bb 1;         # d\n",
            expected: "listen 80;  # a\nserver_name a.test; # b\nset $a 1;   # c\nset $bb 1;  # d\n"
        ),
        Case(
            name: "a comment behind a closing brace",
            given: "if ($a) { return 404; }# x\nserver {\nlisten 1; listen 2;\n}# y\n",
            expected: "if ($a) { return 404; } # x\nserver {\n    listen 1;\n    listen 2;\n} # y\n"
        ),
        Case(
            name: "words that other formatters break",
            given: """
                sub_filter '{TEST}' "rewrite";
                return 200 ' { "code":200 }';
                if ($http_user_agent ~ (Edg|Sogou\\ web)) { return 403; }
                add_header A 'b\\'\\'c';
                if ($a = "b"){ return 403; }
                set $x ${y}z;
                """,
            expected: """
                sub_filter '{TEST}' "rewrite";
                return 200 ' { "code":200 }';
                if ($http_user_agent ~ (Edg|Sogou\\ web)) { return 403; }
                add_header A 'b\\'\\'c';
                if ($a = "b") { return 403; }
                set $x ${y}z;

                """
        ),
        Case(
            name: "words that go on in the next line",
            given:
                "http {\nlog_format main '{ \"a\": $a, '\n  '\"b\": $b'   # more\n '}';\nserver_name\n a.test\nb.test\n;\n}\n",
            expected: """
                http {
                    log_format main '{ "a": $a, '
                        '"b": $b' # more
                        '}';
                    server_name
                        a.test
                        b.test;
                }

                """
        ),
        Case(
            name: "text over several lines",
            given: "return  200 'a\n   b  # no comment\n c' ; # d\nlocation /x{return 200 'e\nf';}\n",
            expected: "return 200 'a\n   b  # no comment\n c'; # d\nlocation /x {\n    return 200 'e\nf';\n}\n"
        ),
        Case(
            name: "code of another language is not touched",
            given: "location /x {\ncontent_by_lua_block  {\n  if a then -- }\n\n\n  end }\n}\n",
            expected: "location /x {\n    content_by_lua_block {\n  if a then -- }\n\n\n  end }\n}\n"
        ),
        Case(
            name: "other line ends",
            given: "listen 80;\r\n\r\n# a  \r\nlisten 81;",
            expected: "listen 80;\n\n# a\nlisten 81;\n"
        ),
        Case(
            name: "notes",
            given: "#:   name=a\nbreak;  #: allow x \"b\"\n",
            expected: "#:   name=a\nbreak;  #: allow x \"b\"\n"
        ),
    ]

    @Test("Files come into the form, and stay in it", arguments: cases)
    func form(_ example: Case) throws {
        let result = try Self.formatted(example.given)
        #expect(result == example.expected)
        #expect(try Self.formatted(result) == result)
    }

    @Test("A block that does not fit is opened")
    func width() throws {
        let text = "if ($a) { return 301 https://example.com/\(String(repeating: "x", count: 40)); }\n"
        #expect(try Self.formatted(text) == text)
        let opened = try Self.formatted(text, RuleFormat(width: 60))
        #expect(opened.hasPrefix("if ($a) {\n    return 301 "))
    }

    @Test("Indentation by another number of spaces, and by tabs")
    func indentation() throws {
        let text = "server {\n listen 80;\n}\n"
        #expect(try Self.formatted(text, RuleFormat(indentation: .spaces(2))) == "server {\n  listen 80;\n}\n")
        #expect(try Self.formatted(text, RuleFormat(indentation: .tab)) == "server {\n\tlisten 80;\n}\n")
    }

    @Test("A file that a map includes is a table")
    func includedTable() throws {
        #expect(try Self.formatted("/a  1;\n/longer  2;\n", isTable: true) == "/a       1;\n/longer  2;\n")
        #expect(try Self.formatted("/a  1;\n/longer  2;\n") == "/a  1;\n/longer  2;\n")
    }

    @Test(
        "A file with errors in its words or blocks is left alone, with the place",
        arguments: [
            ("server {\n    listen 80;\n", 1), ("listen 80;\n}\n", 2), ("listen 80\n", 1), ("return 200 'a;\n", 1),
            ("a;\n;\n", 2), ("{ }\n", 1),
        ]
    )
    func errors(text: String, line: Int) throws {
        let error = try #require(throws: RuleFormatError.self) { try Self.formatted(text) }
        #expect(error.diagnostics.first { $0.severity == .error }?.location.line == line)
    }
}
