#if Gateway
import NIOCore

/// The written answers of one connection that are not sent yet: the answers to one read are sent at once.
final class ResponseOutput {
    /// The size at which the buffer is sent.
    private static let limit = 32_768
    /// The largest part that is copied instead of being handed on.
    private static let copyLimit = 8_192

    private let rules: LoopRules
    private var bytes = ByteBuffer()
    /// True if something was handed on that is not sent yet.
    private var needsFlush = false
    /// The number of bytes handed on.
    private var handedOn = 0

    init(_ rules: LoopRules) { self.rules = rules }

    /// True if there is so much that it is to be sent, whatever comes.
    var isLong: Bool { bytes.readableBytes > Self.limit }

    /// The number of bytes written.
    var total: Int { handedOn + bytes.readableBytes }

    /// The place where what is written next begins in the buffer that `take` returns.
    var end: Int { bytes.writerIndex }

    /// The buffer to write a part of an answer into, to be returned to `put`.
    func take() -> ByteBuffer {
        defer { bytes = ByteBuffer() }
        return bytes.capacity == 0 ? rules.takeSpare() : bytes
    }

    /// Keeps what was written until it is sent.
    func put(_ written: ByteBuffer) { bytes = written }

    /// Writes a part of a body.
    func write(body part: ByteBuffer, isChunked: Bool, _ context: ChannelHandlerContext) {
        var output = take()
        if isChunked { output.writeString(String(part.readableBytes, radix: 16) + "\r\n") }
        if part.readableBytes <= Self.copyLimit {
            output.writeImmutableBuffer(part)
        } else {
            needsFlush = true
            handedOn += output.readableBytes + part.readableBytes
            context.write(NIOAny(output), promise: nil)
            context.write(NIOAny(part), promise: nil)
            output = ByteBuffer()
        }
        if isChunked { output.writeStaticString("\r\n") }
        put(output)
        if isLong { flush(context) }
    }

    /// Writes a part of a file, which the system sends from there.
    ///
    /// For what is no longer in the file, the system would wait without an end.
    func write(_ part: Range<Int>, of file: OpenFile, _ context: ChannelHandlerContext) {
        needsFlush = true
        handedOn += bytes.readableBytes + part.count
        if bytes.readableBytes > 0 { context.write(NIOAny(bytes), promise: nil) }
        bytes = ByteBuffer()
        let region = FileRegion(fileHandle: file.handle, readerIndex: part.lowerBound, endIndex: part.upperBound)
        let promise = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        let watch = context.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            if file.lacks(part) { channel.close(promise: nil) }
        }
        // The file stays open as long as something of it is to be sent.
        promise.futureResult.assumeIsolated()
            .whenComplete { _ in
                watch.cancel()
                withExtendedLifetime(file) {}
            }
        context.write(NIOAny(region), promise: promise)
    }

    /// Writes the end of a body of chunks.
    func writeLastChunk() {
        var output = take()
        output.writeStaticString("0\r\n\r\n")
        put(output)
    }

    /// Sends what has been written.
    func flush(_ context: ChannelHandlerContext) {
        guard bytes.readableBytes > 0 else {
            if needsFlush { context.flush() }
            needsFlush = false
            return
        }
        needsFlush = false
        handedOn += bytes.readableBytes
        let written = bytes
        bytes = ByteBuffer()
        context.writeAndFlush(NIOAny(written), promise: nil)
        rules.keepSpare(written)
    }

    /// Sends what has been written, and reports when the system has taken it.
    func send(_ context: ChannelHandlerContext, then: @escaping () -> Void) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { _ in then() }
        handedOn += bytes.readableBytes
        let written = bytes
        bytes = ByteBuffer()
        needsFlush = false
        context.writeAndFlush(NIOAny(written), promise: promise)
    }
}
#endif
