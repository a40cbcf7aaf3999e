#if Gateway && Modules
import Testing

/// The client of the bridge in headless Chromium.
@Suite(.serialized, .inBrowser, .timeLimit(.minutes(10))) struct BridgePageTests {
    /// Opens the page of a server and makes `bridge`.
    private static func bridge(_ page: Browser, _ to: String = "\"/bridge\"") async throws {
        try await page.wait("window.Bridge")
        try await page.run("window.bridge = new Bridge(\(to)); window.seen = []; window.failed = [];")
    }

    @Test("Answers overtake each other, and errors have their status")
    func overtaking() async throws {
        try await BridgeServer.with { server in
            try await Browser.at(server.port) { page in
                try await Self.bridge(page)
                try await page.run(
                    """
                    const note = value => seen.push(value);
                    bridge.post("test://slow").then(note).then(() => bridge.post("test://none")).catch(
                      error => note(`${error.name} ${error.status} ${error.message}`));
                    bridge.post("test://echo", { text: "ä" }).then(note).then(() => bridge.post("test://fast")).then(note);
                    """
                )
                try await page.wait("seen.length === 4")
                #expect(try await page.text("seen[0]") == "ä")
                #expect(try await page.text("seen.slice(1).sort()") == "BridgeError 404 not found,fast,slow")
            }
        }
    }

    @Test("A feed is heard until the page leaves it, and a call until its signal is aborted")
    func leaving() async throws {
        try await BridgeServer.with { server in
            try await Browser.at(server.port) { page in
                try await Self.bridge(page)
                try await page.run(
                    """
                    window.ticks = bridge.listen("test://ticks", {}, tick => seen.push(tick));
                    window.stop = new AbortController();
                    bridge.post("test://endless", {}, { signal: stop.signal }).catch(error => failed.push(error.name));
                    """
                )
                try await page.wait("seen.length > 5 && seen.every((tick, index) => tick === index)")
                try await Wait.until("the call begins") { server.counts.begun.value == 2 }
                try await page.run("ticks.leave(); stop.abort(); ticks.ended.then(() => failed.push('left'))")
                try await Wait.until("both are cancelled") { server.counts.cancelled.value == 2 }
                try await page.wait("failed.sort().join() === 'AbortError,left'")
            }
        }
    }

    @Test("A page that goes elsewhere cancels what it has under way")
    func goes() async throws {
        try await BridgeServer.with { server in
            try await Browser.at(server.port) { page in
                try await Self.bridge(page)
                try await page.run(
                    """
                    bridge.listen("test://ticks", {}, tick => seen.push(tick));
                    bridge.post("test://endless").catch(() => {});
                    """
                )
                try await Wait.until("both begin") { server.counts.begun.value == 2 }
                try await page.open("about:blank")
                try await Wait.until("both are cancelled") { server.counts.cancelled.value == 2 }
            }
        }
    }

    @Test("After a loss of the connection calls fail once, and feeds are heard again")
    func reconnects() async throws {
        // The console reports each connection that fails.
        try await BridgeServer.with { server in
            try await Browser.at(server.port, expecting: "WebSocket connection") { page in
                try await Self.bridge(page)
                try await page.run(
                    """
                    bridge.listen("test://ticks", {}, tick => seen.push(tick));
                    bridge.post("test://endless").catch(error => failed.push(`${error.status} ${error.message}`));
                    """
                )
                try await Wait.until("both begin") { server.counts.begun.value == 2 }
                await server.shutDown()
                try await page.wait("failed.length === 1")
                #expect(try await page.text("failed[0]") == "0 the connection ended")
                try await Wait.until("both are cancelled") { server.counts.cancelled.value == 2 }
                try await page.run("seen.length = 0")
                try await BridgeServer.with(port: server.port) { second in
                    try await page.wait("seen.length > 3")
                    #expect(try await page.text("failed.length") == "1")
                    #expect(second.counts.begun.value == 1)
                    try await page.run("bridge.post('test://echo', { text: 'again' }).then(text => failed.push(text))")
                    try await page.wait("failed[1] === 'again'")
                }
            }
        }
    }

    @Test("A page of another origin is refused, and its calls fail")
    func otherOrigin() async throws {
        try await BridgeServer.with { server in
            try await Browser.at(server.port, expecting: "WebSocket connection") { page in
                try await page.open("http://localhost:\(server.port)/")
                try await Self.bridge(page, "\"http://127.0.0.1:\(server.port)/bridge\"")
                try await page.run("bridge.post('test://fast').catch(error => failed.push(error.status))")
                try await page.wait("failed.join() === '0'")
                #expect(server.counts.fast.value == 0)
            }
        }
    }

    @Test("The page of the bank pays, and shows why it does not")
    func pays() async throws {
        try await BridgeServer.with { server in
            try await Browser.at(server.port) { page in
                try await page.open("http://127.0.0.1:\(server.port)/pay")
                try await page.click("button")
                try await page.wait("document.querySelector('[role=status]').textContent === 'Paid: 5 of 5'")
                try await page.type("1000", into: "[name=amount]")
                try await page.click("button")
                try await page.wait("document.querySelector('[role=status]').textContent === 'Not paid: failed'")
            }
        }
    }

    @Test("Through a function and receive the same client needs no network")
    func function() async throws {
        try await BridgeServer.with { server in
            try await Browser.at(server.port, expecting: "the id 1 is under way") { page in
                try await Self.bridge(page, "text => seen.push(text)")
                try await page.run(
                    """
                    bridge.post("a://b", { c: 1 }).then(value => failed.push(value));
                    const feed = bridge.listen("a://d", {}, value => failed.push(value));
                    bridge.receive('{"id":2,"value":"first"}');
                    bridge.receive('{"id":1,"value":"answer"}');
                    bridge.receive('{"id":1,"value":"too late"}');
                    bridge.receive('{"id":2,"value":"second"}');
                    bridge.receive('{"id":null,"error":{"status":409,"message":"the id 1 is under way"}}');
                    feed.leave();
                    bridge.receive('{"id":2,"value":"third"}');
                    bridge.close();
                    bridge.post("a://b").catch(error => failed.push(error.message));
                    """
                )
                try await page.wait("failed.length === 4")
                #expect(try await page.text("failed.sort()") == "answer,first,second,the connection ended")
                let sent = [
                    #"{"id":1,"type":"post","url":"a://b","param":{"c":1}}"#,
                    #"{"id":2,"type":"listen","url":"a://d","param":{}}"#, #"{"id":2,"type":"leave"}"#,
                ]
                #expect(try await page.text("seen.join('\\n')") == sent.joined(separator: "\n"))
            }
        }
    }
}
#endif
