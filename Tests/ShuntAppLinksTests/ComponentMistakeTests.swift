import ShuntAppLinks
import Testing

/// Mistakes in the components of Apple's file.
@Suite struct ComponentMistakeTests {
    @Test(
        "Mistakes in components are reported with their place and what to do",
        arguments: [
            ("{\"/\": \"^/help/.*$\"}", "1:7: warning: a pattern is not a regular expression = write \"/help/*\""),
            (
                "{\"/\": \"/d/:id/x\"}",
                "1:7: warning: a pattern has no parameters, and \":id\" is a text = write \"/d/?*/x\""
            ),
            (
                "{\"/\": \"/e/{id}\"}",
                "1:7: warning: a pattern has no parameters, and \"{id}\" is a text = write \"/e/?*\""
            ),
            (
                "{\"/\": \"/x?id=*\"}",
                "1:7: warning: in a path \"?\" is any one character, not the start of a query = write \"/\": \"/x\", \"?\": {\"id\": \"*\"}"
            ),
            (
                "{\"/\": \"?id=*\"}",
                "1:7: warning: in a path \"?\" is any one character, not the start of a query = write \"?\": {\"id\": \"*\"}"
            ),
            (
                "{\"/\": \"/x?a=1&b=*\"}",
                "1:7: warning: in a path \"?\" is any one character, not the start of a query = write \"/\": \"/x\", \"?\": {\"a\": \"1\", \"b\": \"*\"}"
            ),
            ("{\"/\": \"/c/[0-9]+\"}", "1:7: warning: a pattern is not a regular expression = write \"/c/?*\""),
            (
                "{\"/\": \"^/c/([a-z]{2})/[^/]*$\"}",
                "1:7: warning: a pattern is not a regular expression = write \"/c/??/*\""
            ),
            (
                "{\"/\": \"/$(lang)/[0-9]+\"}",
                "1:7: warning: a pattern is not a regular expression = write \"/$(lang)/?*\""
            ),
            (
                "{\"/\": \"/c/[0-9]+/?$\"}",
                "1:7: warning: a pattern is not a regular expression = write \"*\" for any text"
            ),
            ("{\"/\": \"/c/(a|b)\"}", "1:7: warning: \"|\" is a text, not an alternative = write a component for each"),
            (
                "{\"/\": \"/c/$id\"}",
                "1:7: warning: a pattern has no parameters, and \"$id\" is a text = write \"/c/?*\""
            ),
            ("{\"/\": \"/c/${id}\"}", "1:7: warning: a pattern has no parameters, and \"${id}\" is a text"),
            (
                "{\"/\": \"e.example/x\"}",
                "1:7: warning: a path has no host, and \"e.example\" is its first component = write \"/x\""
            ),
            ("{\"/\": \"//e.example/x\"}", "1:7: warning: a path has no host"),
            (
                "{\"/\": \"/c%zz\"}",
                "1:7: warning: two hexadecimal digits follow \"%\" in a URL = write \"%25\" for a percent sign"
            ),
            ("{\"/\": \"/c%2\"}", "1:7: warning: two hexadecimal digits follow \"%\" in a URL"),
            ("{\"/\": \"/c\\n\"}", "1:7: warning: URLs are compared encoded, and \"\n\" is \"%0A\" there"),
            (
                "{\"/\": \"/h \"}",
                "1:7: warning: URLs are compared encoded, and \" \" is \"%20\" there = leave the blank out"
            ),
            (
                "{\"/\": \"not /x\"}",
                "1:7: warning: \"NOT\" excludes in \"paths\" alone = write \"/\": \"/x\", \"exclude\": true"
            ),
            ("{\"/\": \"/a#b\"}", "1:7: warning: a path has no \"#\" = write what follows it as \"#\""),
            ("{\"/\": \"https://a.test/b\"}", "1:7: warning: a path has no scheme and no host"),
            ("{\"/\": \"\"}", "1:7: warning: no path is empty"),
            ("{\"/\": \"/caf\u{e9}\"}", "1:7: warning: URLs are compared encoded, and \"\u{e9}\" is \"%C3%A9\" there"),
            ("{\"#\": \"#top\"}", "1:7: warning: \"#\" at the start is not part of it = write \"top\""),
            ("{\"/\": \"/$(langg)\"}", "1:7: error: there is no variable \"langg\" = did you mean \"lang\"?"),
            ("{\"/\": \"/$(lang\"}", "1:7: error: \"$(lang\" has no closing parenthesis"),
            ("{\"/\": 7}", "1:7: error: \"/\" is a string, not a number"),
            // A part that cannot be read is not a part that takes everything.
            ("{\"/\": 7}, {\"/\": \"/b\"}", "1:7: error: \"/\" is a string, not a number"),
            (
                "{\"/\": \"/$(langg)\"}, {\"/\": \"/b\"}",
                "1:7: error: there is no variable \"langg\" = did you mean \"lang\"?"
            ),
            ("{\"?\": []}", "1:7: error: \"?\" is a string or an object, not an array"),
            ("{\"?\": {\"a\": 1}}", "1:13: error: an item of \"?\" is a string, not a number"),
            (
                "{\"exclude\": \"true\"}",
                "1:13: error: \"exclude\" is true or false, not a string = leave the quotes out"
            ),
            ("{\"excludes\": true}", "1:2: error: a component has no member \"excludes\" = did you mean \"exclude\"?"),
            (
                "{\"/\": \"*\"}, {\"/\": \"/b\"}",
                "1:13: warning: no URL gets here, since {\"/\":\"*\"} takes every URL"
            ),
            ("{\"/\": \"/b\", \"exclude\": true}", "1:1: warning: \"components\" takes no URL, so the app opens none"),
            ("", "1:1: warning: \"components\" takes no URL, so the app opens none"),
            ("7", "1:1: error: a component is an object, not a number"),
        ]
    )
    func reportsComponents(text: String, expected: String) {
        let before = "{\"applinks\":{\"details\":[{\"appIDs\":[\"ABCDE12345.a\"],\"components\":["
        let problems = AppSiteAssociationTests.problems("\(before)\(text)]}]}}")
        // The columns of the table count from the component.
        let shift = expected.contains("\"components\"") ? before.utf8.count - 1 : before.utf8.count
        let parts = expected.split(separator: ":", maxSplits: 2)
        let moved = "1:\((Int(parts[1]) ?? 0) + shift):\(parts[2])"
        #expect(problems.count == 1 && problems[0].hasPrefix(moved), "\(problems) \(moved)")
    }
}
