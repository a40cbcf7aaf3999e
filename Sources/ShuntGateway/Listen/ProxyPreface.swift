#if Gateway
import Logging
import NIOCore
import ShuntCore

/// The beginning of a connection in the PROXY protocol: the client, and the end it connected to.
///
/// https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt
struct ProxyPreface: Sendable, Equatable {
    /// An address and a port.
    struct End: Sendable, Equatable {
        var address: String
        var port: Int
    }

    /// The client; nil where the sender speaks for itself, or its client has no address of the internet.
    var client: End?
    /// The end that the client connected to.
    var server: End?
    /// True if the connection is the sender's own, such as a check of health.
    var isLocal = false

    /// The longest preface, in bytes.
    static let longest = 4_096

    /// The kind of the first bytes of a connection.
    enum Reading: Equatable {
        /// They could be the beginning of a preface.
        case incomplete
        /// They are not a preface.
        case none
        /// A preface of so many bytes.
        case preface(ProxyPreface, length: Int)
    }

    private static let signature: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]
    private static let word = Array("PROXY ".utf8)
    /// The longest line of version 1.
    private static let longestLine = 107

    /// Reads the first bytes of a connection.
    static func read(_ bytes: ArraySlice<UInt8>) -> Reading {
        guard let first = bytes.first else { return .incomplete }
        let isBinary = first == signature[0]
        let begin = isBinary ? signature : word
        guard bytes.starts(with: begin.prefix(bytes.count)) else { return .none }
        guard bytes.count >= begin.count else { return .incomplete }
        return isBinary ? readBinary(bytes) : readLine(bytes)
    }

    // MARK: Version 1

    private static func readLine(_ bytes: ArraySlice<UInt8>) -> Reading {
        guard let end = bytes.prefix(longestLine).firstIndex(of: 0x0a) else {
            return bytes.count >= longestLine ? .none : .incomplete
        }
        guard end > bytes.startIndex, bytes[end - 1] == 0x0d else { return .none }
        let length = end + 1 - bytes.startIndex
        let words = bytes[bytes.startIndex..<(end - 1)].dropFirst(word.count)
            .split(separator: 0x20, omittingEmptySubsequences: false)
        guard let family = words.first else { return .none }
        // A client whose address the sender does not know; the rest of the line has no meaning.
        if family.elementsEqual("UNKNOWN".utf8) { return .preface(ProxyPreface(), length: length) }
        let isFour = family.elementsEqual("TCP4".utf8)
        guard isFour || family.elementsEqual("TCP6".utf8), words.count == 5,
            let client = self.end(words[1], words[3], isFour: isFour),
            let server = self.end(words[2], words[4], isFour: isFour)
        else { return .none }
        return .preface(ProxyPreface(client: client, server: server), length: length)
    }

    private static func end(_ address: ArraySlice<UInt8>, _ port: ArraySlice<UInt8>, isFour: Bool) -> End? {
        let text = String(decoding: address, as: UTF8.self)
        guard !port.isEmpty, port.count <= 5, port.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(String(decoding: port, as: UTF8.self)),
            text.contains(":") != isFour, let parsed = InternetAddress(text)
        else { return nil }
        return End(address: "\(parsed)", port: Int(number))
    }

    // MARK: Version 2

    private static func readBinary(_ bytes: ArraySlice<UInt8>) -> Reading {
        guard bytes.count >= 16 else {
            // A wrong version is known before the rest has come.
            return bytes.count > 12 && bytes[bytes.startIndex + 12] >> 4 != 2 ? .none : .incomplete
        }
        let head = Array(bytes.prefix(16))
        let rest = Int(head[14]) << 8 | Int(head[15])
        guard head[12] >> 4 == 2, head[12] & 0x0f <= 1, 16 + rest <= longest else { return .none }
        guard bytes.count >= 16 + rest else { return .incomplete }
        if head[12] & 0x0f == 0 { return .preface(ProxyPreface(isLocal: true), length: 16 + rest) }
        // Only streams have ports that mean anything here.
        guard head[13] & 0x0f == 1 else { return .preface(ProxyPreface(), length: 16 + rest) }
        let body = Array(bytes.dropFirst(16).prefix(rest))
        let size: Int
        switch head[13] >> 4 {
        case 1: size = 4
        case 2: size = 16
        default: return .preface(ProxyPreface(), length: 16 + rest)
        }
        guard body.count >= 2 * size + 4 else { return .none }
        let ports = body[(2 * size)..<(2 * size + 4)].map(Int.init)
        let preface = ProxyPreface(
            client: End(address: text(body[..<size]), port: ports[0] << 8 | ports[1]),
            server: End(address: text(body[size..<(2 * size)]), port: ports[2] << 8 | ports[3])
        )
        return .preface(preface, length: 16 + rest)
    }

    /// The address of 4 or 16 bytes as text.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
        let bytes = Array(bytes)
        let groups = stride(from: 0, to: bytes.count, by: 2)
            .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        let long = groups.joined(separator: ":")
        return InternetAddress(long).map { "\($0)" } ?? long
    }
}

/// Reads the preface of the PROXY protocol, passes it to the connection, and removes itself.
///
/// A connection without one is closed: others that reach the listener could name any client.
final class ProxyPrefaceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let logger: Logger
    private var received = ByteBuffer()
    private var isDone = false

    init(logger: Logger) { self.logger = logger }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDone { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        switch ProxyPreface.read(Array(received.readableBytesView.prefix(ProxyPreface.longest))[...]) {
        case .incomplete: return
        case .none:
            logger.debug("a connection without the preface of the PROXY protocol is closed")
            isDone = true
            received = ByteBuffer()
            context.close(promise: nil)
        case .preface(let preface, let length):
            isDone = true
            received.moveReaderIndex(forwardBy: length)
            context.fireUserInboundEventTriggered(preface)
            if received.readableBytes > 0 {
                context.fireChannelRead(wrapInboundOut(received))
                context.fireChannelReadComplete()
            }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }
    }
}
#endif
