/// Sends requests to one port, many at a time over one connection, and collects the answers.
struct PipelinedClient {
    let port: UInt16
    private(set) var connections: [Connection] = []

    init(port: UInt16) {
        self.port = port
    }
    /// The numbers of requests and of bytes that are sent before answers are awaited.
    ///
    /// Both ends' socket buffers hold that much, so neither waits for the other in vain.
    private static let windowRequests = 64
    private static let windowBytes = 1 << 16
    private static let timeoutSeconds = 5

    /// One connection that was opened: its ports at this end and at nginx's, and the numbers of the requests that nginx
    /// took on it.
    struct Connection {
        var port: UInt16
        var serverPort: UInt16
        var requests: [Int] = []
    }

    /// The reply to a request: a response, or the connection was closed without one.
    enum Reply {
        case response(WireResponse)
        case closed
    }

    /// The replies, one a request.
    ///
    /// Numbers in the log begin at `firstNumber`.
    mutating func exchange(_ requests: [OracleRequest], firstNumber: Int) throws -> [Reply] {
        var replies: [Reply] = []
        replies.reserveCapacity(requests.count)
        // After a connection has ended without a reason, the next request goes alone: if that ends the same way,
        // it is what nginx does with this request.
        var alone = false
        var space = [UInt8](repeating: 0, count: 1 << 16)
        while replies.count < requests.count {
            let before = replies.count
            try converse(requests, from: &replies, alone: alone, firstNumber: firstNumber, space: &space)
            if replies.count == before {
                if alone {
                    connections[connections.count - 1].requests = [firstNumber + replies.count]
                    replies.append(.closed)
                }
                alone.toggle()
            } else {
                alone = false
            }
        }
        return replies
    }

    /// One connection, from the first unanswered request on, for as long as it lasts.
    private mutating func converse(
        _ requests: [OracleRequest],
        from replies: inout [Reply],
        alone: Bool,
        firstNumber: Int,
        space: inout [UInt8]
    ) throws {
        let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: Self.timeoutSeconds)
        connections.append(Connection(port: socket.port, serverPort: port))
        var reader = ResponseReader()
        while replies.count < requests.count {
            let window = self.window(requests, from: replies.count, alone: alone)
            var wire: [UInt8] = []
            for index in window { Self.append(requests[index], to: &wire) }
            guard socket.send(wire) else { return }
            var atEnd = false
            for index in window {
                let isHead = requests[index].method == Array("HEAD".utf8)
                waiting: while true {
                    switch reader.next(isHead: isHead, atEnd: atEnd) {
                    case .response(let response):
                        reader.compact()
                        replies.append(.response(response))
                        connections[connections.count - 1].requests.append(firstNumber + index)
                        if response.closes || requests[index].endsConnection { return }
                        break waiting
                    case .malformed(let text):
                        throw OracleFailure("nginx sent \(text) for \(ByteText.show(requests[index].target))")
                    case .needsMore:
                        if atEnd { return }
                        switch socket.receive(into: &reader.buffer, space: &space) {
                        case .bytes: break
                        case .end: atEnd = true
                        case .timeout:
                            throw OracleFailure("no answer in time for \(ByteText.show(requests[index].target))")
                        }
                    }
                }
            }
            if alone { return }
        }
    }

    private func window(_ requests: [OracleRequest], from start: Int, alone: Bool) -> Range<Int> {
        var end = start + 1
        if alone || requests[start].endsConnection { return start..<end }
        var size = requests[start].target.count
        while end < requests.count, end - start < Self.windowRequests, size < Self.windowBytes {
            if requests[end].mayBreakFraming { break }
            size += requests[end].target.count + 200
            end += 1
            if requests[end - 1].endsConnection { break }
        }
        return start..<end
    }

    private static func append(_ request: OracleRequest, to wire: inout [UInt8]) {
        let lineEnd: [UInt8] = [0x0d, 0x0a]
        wire += request.method
        wire.append(UInt8(ascii: " "))
        wire += request.target
        wire.append(UInt8(ascii: " "))
        wire += request.version
        wire += lineEnd
        for header in request.headers {
            wire += header.name
            wire += [UInt8(ascii: ":"), UInt8(ascii: " ")]
            wire += header.value
            wire += lineEnd
        }
        if request.mayBreakFraming { wire += Array("Connection: close\r\n".utf8) }
        wire += lineEnd
    }
}
