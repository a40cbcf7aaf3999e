#if Gateway
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Asks an upstream and passes its answer on, part by part, no faster than the client takes it.
struct UpstreamExchange: Sendable {
    let client: HTTPClient
    let request: UpstreamRequest
    let body: RequestBodyStream?
    let length: IncomingRequest.BodyLength
    let channel: any Channel
    let handler: NIOLoopBound<ConnectionHandler>

    func run() async {
        do {
            let response = try await ask()
            let handler = handler
            let status = response.status
            let headers = response.headers
            let isWanted = try await channel.eventLoop.submit { handler.value.startResponse(status, headers) }.get()
            guard isWanted else { return }
            try await pass(response.body)
            channel.eventLoop.execute { handler.value.endResponse() }
        } catch {
            let failure = UpstreamFailure(error)
            let handler = handler
            channel.eventLoop.execute { handler.value.upstreamFailed(failure) }
        }
    }

    private func ask() async throws -> HTTPClientResponse {
        var question = HTTPClientRequest(url: request.base)
        question.method = request.method
        question.headers = request.headers
        question.headers.add(name: UpstreamTarget.header, value: request.target)
        if let body {
            switch length {
            case .known(let bytes): question.body = .stream(body, length: .known(Int64(bytes)))
            case .unknown, .none: question.body = .stream(body, length: .unknown)
            }
        }
        do {
            return try await client.execute(question, deadline: .distantFuture)
        } catch  where body == nil && request.isIdempotent && UpstreamFailure.isLostConnection(error) {
            return try await client.execute(question, deadline: .distantFuture)
        }
    }

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
