#if Gateway
import NIOCore
import Synchronization

/// The body of a request, which can be offered to one server after another until one of them takes a part of it.
struct RequestBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private final class Progress: Sendable {
        let hasBegun = Atomic(false)
    }

    private let stream: RequestBodyStream
    private let progress = Progress()

    init(_ stream: RequestBodyStream) { self.stream = stream }

    /// Whether a part was taken, which cannot be had again.
    var hasBegun: Bool { progress.hasBegun.load(ordering: .relaxed) }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// Takes the stream when the first part is asked for; the stream may be taken only once.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: RequestBody
        private var parts: RequestBodyStream.AsyncIterator?

        fileprivate init(body: RequestBody) { self.body = body }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> ByteBuffer? {
            if parts == nil {
                body.progress.hasBegun.store(true, ordering: .relaxed)
                parts = body.stream.makeAsyncIterator()
            }
            return try await parts?.next(isolation: actor)
        }
    }
}
#endif
