#if Hummingbird && Modules
package import NIOCore
package import NIOWebSocket

/// The frames of a page as messages (RFC 6455): a state machine without a channel.
package struct BridgeFrames {
    package enum Step: Equatable {
        /// There is nothing to do yet.
        case nothing
        /// A message is complete.
        case message(String)
        /// A ping, to be answered with its own bytes.
        case pong(ByteBuffer)
        /// The page ends the connection; the same is to be answered.
        case close(WebSocketErrorCode?)
        /// The page breaks the protocol: the connection ends with a code and a reason.
        case fail(WebSocketErrorCode, String)
    }

    private let limit: Int
    /// The parts of a message so far; nil between messages.
    private var parts: ByteBuffer?

    /// Makes a state machine; `limit` is the largest message, in bytes.
    package init(limit: Int) { self.limit = limit }

    package mutating func receive(_ frame: WebSocketFrame) -> Step {
        guard frame.maskKey != nil else { return .fail(.protocolError, "a frame is not masked") }
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return .fail(.protocolError, "a reserved bit is set") }
        switch frame.opcode {
        case .text:
            guard parts == nil else { return .fail(.protocolError, "a message begins inside of another") }
            return add(frame.unmaskedData, isLast: frame.fin)
        case .continuation:
            guard parts != nil else { return .fail(.protocolError, "a part belongs to no message") }
            return add(frame.unmaskedData, isLast: frame.fin)
        case .binary: return .fail(.unacceptableData, "messages must be text")
        case .ping: return .pong(frame.unmaskedData)
        case .pong: return .nothing
        case .connectionClose: return close(frame.unmaskedData)
        default: return .fail(.protocolError, "unknown opcode")
        }
    }

    private mutating func add(_ data: ByteBuffer, isLast: Bool) -> Step {
        var data = data
        var message = parts ?? ByteBuffer()
        message.writeBuffer(&data)
        parts = isLast ? nil : message
        guard message.readableBytes <= limit else {
            return .fail(.messageTooLarge, "a message has more bytes than messageSize (\(limit))")
        }
        guard isLast else { return .nothing }
        guard let text = String(validating: message.readableBytesView, as: UTF8.self) else {
            return .fail(.dataInconsistentWithMessage, "a message is not UTF-8")
        }
        return .message(text)
    }

    private func close(_ data: ByteBuffer) -> Step {
        var data = data
        if data.readableBytes == 0 { return .close(nil) }
        guard let code = data.readWebSocketErrorCode(), Self.mayBeSent(UInt16(webSocketErrorCode: code)) else {
            return .fail(.protocolError, "the code of the end is invalid")
        }
        guard String(validating: data.readableBytesView, as: UTF8.self) != nil else {
            return .fail(.dataInconsistentWithMessage, "the reason of the end is not UTF-8")
        }
        return .close(code)
    }

    private static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
#endif
