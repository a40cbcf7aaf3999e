import Testing

@testable import ShuntCore

@Suite("Reading JSON")
struct JSONReaderTests {
    private func read(_ text: String) throws(JSONError) -> JSONValue {
        try JSONReader.read(Array(text.utf8))
    }

    @Test(
        "Values",
        arguments: [
            ("null", .null),
            (" true\t", .boolean(true)),
            ("false", .boolean(false)),
            ("-0.5e+10", .number(Array("-0.5e+10".utf8))),
            ("0", .number([0x30])),
            ("\"\"", .string([])),
            ("[]", .array([])),
            ("[ 1 , [ ] ]", .array([.number([0x31]), .array([])])),
            ("{ }", .object([])),
            (
                "{\"a\" : null , \"b\":\"c\"}",
                .object([.init(name: "a", value: .null), .init(name: "b", value: .string([0x63]))])
            ),
        ] as [(String, JSONValue)]
    )
    func values(text: String, value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "Strings are bytes with their escapes resolved, and are not normalised",
        arguments: [
            (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83d\ude00""#, "😀"),
            (#""e\u0301""#, "e\u{301}"),
            (#""\u0000""#, "\0"),
            ("\"路径\"", "路径"),
        ]
    )
    func strings(text: String, value: String) throws {
        #expect(try read(text) == .string(Array(value.utf8)))
    }

    @Test(
        "Text that is not JSON is refused, with the place",
        arguments: [
            ("", "expected a value at column 1"),
            ("nul", "expected a value at column 1"),
            ("1 2", "expected the end of the line at column 3"),
            ("01", "expected the end of the line at column 2"),
            ("1.", "expected a digit at column 3"),
            ("-", "expected a digit at column 2"),
            ("1e", "expected a digit at column 3"),
            ("\"a", "expected the closing quote at column 3"),
            ("\"a\\", "expected the closing quote at column 4"),
            ("\"\\x\"", "an unknown escape at column 2"),
            ("\"\\u12g4\"", "expected four hexadecimal digits at column 6"),
            ("\"\\udc00\"", "half of a surrogate pair at column 2"),
            ("\"\\ud800\\u0041\"", "half of a surrogate pair at column 2"),
            ("\"a\u{1}\"", "a control character in a string at column 3"),
            ("[1,]", "expected a value (remove the comma before it) at column 4"),
            ("{\"a\":]", "expected a value at column 6"),
            ("['a']", "expected a value (write double quotes) at column 2"),
            ("{// a", "expected a name in quotes (JSON has no comments) at column 2"),
            ("\u{feff}{}", "expected a value (save the file as UTF-8 without a byte order mark) at column 1"),
            ("[1", "expected \",\" or \"]\" at column 3"),
            ("{\"a\"}", "expected \":\" at column 5"),
            ("{\"a\":1,}", "expected a name in quotes (remove the comma before it) at column 8"),
            ("{\"a\":1", "expected \",\" or \"}\" at column 7"),
            ("{\"a\":1,\"\\u0061\":2}", "a repeated name at column 8"),
        ]
    )
    func errors(text: String, message: String) {
        #expect(throws: JSONError.self) { try read(text) }
        do throws(JSONError) {
            _ = try read(text)
        } catch {
            #expect(error.description == message)
        }
    }

    @Test("A repeated name is found among few and among many", arguments: [1, 15, 16, 17, 18, 40])
    func repeated(count: Int) throws {
        let members = (0..<count).map { "\"m\($0)\":0" }
        _ = try read("{" + members.joined(separator: ",") + "}")
        for name in 0..<count {
            #expect(throws: JSONError.self) {
                try read("{" + (members + ["\"m\(name)\":0"]).joined(separator: ",") + "}")
            }
        }
    }

    @Test("Nesting has a limit, however long the text is")
    func depth() throws {
        let limit = JSONReader.maximumDepth
        let atLimit = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(try read(atLimit) != .null)
        for count in [limit + 1, 1_000_000] {
            for text in ["[", "{\"a\":"] {
                #expect(throws: JSONError.self) { try read(String(repeating: text, count: count)) }
            }
        }
    }
}
