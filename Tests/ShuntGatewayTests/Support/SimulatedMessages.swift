#if Gateway
import NIOCore
import NIOHTTP1
import ShuntCore
import ShuntRules

@testable import ShuntGateway

/// The requests, answers and parts of simulated exchanges.
enum SimulatedMessages {
    struct Request: Sendable {
        let head: RequestHead
        let length: IncomingRequest.BodyLength
        /// The number of parts of its body.
        let count: Int
        var bytes: Int { SimulatedMessages.parts[..<count].reduce(0) { $0 + $1.readableBytes } }
        /// True if rules supply the body.
        let isGiven: Bool
    }

    static let unreachable = UpstreamFailure(connecting: ChannelError.connectPending)

    /// Parts that begin with their number; some are so long that not all of them can be kept.
    static let parts = (0..<200)
        .map { number in
            var part = ByteBuffer(integer: UInt8(number))
            if number == 3 || number == 5 { part.writeRepeatingByte(0, count: 40_000) }
            return part
        }

    private static let lengths: [(IncomingRequest.BodyLength, Int)] = [
        (.none, 0), (.none, 0), (.known(3), 3), (.known(80_008), 8), (.unknown, 4), (.unknown, 9),
    ]

    static let requests: [Request] = ["GET", "GET", "HEAD", "POST", "PUT", "DELETE"]
        .flatMap { method in
            lengths.flatMap { length, count in
                [false, true]
                    .compactMap { isGiven in
                        let fields =
                            switch length {
                            case .none: method == "GET" ? "Connection: upgrade\r\nUpgrade: x\r\n" : ""
                            case .known(let bytes): "Content-Length: \(bytes)\r\nExpect: 100-continue\r\n"
                            case .unknown: "Transfer-Encoding: chunked\r\n"
                            }
                        var parser = RequestParser(headerLimit: 1_000)
                        parser.append(ByteBuffer(string: "\(method) / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"))
                        guard case .head(let head)? = try? parser.next() else { return nil }
                        return Request(head: head, length: length, count: count, isGiven: isGiven)
                    }
            }
        }

    static let heads: [ResponseHead] = [
        "200 OK\r\nContent-Length: 1000", "200 OK\r\nTransfer-Encoding: chunked", "200 OK\r\nX: until the end",
        "204 No", "502 No\r\nContent-Length: 10", "404 No\r\nContent-Length: 0",
        "200 OK\r\nX-Accel-Redirect: /x\r\nContent-Length: 3",
    ]
    .compactMap { head(of: $0) }

    static let switching = head(of: "101 Yes\r\nUpgrade: x") ?? heads[0]

    private static func head(of text: String) -> ResponseHead? {
        try? ResponseHead(ByteBuffer(string: "HTTP/1.1 \(text)\r\n\r\n"), answering: .GET)
    }
}
#endif
