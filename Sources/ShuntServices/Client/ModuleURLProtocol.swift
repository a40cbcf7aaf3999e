#if Modules
import Foundation
import Shunt
public import ShuntLinks
import ShuntModules
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Lets code that only speaks HTTP reach modules inside of the process: a session asks it before the network.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// ModuleURLProtocol.install(links, schemes: ["tandem"], in: configuration)
/// let (data, response) = try await URLSession(configuration: configuration).data(from: url)
/// ```
///
/// Requests of the given schemes are answered by the modules, also where nothing takes them (404); all others go to the
/// network. The caller is code of the process. A redirect of the rules is an answer with its status and `Location`; the
/// session hands it on unchanged. A body has to be in `httpBody`. With FoundationNetworking a feed is handed over as a
/// whole, when it has ended.
public final class ModuleURLProtocol: URLProtocol {
    /// The links that answer each scheme.
    ///
    /// Sessions make instances of a class, not of a value, so this has to be known for the process, as schemes are.
    private static let doors = Mutex<[String: Links]>([:])

    private let loading = Mutex<Task<Void, Never>?>(nil)

    /// Lets the modules answer requests of some schemes in sessions with a configuration; make the session after this.
    ///
    /// The links take the place of what answered these schemes before in this process.
    public static func install(_ links: Links, schemes: Set<String>, in configuration: URLSessionConfiguration) {
        doors.withLock { doors in for scheme in schemes { doors[scheme.lowercased()] = links } }
        configuration.protocolClasses = [Self.self] + (configuration.protocolClasses ?? []).filter { $0 != Self.self }
    }

    /// Lets go of what answers some schemes in this process.
    public static func remove(schemes: Set<String>) {
        let removed = doors.withLock { doors in schemes.map { doors.removeValue(forKey: $0.lowercased()) } }
        _ = removed
    }

    private static func links(for request: URLRequest) -> Links? {
        guard let scheme = request.url?.scheme?.lowercased() else { return nil }
        return doors.withLock { $0[scheme] }
    }

    // MARK: What a session asks

    /// Returns true if the scheme of a request is one that modules answer.
    public override class func canInit(with request: URLRequest) -> Bool { links(for: request) != nil }

    /// The request unchanged.
    public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Begins the call.
    public override func startLoading() {
        guard let links = Self.links(for: request), let url = request.url else {
            client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL))
            return
        }
        // Not checked by the compiler: the class is Foundation's and has no promise about tasks. What the task reads of
        // the object (its request, its client) does not change after the start, the client may be called from any
        // thread, and the only other access, `stopLoading`, touches nothing but what the lock guards.
        nonisolated(unsafe) let loader = self
        let task = Task { await loader.load(url, links) }
        loading.withLock { $0 = task }
    }

    /// Cancels the call.
    public override func stopLoading() {
        let task = loading.withLock { loading in
            defer { loading = nil }
            return loading
        }
        task?.cancel()
    }

    private func load(_ url: URL, _ links: Links) async {
        do {
            let body = request.httpBody.map { [UInt8]($0) } ?? []
            let response = try await links.respond(to: question(url), body: body, from: Caller(.code))
            guard
                let head = HTTPURLResponse(
                    url: url,
                    statusCode: response.status,
                    httpVersion: "HTTP/1.1",
                    headerFields: Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
                )
            else { throw URLError(.badServerResponse) }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
            switch response.body {
            case .bytes(let bytes):
                if !bytes.isEmpty { client?.urlProtocol(self, didLoad: Data(bytes)) }
            case .events(let elements): try await load(elements)
            }
            client?.urlProtocolDidFinishLoading(self)
        } catch {
            // A session that stopped the loading does not want to hear of it.
            if !Task.isCancelled { client?.urlProtocol(self, didFailWithError: error) }
        }
    }

    private func load(_ elements: FeedStream<any Sendable>) async throws {
        #if canImport(FoundationNetworking)
        // Of the parts of an answer it keeps the last one only.
        var whole = Data()
        for try await element in elements { whole += try LinkResponse.event(element) }
        client?.urlProtocol(self, didLoad: whole)
        #else
        for try await element in elements { client?.urlProtocol(self, didLoad: Data(try LinkResponse.event(element))) }
        #endif
    }

    private func question(_ url: URL) -> RuleRequest {
        var question = RuleRequest(url: url.absoluteString)
        question.method = request.httpMethod ?? "GET"
        question.headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            .map { RuleRequest.Header($0.key, $0.value) }
        return question
    }
}
#endif
