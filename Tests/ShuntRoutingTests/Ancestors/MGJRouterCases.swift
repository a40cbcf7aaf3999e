extension AncestorCases {
    /// The behaviour of MGJRouter, restated from its tests and documents; `AncestorCase` explains the form.
    static let mgjrouter = #"""
        ---
        R mgj://category/家居
        MGJ-002 ~ mgj://category/家居 -> mgj://category/家居
        ---
        R mgj://category/travel
        MGJ-003 ~ mgj://category/travel -> mgj://category/travel
        ---
        R mgj://
        R mgj://foo/bar/none/exists
        MGJ-005 ~ mgj://foo/bar -> mgj://
        # the fallback of the scheme takes what nothing else does
        MGJ-006 ~ mgj://foo/bar -> mgj://
        ---
        MGJ-010 ~ mgj://search/Hangzhou -> nothing
        ---
        R mgj://a/:x?k=:y
        MGJ-017 G 1; 2 -> mgj://a/1?k=2
        ---
        R mgj://a/:x/:y
        # a value is missing, and the last one is not used twice
        MGJ-019 G 1 -> !
        ---
        R mgj://a/:x/b/:xy
        # a name that begins another is not replaced inside it
        MGJ-020 G 1; 2 -> mgj://a/1/b/2
        ---
        R mgj://user/:id
        R mgj://user/add
        # a literal is before a parameter
        MGJ-021 ~ mgj://user/add -> mgj://user/add
        ---
        R mgj://detail/:id.html
        MGJ-026 ~ mgj://detail/42.html -> mgj://detail/:id.html ; id=42
        # a suffix is required
        MGJ-027 ~ mgj://detail/42.json -> nothing
        ---
        R mgj://user/:id
        MGJ-028 ~ mgj://user/1?id=2 -> mgj://user/:id ; id=2
        ---
        R mgj://192.168.1.2:8080/home
        # host and port are a component like any other
        MGJ-030 ~ mgj://192.168.1.2:8080/other -> nothing
        ---
        R mgj://search/:query
        R mgj://search/:keyword
        # two patterns of one shape are an error
        MGJ-031 ~ mgj://search/a -> !ambiguous
        """#
}
