#if Hummingbird && Modules
import NIOCore
import NIOWebSocket
import ShuntHummingbird
import Testing

/// Frames of a WebSocket as messages, without a channel.
@Suite struct BridgeFramesTests {
    private static func frame(
        _ opcode: WebSocketOpcode,
        _ bytes: [UInt8],
        fin: Bool = true,
        masked: Bool = true,
        rsv1: Bool = false
    ) -> WebSocketFrame {
        var data = ByteBuffer(bytes: bytes)
        guard masked else { return WebSocketFrame(fin: fin, rsv1: rsv1, opcode: opcode, data: data) }
        let key: WebSocketMaskingKey = [1, 2, 3, 4]
        data.webSocketMask(key)
        return WebSocketFrame(fin: fin, rsv1: rsv1, opcode: opcode, maskKey: key, data: data)
    }

    private static func text(_ text: String, fin: Bool = true) -> WebSocketFrame {
        frame(.text, Array(text.utf8), fin: fin)
    }

    private static func part(_ bytes: [UInt8], fin: Bool) -> WebSocketFrame { frame(.continuation, bytes, fin: fin) }

    private typealias Step = BridgeFrames.Step

    private static func close(_ code: UInt16, _ reason: [UInt8] = []) -> WebSocketFrame {
        frame(.connectionClose, [UInt8(code >> 8), UInt8(code & 255)] + reason)
    }

    private static let cases: [([WebSocketFrame], [Step])] = [
        ([text("abc"), text("")], [.message("abc"), .message("")]),
        (
            [text("ab", fin: false), part([], fin: false), part([0x63], fin: true), text("d")],
            [.nothing, .nothing, .message("abc"), .message("d")]
        ),
        // A character in two parts is one, and a ping may come between them.
        (
            [frame(.text, [0xc3], fin: false), frame(.ping, [1, 2]), part([0xa4], fin: true)],
            [.nothing, .pong(ByteBuffer(bytes: [1, 2])), .message("ä")]
        ),
        ([frame(.pong, [])], [.nothing]),
        ([frame(.text, [0x61], masked: false)], [.fail(.protocolError, "a frame is not masked")]),
        ([frame(.ping, [], masked: false)], [.fail(.protocolError, "a frame is not masked")]),
        ([frame(.text, [0x61], rsv1: true)], [.fail(.protocolError, "a reserved bit is set")]),
        ([frame(.binary, [0x61])], [.fail(.unacceptableData, "messages must be text")]),
        (
            [WebSocketOpcode(encodedWebSocketOpcode: 0x3)].compactMap { $0 }.map { frame($0, []) },
            [.fail(.protocolError, "unknown opcode")]
        ),
        ([part([0x61], fin: true)], [.fail(.protocolError, "a part belongs to no message")]),
        (
            [text("a", fin: false), text("b")],
            [.nothing, .fail(.protocolError, "a message begins inside of another")]
        ),
        ([frame(.text, [0xff])], [.fail(.dataInconsistentWithMessage, "a message is not UTF-8")]),
        (
            [frame(.text, [0xc3], fin: false), part([0x28], fin: true)],
            [.nothing, .fail(.dataInconsistentWithMessage, "a message is not UTF-8")]
        ),
        ([text("12345678")], [.message("12345678")]),
        ([text("123456789")], [.fail(.messageTooLarge, "a message has more bytes than messageSize (8)")]),
        (
            [text("12345", fin: false), part([0x61, 0x62, 0x63, 0x64], fin: false)],
            [.nothing, .fail(.messageTooLarge, "a message has more bytes than messageSize (8)")]
        ),
        ([frame(.connectionClose, [])], [.close(nil)]),
        ([close(1000, Array("bye".utf8))], [.close(.normalClosure)]),
        ([close(4999)], [.close(.unknown(4999))]),
        ([frame(.connectionClose, [3])], [.fail(.protocolError, "the code of the end is invalid")]),
        ([close(1005)], [.fail(.protocolError, "the code of the end is invalid")]),
        ([close(1006)], [.fail(.protocolError, "the code of the end is invalid")]),
        ([close(1015)], [.fail(.protocolError, "the code of the end is invalid")]),
        ([close(999)], [.fail(.protocolError, "the code of the end is invalid")]),
        ([close(5000)], [.fail(.protocolError, "the code of the end is invalid")]),
        (
            [close(1000, [0xff])],
            [.fail(.dataInconsistentWithMessage, "the reason of the end is not UTF-8")]
        ),
    ]

    @Test("Frames become messages, or the code with which the connection ends", arguments: 0..<cases.count)
    func frames(number: Int) {
        var frames = BridgeFrames(limit: 8)
        let (input, expected) = Self.cases[number]
        #expect(input.map { frames.receive($0) } == expected)
    }
}
#endif
