extension AncestorCases {
    /// The behaviour of ZIKRouter, restated from its tests and documents; `AncestorCase` explains the form.
    static let zikrouter = #"""
        ---
        R app://host
        ZK-003 ~ app://host/?k1=a&k2=b -> app://host ; k1=a ; k2=b
        ---
        R app://host/path
        R app://host/p1/p2
        R app://host/p1/p2/p3
        ZK-005 ~ app://host/path -> app://host/path
        ZK-007 ~ app://host/p1/p2/p3 -> app://host/p1/p2/p3
        ---
        R app://host/path
        ZK-009 ~ app://host/path/?k1=a&k2=b -> app://host/path ; k1=a ; k2=b
        ---
        R app://host/:key
        R app://host/path/:key
        ZK-012 ~ app://host/path/value -> app://host/path/:key ; key=value
        ---
        R app://host/:key
        R app://host/path/:key
        R app://host/:key1/:key2
        ZK-013 ~ app://host/value1/value2 -> app://host/:key1/:key2 ; key1=value1 ; key2=value2
        ---
        R app://host/:key
        R app://host/path/:key
        R app://host/:key1/:key2
        R app://host/p1/p2/:key1/:key2
        ZK-014 ~ app://host/p1/p2/value1/value2 -> app://host/p1/p2/:key1/:key2 ; key1=value1 ; key2=value2
        ---
        R app://host/:key
        R app://host/:key1/:key2
        ZK-017 ~ app://host/value1/value2/?k1=a&k2=b -> app://host/:key1/:key2 ; key1=value1 ; key2=value2 ; k1=a ; k2=b
        ---
        R app://host/:key1/path/:key2
        ZK-019 ~ app://host/value1/path/value2 -> app://host/:key1/path/:key2 ; key1=value1 ; key2=value2
        ---
        R app://host/:a/:b
        R app://host/x/:b
        ZK-024 ~ app://host/x/y -> app://host/x/:b ; b=y
        ---
        R router://service/alert
        ZK-025 ~ router://service/alert/?action=showAlert&title=T&message=M -> router://service/alert ; action=showAlert ; title=T ; message=M
        """#
}
