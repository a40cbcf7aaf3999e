import SeededRandom
import ShuntLinks
import Testing

/// A connection as a state machine: events in, effects out.
@Suite struct BridgeConnectionTests {
    private static func send(_ text: String) -> BridgeConnection.Effect { .send(Array(text.utf8)) }

    private static func post(_ id: Int, _ type: String = "post") -> [UInt8] {
        Array(#"{"id":\#(id),"type":"\#(type)","url":"a://b"}"#.utf8)
    }

    @Test(
        "A message that is invalid is answered with what is wrong",
        arguments: [
            ("", nil, "the message is not JSON: expected a value at column 1"),
            ("{", nil, "the message is not JSON: expected a name in quotes at column 2"),
            (#"{"id":1,"id":2}"#, nil, "the message is not JSON: a repeated name at column 9"),
            ("\"x\"", nil, "an envelope is an object, not a string"),
            ("[[]]", nil, "an envelope is an object, not an array"),
            ("{}", nil, "\"id\" must be a whole number from 0 to 9007199254740991"),
            (#"{"id":-1}"#, nil, "\"id\" must be a whole number from 0 to 9007199254740991"),
            (#"{"id":1.5}"#, nil, "\"id\" must be a whole number from 0 to 9007199254740991"),
            (#"{"id":"1"}"#, nil, "\"id\" must be a whole number from 0 to 9007199254740991"),
            (#"{"id":9007199254740992}"#, nil, "\"id\" must be a whole number from 0 to 9007199254740991"),
            (#"{"id":1}"#, 1, "\"type\" must be \"post\", \"listen\" or \"leave\""),
            (#"{"id":1,"type":"call","url":"a"}"#, 1, "\"type\" must be \"post\", \"listen\" or \"leave\""),
            (#"{"id":1,"type":null,"url":"a"}"#, 1, "\"type\" must be \"post\", \"listen\" or \"leave\""),
            (#"{"id":1,"type":"post"}"#, 1, "\"post\" needs a \"url\""),
            (#"{"id":1,"type":"listen"}"#, 1, "\"listen\" needs a \"url\""),
            (#"{"id":1,"type":"post","url":7}"#, 1, "\"url\" must be a string, not a number"),
            (#"{"id":1,"type":"post","url":"a","param":[]}"#, 1, "\"param\" must be an object, not an array"),
            (#"{"id":1,"type":"post","url":"a","parm":{}}"#, 1, "unknown member \"parm\"; did you mean \"param\"?"),
            (#"{"id":1,"xyzzy":1}"#, 1, "unknown member \"xyzzy\": an envelope has id, url, type and param"),
        ] as [(String, Int?, String)]
    )
    func invalid(message: String, id: Int?, words: String) throws {
        var connection = BridgeConnection()
        let effects = connection.handle(.received(Array(message.utf8)))
        let quoted = words.replacing("\"", with: "\\\"")
        let number = id.map(String.init) ?? "null"
        #expect(effects == [Self.send(#"{"id":\#(number),"error":{"status":400,"message":"\#(quoted)"}}"#)])
        #expect(connection.underWay == 0)
    }

    @Test("A message above the limit is refused, and not read")
    func large() {
        var options = Bridge.Options()
        options.messageSize = 100
        var connection = BridgeConnection(options)
        let words = "the message has 101 bytes, more than messageSize (100)"
        let padded = Self.post(1) + Array(repeating: 0x20, count: 100 - Self.post(1).count)
        #expect(
            connection.handle(.received(padded + [0x20]))
                == [Self.send(#"{"id":null,"error":{"status":413,"message":"\#(words)"}}"#)]
        )
        #expect(connection.handle(.received(padded)).count == 1)
        #expect(connection.underWay == 1)
    }

    @Test("A hundred calls may be under way; the next one is refused until one has ended")
    func limit() {
        var connection = BridgeConnection()
        for id in 1...100 {
            guard case .start(let envelope)? = connection.handle(.received(Self.post(id))).first else {
                Issue.record("\(id) does not start")
                return
            }
            #expect(envelope.id == id)
        }
        let words = "more calls are under way than underWay allows (100)"
        let refusal = [Self.send(#"{"id":101,"error":{"status":429,"message":"\#(words)"}}"#)]
        #expect(connection.handle(.received(Self.post(101))) == refusal)
        // A call that was left counts until its task has ended.
        #expect(connection.handle(.received(Self.post(50, "leave"))) == [.cancel(50)])
        #expect(connection.handle(.received(Self.post(101))) == refusal)
        #expect(connection.handle(.finished(50, .value([0x31]))) == [Self.send(#"{"id":50,"end":true}"#)])
        #expect(connection.handle(.received(Self.post(101))).count == 1)
        #expect(connection.underWay == 100)
    }

    @Test("A number that is in use, or that is not, is an error that ends no call")
    func numbers() {
        var connection = BridgeConnection()
        _ = connection.handle(.received(Self.post(7)))
        #expect(
            connection.handle(.received(Self.post(7, "listen")))
                == [Self.send(#"{"id":null,"error":{"status":409,"message":"the id 7 is under way"}}"#)]
        )
        #expect(
            connection.handle(.received(Self.post(8, "leave")))
                == [Self.send(#"{"id":8,"error":{"status":404,"message":"nothing is under way with the id 8"}}"#)]
        )
        // An error with the number of a call would end the call in the page.
        let invalid = Array(#"{"id":7,"type":"post"}"#.utf8)
        #expect(
            connection.handle(.received(invalid))
                == [Self.send(#"{"id":null,"error":{"status":400,"message":"\"post\" needs a \"url\""}}"#)]
        )
        #expect(connection.handle(.finished(7, .value([0x31]))) == [Self.send(#"{"id":7,"value":1}"#)])
        #expect(connection.handle(.received(Self.post(7))).count == 1)
    }

    @Test("The next element of a feed is read when the transport takes messages")
    func feeds() {
        var connection = BridgeConnection()
        _ = connection.handle(.received(Self.post(1, "listen")))
        _ = connection.handle(.received(Self.post(2, "listen")))
        let one = Self.send(#"{"id":1,"value":1}"#)
        #expect(connection.handle(.element(1, [0x31])) == [one, .next(1)])
        #expect(connection.handle(.filled) == [])
        #expect(connection.handle(.element(1, [0x31])) == [one])
        #expect(connection.handle(.element(2, [0x32])) == [Self.send(#"{"id":2,"value":2}"#)])
        #expect(connection.handle(.drained) == [.next(1), .next(2)])
        #expect(connection.handle(.drained) == [])
        #expect(connection.handle(.received(Self.post(1, "leave"))) == [.cancel(1)])
        #expect(connection.handle(.element(1, [0x31])) == [])
        #expect(connection.handle(.closed) == [.cancel(2)])
        #expect(connection.handle(.finished(2, .end)) == [])
        #expect(connection.handle(.received(Self.post(3))) == [])
        #expect(connection.underWay == 1)
    }

    @Test("Random events: one answer for each envelope, never more under way than allowed, nothing after the end")
    func random() throws {
        for seed in 0..<100 {
            var run = RandomRun(seed: UInt64(seed))
            for _ in 0..<200 { try run.step() }
            try run.end()
        }
    }
}

/// Random events for a connection, and what must hold after each of them.
private struct RandomRun {
    private var random: SeededGenerator
    private var connection: BridgeConnection
    private let limit = 5
    /// The calls and feeds that have started and not finished; true for a feed that may send an element.
    private var running: [Int: Bool] = [:]
    private var isClosed = false
    private var isFull = false

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var options = Bridge.Options()
        options.underWay = limit
        connection = BridgeConnection(options)
    }

    mutating func step() throws {
        let id = random.below(8)
        switch random.below(20) {
        case 0..<8: try receive(id)
        case 8..<12 where running[id] == true: try element(id)
        case 12..<16 where running[id] != nil: try finish(id)
        case 16:
            isFull.toggle()
            for effect in connection.handle(isFull ? .filled : .drained) {
                guard case .next(let id) = effect else { throw TestFailure() }
                #expect(!isFull && running[id] == false)
                running[id] = true
            }
        case 17 where random.chance(5): try close()
        default: break
        }
        #expect(connection.underWay == running.count && running.count <= limit)
    }

    private mutating func receive(_ id: Int) throws {
        let type = random.pick(["post", "listen", "leave", "leave", "wrong"])
        let effects = connection.handle(.received(Array(#"{"id":\#(id),"type":"\#(type)","url":"a://b"}"#.utf8)))
        if isClosed {
            #expect(effects.isEmpty)
            return
        }
        #expect(effects.count == 1 || type == "leave" && running[id] != nil && effects.isEmpty)
        switch effects.first {
        case .start(let envelope)?:
            #expect(running[envelope.id] == nil && type == envelope.kind.rawValue)
            running[envelope.id] = type == "listen"
        case .cancel(let left)?: #expect(left == id && running[id] != nil && type == "leave")
        case .send(let message)?:
            let text = String(decoding: message, as: UTF8.self)
            #expect(text.contains(#""error""#) && (running[id] == nil) == text.hasPrefix(#"{"id":\#(id),"#))
        case .next?: throw TestFailure()
        case nil: break
        }
    }

    private mutating func element(_ id: Int) throws {
        let effects = connection.handle(.element(id, [0x31]))
        #expect(!isClosed || effects.isEmpty)
        running[id] = effects.contains(.next(id))
        #expect(!isFull || running[id] == false)
    }

    private mutating func finish(_ id: Int) throws {
        running[id] = nil
        #expect(connection.handle(.finished(id, .end)).count == (isClosed ? 0 : 1))
    }

    private mutating func close() throws {
        let effects = connection.handle(.closed)
        #expect(effects.count <= running.count && (!isClosed || effects.isEmpty))
        isClosed = true
    }

    mutating func end() throws {
        try close()
        for id in running.keys { try finish(id) }
        #expect(connection.underWay == 0)
    }

    private struct TestFailure: Error {}
}
