import Shunt
import ShuntInterfaces
import ShuntLinks
import ShuntModules
import Testing

/// The bridge without a network: messages of pages to calls of modules.
@Suite struct BridgeTests {
    /// Links to modules that do not run.
    private static func links() throws -> Links {
        var assembly = Assembly()
        assembly.add(Shop.ShopModule(counts: Shop.Counts()))
        return try Links(try assembly.build(), rules: Engine(try RuleSet(text: "")))
    }

    @Test(
        "A message is answered with a value, or with an error and its status",
        arguments: [
            (#"{"id":7,"type":"post","url":"shop://pay","param":{"amount":5}}"#, #"{"id":7,"value":"paid 5"}"#),
            (#"{"id":7,"type":"post","url":"shop://pay?amount=5"}"#, #"{"id":7,"value":"paid 5"}"#),
            (#"{"id":0,"type":"post","url":"shop://old-pay","param":{"amount":1}}"#, #"{"id":0,"value":"paid 1"}"#),
            (#"{"id":1,"type":"post","url":"shop://forget"}"#, #"{"id":1,"value":null}"#),
            (
                #"{"id":1,"type":"post","url":"shop://sold","param":{"amount":2}}"#,
                #"{"id":1,"value":{"ShopModule":"sold 2"}}"#
            ),
            (
                #"{"id":2,"type":"post","url":"shop://pay","param":{"amount":"five"}}"#,
                #"{"id":2,"error":{"status":400,"message":"the parameters do not fit","#
                    + #""parameters":[{"name":"amount","problem":"not Int"}]}}"#
            ),
            (
                #"{"id":3,"type":"post","url":"shop://nothing"}"#,
                #"{"id":3,"error":{"status":404,"message":"not found"}}"#
            ),
            (
                #"{"id":3,"type":"post","url":"shop://hidden"}"#,
                #"{"id":3,"error":{"status":404,"message":"not found"}}"#
            ),
            (#"{"id":4,"type":"post","url":"shop://fail"}"#, #"{"id":4,"error":{"status":500,"message":"failed"}}"#),
            (
                #"{"id":4,"type":"post","url":"shop://sign"}"#,
                #"{"id":4,"error":{"status":401,"message":"not authorized"}}"#
            ),
            (
                #"{"id":5,"type":"post","url":"shop://gone/1"}"#,
                #"{"id":5,"error":{"status":302,"message":"moved","location":"https://www.example.com/gone"}}"#
            ),
            (
                #"{"id":5,"type":"post","url":"shop://evil/1"}"#,
                #"{"id":5,"error":{"status":403,"message":"refused"}}"#
            ),
            (
                #"{"id":6,"type":"post","url":"shop://count/3"}"#,
                #"{"id":6,"error":{"status":400,"message":"this is a feed: use \"listen\""}}"#
            ),
            (
                #"{"id":6,"type":"listen","url":"shop://count/3"}"#,
                #"{"id":6,"error":{"status":400,"message":"\"listen\" needs a WebSocket or a session"}}"#
            ),
            (
                #"{"id":6,"type":"leave"}"#,
                #"{"id":6,"error":{"status":400,"message":"\"leave\" needs a WebSocket or a session"}}"#
            ),
        ]
    )
    func answers(message: String, expected: String) async throws {
        try await Shop.run { (bridge, _) async throws in
            #expect(try await bridge.open(envelope: message, from: Shop.origin) == expected)
        }
    }

    @Test("A list is answered in its order, with an error for each envelope that is invalid or too many")
    func list() async throws {
        var options = Bridge.Options()
        options.underWay = 3
        try await Shop.run(options: options) { (bridge, _) async throws in
            let list = """
                [{"id":1,"type":"post","url":"shop://pay?amount=1"}, 5,
                 {"id":2,"type":"post","url":"shop://forget"}, {"id":3,"type":"post","url":"shop://forget"}]
                """
            let tooMany = #"{"status":429,"message":"more calls are under way than underWay allows (3)"}"#
            #expect(
                try await bridge.open(envelope: list, from: Shop.origin)
                    == #"[{"id":1,"value":"paid 1"},"#
                    + #"{"id":null,"error":{"status":400,"message":"an envelope is an object, not a number"}},"#
                    + #"{"id":2,"value":null},{"id":3,"error":\#(tooMany)}]"#
            )
            #expect(try await bridge.open(envelope: "[]", from: Shop.origin) == "[]")
        }
    }

    @Test(
        "A page of an origin that is not in the list opens nothing",
        arguments: [
            nil, "", "null", "*", "https://shop.example.com.evil.example", "http://shop.example.com",
            "https://shop.example.com:8443", "https://shop.example.com/", "https://evil.example",
            "https://shop.example.com@evil.example", "https://shop.example.com https://evil.example",
        ]
    )
    func refused(origin: String?) async throws {
        try await Shop.run { (bridge, _) async throws in
            let message = #"{"id":7,"type":"post","url":"shop://pay?amount=5"}"#
            await #expect(throws: BridgeError.refusedOrigin(origin ?? "")) {
                try await bridge.open(envelope: message, from: origin)
            }
            #expect(throws: BridgeError.refusedOrigin(origin ?? "")) {
                try bridge.connect(from: origin) { _ in Issue.record("something was sent") }
            }
        }
    }

    @Test(
        "An origin is compared in the form that browsers send",
        arguments: [
            ("https://Shop.example.com:443", "https://shop.example.com"), ("http://[::1]:80", "http://[::1]"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("app://main", "app://main"),
        ]
    )
    func origins(listed: String, sent: String) throws {
        let bridge = try Bridge(Self.links(), origins: [listed])
        #expect(try bridge.caller(from: sent) == Caller(.web, name: sent))
    }

    @Test(
        "A text that is not an origin is refused in the list, with the way out",
        arguments: ["*", "null", "shop.example.com", "https://", "https://a.example/", "https://a.example:0", "1://a"]
    )
    func invalidOrigin(text: String) throws {
        let links = try Self.links()
        let error = #expect(throws: BridgeError.invalidOrigin(text)) { try Bridge(links, origins: [text]) }
        #expect(
            error?.description == "\"\(text)\" is not an origin: write scheme://host or scheme://host:port, "
                + "such as https://shop.example.com"
        )
    }

    @Test("Calls have the origin as their caller, and the values of the connection")
    func values() async throws {
        try await Shop.run { (bridge, _) async throws in
            let message = #"{"id":1,"type":"post","url":"shop://sign"}"#
            let answer = try await bridge.open(
                envelope: message,
                from: Shop.origin,
                values: CallValues(Shop.user, "ann")
            )
            #expect(answer == #"{"id":1,"value":"ann of web https://shop.example.com"}"#)
        }
    }

    // MARK: Sessions

    @Test("A feed is heard to its end, while calls overtake it; an action that is listened to has one element")
    func feed() async throws {
        try await Shop.run { (bridge, _) async throws in
            let messages = Messages()
            let session = try bridge.connect(from: Shop.origin) { messages.add($0) }
            session.receive(#"{"id":1,"type":"post","url":"shop://endless"}"#)
            session.receive(#"[{"id":2,"type":"listen","url":"shop://count/3"}]"#)
            session.receive(#"{"id":3,"type":"listen","url":"shop://pay?amount=5"}"#)
            try await wait("both ends") { session.underWay == 1 }
            let expected = [#""value":0"#, #""value":1"#, #""value":2"#, #""end":true"#].map { #"{"id":2,\#($0)}"# }
            #expect(messages.all.filter { $0.hasPrefix(#"{"id":2,"#) } == expected)
            let single = [#"{"id":3,"value":"paid 5"}"#, #"{"id":3,"end":true}"#]
            #expect(messages.all.filter { $0.hasPrefix(#"{"id":3,"#) } == single)
            session.close()
            try await wait("the end of the call") { session.underWay == 0 }
        }
    }

    @Test("A page that leaves a call, a feed or the connection cancels what is under way")
    func leaves() async throws {
        try await Shop.run { (bridge, counts) async throws in
            let messages = Messages()
            let session = try bridge.connect(from: Shop.origin) { messages.add($0) }
            session.setWritable(false)
            for id in 1...2 { session.receive(#"{"id":\#(id),"type":"post","url":"shop://endless"}"#) }
            for id in 3...4 { session.receive(#"{"id":\#(id),"type":"listen","url":"shop://count/1000"}"#) }
            // Of each feed one element is sent, sixteen are in its buffer, and the next one waits.
            try await wait("all four begin") { counts.written.value == 2 + 2 * 18 && messages.all.count == 2 }
            session.receive(#"[{"id":1,"type":"leave"},{"id":3,"type":"leave"},{"id":3,"type":"leave"}]"#)
            try await wait("two end") { session.underWay == 2 && counts.cancelled.value == 2 }
            let sent = messages.all.sorted()
            #expect(
                sent == [
                    #"{"id":1,"end":true}"#, #"{"id":3,"end":true}"#, #"{"id":3,"value":0}"#, #"{"id":4,"value":0}"#,
                ]
            )
            session.close()
            try await wait("all end") { session.underWay == 0 && counts.cancelled.value == 4 }
            session.receive(#"{"id":9,"type":"post","url":"shop://forget"}"#)
            #expect(messages.all.count == sent.count && session.underWay == 0)
        }
    }

    @Test("A feed waits while the page takes nothing, and no element is lost")
    func backpressure() async throws {
        try await Shop.run { (bridge, counts) async throws in
            let messages = Messages()
            let session = try bridge.connect(from: Shop.origin) { messages.add($0) }
            session.setWritable(false)
            session.receive(#"{"id":1,"type":"listen","url":"shop://count/1000"}"#)
            try await wait("the feed waits") { counts.written.value == 18 && !messages.all.isEmpty }
            #expect(messages.all == [#"{"id":1,"value":0}"#])
            session.setWritable(true)
            try await wait("the end of the feed") { session.underWay == 0 }
            #expect(messages.all == (0..<1_000).map { #"{"id":1,"value":\#($0)}"# } + [#"{"id":1,"end":true}"#])
        }
    }

    @Test("Modules that do not run are an error of each call")
    func notReady() async throws {
        let bridge = try Bridge(Self.links(), origins: [Shop.origin])
        let answer = try await bridge.open(
            envelope: #"{"id":1,"type":"post","url":"shop://forget"}"#,
            from: Shop.origin
        )
        #expect(answer == #"{"id":1,"error":{"status":503,"message":"not ready"}}"#)
    }
}
