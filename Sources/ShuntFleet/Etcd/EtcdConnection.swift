#if Fleet
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Shunt

/// HTTP to the members of a cluster: one request, one answer or one stream, always with a deadline.
struct EtcdConnection: Sendable {
    struct Question: Sendable {
        let endpoint: String
        let path: String
        let body: [UInt8]
        let token: String?
    }

    /// For requests.
    private static let http = client()
    /// For watches, which hold their connections: a request does not look for its own among those of a thousand of them.
    private static let streams = client()

    /// HTTP/1.1 only, and nothing is tried again after the caller's back.
    private static func client() -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.retryConnectionEstablishment = false
        // A watch holds its connection for ever.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1 << 16
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// The most bytes of the text of an error.
    private static let longestError = 64 << 10

    private let tls: EtcdTLS
    private let patience: Duration
    private let clock: any StoreClock

    init(_ options: EtcdOptions, clock: any StoreClock) {
        tls = EtcdTLS(options)
        patience = options.patience
        self.clock = clock
    }

    /// The body of an answer of status 200; throws any other, and where there is none in time.
    func send(_ question: Question, limit: Int) async throws(EtcdError) -> [UInt8] {
        let request = try request(question)
        let endpoint = question.endpoint
        do {
            return try await Patience.wait(
                patience,
                orThrow: EtcdError(.late, "\(endpoint): no answer within \(patience)")
            ) { [patience] in
                let answer = try await Self.http.execute(request, timeout: TimeAmount(patience + .seconds(1)))
                guard answer.status == .ok else {
                    throw EtcdError(
                        status: Int(answer.status.code),
                        body: Array(try await answer.body.collect(upTo: Self.longestError).readableBytesView),
                        at: endpoint
                    )
                }
                return Array(try await answer.body.collect(upTo: limit).readableBytesView)
            }
        } catch {
            throw await failure(error, request: request, endpoint: endpoint, limit: limit)
        }
    }

    /// Sends a request and hands over what comes, for as long as it comes; throws where the stream ends.
    ///
    /// The connection is closed when `take` throws, when the task is cancelled, and in the end.
    func stream(_ question: Question, _ take: (ByteBuffer) async throws(EtcdError) -> Void) async throws(EtcdError) {
        let request = try request(question)
        let endpoint = question.endpoint
        do {
            let answer = try await Self.streams.execute(request, timeout: TimeAmount(patience))
            guard answer.status == .ok else {
                // The whole of it may never come.
                let text = try await Patience.wait(patience, orThrow: EtcdError(.late, endpoint)) {
                    Array(try await answer.body.collect(upTo: Self.longestError).readableBytesView)
                }
                throw EtcdError(status: Int(answer.status.code), body: text, at: endpoint)
            }
            for try await part in answer.body { try await take(part) }
        } catch {
            throw await failure(error, request: request, endpoint: endpoint, limit: EtcdLines.longest)
        }
        throw EtcdError(.lost, "\(endpoint): the watch has ended")
    }

    private func request(_ question: Question) throws(EtcdError) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: question.endpoint + question.path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "shunt")
        // A member without a majority then reports that, instead of being silent.
        request.headers.add(name: "Grpc-Metadata-hasleader", value: "true")
        if let token = question.token { request.headers.add(name: "Authorization", value: token) }
        // A known length: etcd never answers to a body that may continue.
        request.body = .bytes(ByteBuffer(bytes: question.body))
        if question.endpoint.hasPrefix("https:") { request.tlsConfiguration = try tls.configuration() }
        return request
    }

    private func failure(
        _ error: any Error,
        request: HTTPClientRequest,
        endpoint: String,
        limit: Int
    ) async -> EtcdError {
        switch error {
        case let failure as EtcdError: return failure
        case is CancellationError: return EtcdError(.lost, "\(endpoint): it was cancelled")
        case is NIOTooManyBytesError:
            return EtcdError(.malformed, "\(endpoint): the answer has more than \(limit) bytes")
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            return EtcdError(.unreachable, "\(endpoint): its certificate is for another name")
        case let error as NIOSSLError:
            let text = "\(error)"
            guard text.contains("CERTIFICATE_VERIFY_FAILED"), let configuration = request.tlsConfiguration else {
                return EtcdError(.unreachable, "\(endpoint): TLS failed: \(text)")
            }
            let problem = await EtcdCertificateProblem.text(endpoint, configuration, now: Int(clock.date.seconds))
            return EtcdError(.unreachable, "\(endpoint): \(problem)")
        case let error as HTTPClientError:
            switch error {
            case .connectTimeout, .tlsHandshakeTimeout:
                return EtcdError(.unreachable, "\(endpoint): no connection in time")
            case .deadlineExceeded: return EtcdError(.late, "\(endpoint): no answer within \(patience)")
            default: return EtcdError(.lost, "\(endpoint): \(error.shortDescription)")
            }
        case is NIOConnectionError, is ChannelError, is IOError:
            let isRefused = "\(error)".contains("refused")
            return EtcdError(
                error is NIOConnectionError || isRefused ? .unreachable : .lost,
                isRefused ? "\(endpoint): connection refused" : "\(endpoint): \(error)"
            )
        default: return EtcdError(.lost, "\(endpoint): \(error)")
        }
    }
}
#endif
