import Testing

@testable import ShuntRules

@Suite struct LocationNameTests {
    static let rows: [(String, LocationModifier?, String, Int, Int)] = [
        // what follows `location`, modifier, text, argument, offset
        ("/a", .prefix, "/a", 0, 0), ("\"\"", .prefix, "", 0, 0), ("@a", .named, "@a", 0, 0),
        ("= /a", .exact, "/a", 1, 0),
        ("=/a", .exact, "/a", 0, 1), ("\"= /a\"", .exact, " /a", 0, 1), ("^~ /a", .prefixBeforeRegex, "/a", 1, 0),
        ("^~/a", .prefixBeforeRegex, "/a", 0, 2), ("~ ^/a", .regex, "^/a", 1, 0), ("~^/a", .regex, "^/a", 0, 1),
        ("~* a", .caselessRegex, "a", 1, 0), ("~*a", .caselessRegex, "a", 0, 2), ("= @a", .exact, "@a", 1, 0),
        ("^/a", .prefix, "^/a", 0, 0), ("!~ a", nil, "", 0, 0), ("@ a", nil, "", 0, 0), ("\"\" a", nil, "", 0, 0),
        ("=~ a", nil, "", 0, 0),
    ]

    @Test(arguments: rows)
    func readsModifiers(text: String, modifier: LocationModifier?, name: String, argument: Int, offset: Int) {
        let source = RuleFiles.load(text: "location \(text);")
        let location = LocationName(source.directives[0].arguments)
        #expect(location?.modifier == modifier)
        guard let location else { return }
        #expect(String(decoding: location.text, as: UTF8.self) == name)
        #expect(location.argument == argument && location.offset == offset)
    }
}
