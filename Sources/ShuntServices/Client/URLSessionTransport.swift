#if Client
import Foundation
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests with `URLSession`, as apps do; safe to use from any task.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let receiver = Receiver()

    /// Makes a separate session, with the time-out and the protocols of a configuration, such as `ModuleURLProtocol`.
    public init(_ configuration: URLSessionConfiguration = .ephemeral) {
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request and reads the answer up to a limit; what is above it is not read.
    ///
    /// - Throws: `ClientError.timedOut`, `unreachable` and `tooLarge`; `CancellationError`.
    public func send(_ exchange: HTTPExchange, limit: Int) async throws -> HTTPReply {
        guard let url = URL(string: exchange.url) else {
            throw ClientError.unsendable(reason: "\(exchange.url) is not a URL for Foundation")
        }
        var request = URLRequest(url: url)
        request.httpMethod = exchange.request.method.rawValue
        for field in exchange.request.headerFields {
            request.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        if !exchange.body.isEmpty { request.httpBody = Data(exchange.body) }
        let task = session.dataTask(with: request)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    receiver.begin(task, exchange: exchange, limit: limit, continuation: continuation)
                    if Task.isCancelled { task.cancel() }
                    task.resume()
                }
            } onCancel: {
                task.cancel()
            }
        } catch let error as URLError {
            try Task.checkCancellation()
            throw error.code == .timedOut ? ClientError.timedOut : ClientError.unreachable(error)
        }
    }
}

/// Collects the answers of the tasks of one session.
private final class Receiver: NSObject, URLSessionDataDelegate {
    private struct Exchange {
        let limit: Int
        let progress: (@Sendable (Int, Int?) -> Void)?
        var body: [UInt8] = []
        var isTooLarge = false
        var continuation: CheckedContinuation<HTTPReply, any Error>
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func begin(
        _ task: URLSessionDataTask,
        exchange: HTTPExchange,
        limit: Int,
        continuation: CheckedContinuation<HTTPReply, any Error>
    ) {
        exchanges.withLock {
            $0[task.taskIdentifier] = Exchange(limit: limit, progress: exchange.progress, continuation: continuation)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let exchange = exchanges.withLock { exchanges -> Exchange? in
            guard var exchange = exchanges.removeValue(forKey: dataTask.taskIdentifier) else { return nil }
            exchange.isTooLarge = exchange.isTooLarge || exchange.body.count + data.count > exchange.limit
            if !exchange.isTooLarge { exchange.body += data }
            exchanges[dataTask.taskIdentifier] = exchange
            return exchange
        }
        guard let exchange else { return }
        if exchange.isTooLarge { return dataTask.cancel() }
        let expected = dataTask.countOfBytesExpectedToReceive
        exchange.progress?(exchange.body.count, expected < 0 ? nil : Int(expected))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        let result: Result<HTTPReply, any Error>
        if exchange.isTooLarge {
            result = .failure(ClientError.tooLarge(limit: exchange.limit))
        } else if let error {
            result = .failure(error)
        } else if let answer = task.response as? HTTPURLResponse {
            var response = HTTPResponse(status: HTTPResponse.Status(code: answer.statusCode))
            for (name, value) in answer.allHeaderFields {
                guard let name = HTTPField.Name("\(name)") else { continue }
                response.headerFields.append(HTTPField(name: name, value: "\(value)"))
            }
            result = .success(HTTPReply(response, body: exchange.body))
        } else {
            result = .failure(URLError(.badServerResponse))
        }
        exchange.continuation.resume(with: result)
    }
}
#endif
