#if Client
public import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Sends requests with AsyncHTTPClient, as servers do; safe to use from any task.
public struct AsyncHTTPTransport: HTTPTransport {
    private let client: HTTPClient
    private let timeout: Duration

    /// Makes it; the owner of the client shuts it down, and the time is for a whole exchange.
    public init(_ client: HTTPClient = .shared, timeout: Duration = .seconds(60)) {
        self.client = client
        self.timeout = timeout
    }

    /// Sends a request and reads the answer up to a limit; what is above it is not read.
    ///
    /// - Throws: `ClientError.timedOut`, `unreachable` and `tooLarge`; `CancellationError`.
    public func send(_ exchange: HTTPExchange, limit: Int) async throws -> HTTPReply {
        var request = HTTPClientRequest(url: exchange.url)
        request.method = HTTPMethod(rawValue: exchange.request.method.rawValue)
        for field in exchange.request.headerFields { request.headers.add(name: field.name.rawName, value: field.value) }
        if !exchange.body.isEmpty { request.body = .bytes(ByteBuffer(bytes: exchange.body)) }
        do {
            let answer = try await client.execute(request, deadline: .now() + TimeAmount(timeout))
            var response = HTTPResponse(status: HTTPResponse.Status(code: Int(answer.status.code)))
            for (name, value) in answer.headers {
                guard let name = HTTPField.Name(name) else { continue }
                response.headerFields.append(HTTPField(name: name, value: value))
            }
            let expected = answer.headers.first(name: "Content-Length").flatMap { Int($0) }
            var body: [UInt8] = []
            for try await part in answer.body {
                guard body.count + part.readableBytes <= limit else { throw ClientError.tooLarge(limit: limit) }
                body += part.readableBytesView
                exchange.progress?(body.count, expected)
            }
            return HTTPReply(response, body: body)
        } catch let error as HTTPClientError {
            try Task.checkCancellation()
            throw Self.timeouts.contains(error) ? ClientError.timedOut : ClientError.unreachable(error)
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
        .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout,
    ]
}
#endif
