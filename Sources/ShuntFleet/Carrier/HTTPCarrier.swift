#if Fleet
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
public import Shunt
import Synchronization

/// A tree of releases that a web server, a bucket or a CDN serves over HTTP or HTTPS.
///
/// A pointer that has not changed costs an answer without a body. Where the server asks to wait (`Retry-After` with 429 or
/// 503), it is not asked for the pointer before.
///
/// Thread safe.
public final class HTTPCarrier: FleetCarrier {
    private struct State {
        var tag: String?
        var pointer: [UInt8] = []
        var waitUntil: Duration?
    }

    private typealias Answer = (head: HTTPClientResponse, body: [UInt8])

    /// The URL of the tree, which ends in a slash.
    public let name: String
    private let clock: any StoreClock
    private let state = Mutex(State())

    /// The longest time until the last byte of one answer.
    private let patience: Duration
    /// The longest wait that a server may ask for.
    private static let longestWait = 600

    /// Makes a carrier of the tree at `http://…` or `https://…`; nothing is asked yet.
    ///
    /// - Throws: An error for any other URL, and for one with a query.
    public convenience init(_ url: String, clock: any StoreClock = SystemStoreClock()) throws(FleetError) {
        try self.init(url, clock: clock, patience: .seconds(20))
    }

    package init(_ url: String, clock: any StoreClock, patience: Duration) throws(FleetError) {
        let lower = url.lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://"), !url.contains("?"), !url.contains("#") else {
            throw FleetError("\(url): a tree is at http://… or https://…, without a query")
        }
        name = url.hasSuffix("/") ? url : url + "/"
        self.clock = clock
        self.patience = patience
    }

    /// The current pointer.
    public func pointer() async throws -> [UInt8] {
        let (tag, wait) = state.withLock { ($0.tag, $0.waitUntil.map { $0 - clock.now } ?? .zero) }
        guard wait <= .zero else {
            throw FleetError("\(name): the server requires a wait of \(wait.components.seconds) s")
        }
        let (head, body) = try await ask("pointer", limit: ReleasePointer.longest, tag: tag)
        switch head.status {
        case .ok:
            state.withLock { ($0.tag, $0.pointer) = (head.headers.first(name: "ETag"), body) }
            return body
        case .notModified where tag != nil:
            return state.withLock { $0.pointer }
        case .tooManyRequests, .serviceUnavailable:
            if let seconds = head.headers.first(name: "Retry-After").flatMap({ Int($0) }), seconds > 0 {
                let end = clock.now + .seconds(min(seconds, Self.longestWait))
                state.withLock { $0.waitUntil = end }
            }
            fallthrough
        default:
            throw FleetError("\(name)pointer: status \(head.status.code)")
        }
    }

    /// The manifest of a set.
    public func manifest(_ set: ContentName, limit: Int) async throws -> [UInt8] {
        try await file("sets/\(set)", limit)
    }

    /// A blob.
    public func blob(_ blob: ContentName, limit: Int) async throws -> [UInt8] {
        try await file("blobs/\(blob)", limit)
    }

    private func file(_ path: String, _ limit: Int) async throws -> [UInt8] {
        let (head, body) = try await ask(path, limit: limit)
        guard head.status == .ok else { throw FleetError("\(name)\(path): status \(head.status.code)") }
        return body
    }

    private func ask(_ path: String, limit: Int, tag: String? = nil) async throws -> Answer {
        var request = HTTPClientRequest(url: name + path)
        request.headers.add(name: "User-Agent", value: "shunt")
        if let tag { request.headers.add(name: "If-None-Match", value: tag) }
        let url = request.url
        let limited = request
        do {
            // The client's own limit, which is longer, does not hold for a body that comes byte by byte.
            let late = FleetError("\(url): the answer took longer than \(patience)")
            return try await Patience.wait(patience, orThrow: late) { [patience] in
                try await Self.exchange(limited, limit: limit, patience: patience)
            }
        } catch let error as FleetError {
            throw error
        } catch is NIOTooManyBytesError {
            throw FleetError("\(name)\(path): it has more than \(limit) bytes")
        } catch let error as CancellationError {
            throw error
        } catch {
            throw FleetError("\(name)\(path): \(error)")
        }
    }

    private static func exchange(_ request: HTTPClientRequest, limit: Int, patience: Duration) async throws -> Answer {
        let answer = try await HTTPClient.shared.execute(request, timeout: TimeAmount(patience + .seconds(1)))
        // The page of an error is not read.
        guard answer.status == .ok else { return (answer, []) }
        return (answer, Array(try await answer.body.collect(upTo: limit).readableBytesView))
    }
}
#endif
