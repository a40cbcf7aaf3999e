#if Gateway
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Asks an upstream and passes its answer on, part by part, no faster than the client takes it.
///
/// Where the upstream is a group, the next server is asked when one does not answer, as nginx does without
/// `proxy_next_upstream`: after errors and timeouts, each server once, and not after a request was sent that may not be sent
/// twice.
struct UpstreamExchange: Sendable {
    let client: HTTPClient
    /// What is asked, but for the server.
    let question: HTTPClientRequest
    let scheme: String
    let body: RequestBody?
    /// The servers of a group; nil where the URL of the question is the upstream.
    let servers: NIOLoopBound<PeerSearch>?
    let channel: any Channel
    let handler: NIOLoopBound<ConnectionHandler>

    func run() async {
        do {
            let response = try await ask()
            let handler = handler
            let status = response.status
            let headers = response.headers
            let isWanted = try await channel.eventLoop.submit { handler.value.startResponse(status, headers) }.get()
            guard isWanted else { return end() }
            try await pass(response.body)
            end()
            channel.eventLoop.execute { handler.value.endResponse() }
        } catch {
            let failure = error as? UpstreamFailure ?? UpstreamFailure(error)
            let handler = handler
            end()
            channel.eventLoop.execute { handler.value.upstreamFailed(failure) }
        }
    }

    /// Gives the server of a group free, if there is one that has not been.
    private func end() {
        guard let servers else { return }
        channel.eventLoop.execute { servers.value.end(failed: false, at: Self.seconds) }
    }

    private func ask() async throws -> HTTPClientResponse {
        var question = question
        while true {
            do {
                return try await askOne(question)
            } catch {
                let failure = UpstreamFailure(error)
                guard let servers, !Task.isCancelled else { throw failure }
                let mayAskAgain = allowsAnother(after: failure)
                let next = try await channel.eventLoop
                    .submit { () -> PeerAddress? in
                        let hasMore = servers.value.end(failed: true, at: Self.seconds)
                        return hasMore && mayAskAgain ? servers.value.next(at: Self.seconds) : nil
                    }
                    .get()
                guard let next else { throw failure }
                let base = next.base(scheme: scheme)
                question.url = base
                let handler = handler
                channel.eventLoop.execute { handler.value.asksServer(at: base, after: failure) }
            }
        }
    }

    private func askOne(_ question: HTTPClientRequest) async throws -> HTTPClientResponse {
        do {
            return try await client.execute(question, deadline: .distantFuture)
        } catch
            where body == nil && Self.idempotent.contains(question.method) && UpstreamFailure.isLostConnection(error)
        {
            return try await client.execute(question, deadline: .distantFuture)
        }
    }

    /// Whether another server may be asked: nothing was sent, or sending it twice does what sending it once does.
    private func allowsAnother(after failure: UpstreamFailure) -> Bool {
        guard failure.kind != .malformed, body?.hasBegun != true else { return false }
        return failure.isUnsent || !Self.unrepeatable.contains(question.method)
    }

    /// Methods of which asking twice does what asking once does.
    ///
    /// https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
    private static let idempotent: [HTTPMethod] = [.GET, .HEAD, .OPTIONS, .PUT, .DELETE]
    /// Methods that nginx passes to one server only, once they were sent.
    private static let unrepeatable: [HTTPMethod] = [.POST, .LOCK, .PATCH]

    private static var seconds: Int64 { PeerSearch.seconds(NIODeadline.now()) }

    private func pass(_ body: HTTPClientResponse.Body) async throws {
        let handler = handler
        for try await part in body where part.readableBytes > 0 {
            let written = channel.eventLoop.flatSubmit { [channel] in
                handler.value.expectProgress()
                return channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(part)))
            }
            try await written.get()
            channel.eventLoop.execute { handler.value.endProgress() }
        }
    }
}
#endif
