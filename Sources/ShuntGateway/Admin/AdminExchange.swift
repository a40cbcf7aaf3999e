#if Gateway
import NIOHTTP1
import Shunt

/// A request to the admin listener.
struct AdminRequest: Sendable {
    let method: String
    let path: String
    let query: String
    let headers: HTTPHeaders
    var body: [UInt8] = []
    /// The part of the path that the route leaves open.
    var parameter = ""
    /// The address of the client; empty for a Unix socket.
    var client = ""

    init(_ head: HTTPRequestHead) {
        method = head.method.rawValue
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        path = parts.first ?? ""
        query = parts.count > 1 ? parts[1] : ""
        headers = head.headers
    }

    /// True if it changes nothing.
    var isRead: Bool { method == "GET" || method == "HEAD" }

    /// The host and port that it is for; nil where it names none or several.
    var authority: String? {
        let hosts = headers["host"]
        return hosts.count == 1 ? hosts[0] : nil
    }

    var arguments: AdminArguments { AdminArguments(query: query) }
}

/// An answer of the admin listener.
struct AdminResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Events until the listener is ended.
        case events(LiveListener, of: LiveEvents)
    }

    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: Body

    init(_ body: Body, type: String, status: HTTPResponseStatus = .ok) {
        self.status = status
        headers = ["Content-Type": type]
        self.body = body
    }

    static func text(_ text: String, status: HTTPResponseStatus = .ok) -> AdminResponse {
        AdminResponse(.bytes(Array(text.utf8)), type: "text/plain; charset=utf-8", status: status)
    }

    static func json(_ bytes: [UInt8], status: HTTPResponseStatus = .ok) -> AdminResponse {
        AdminResponse(.bytes(bytes), type: "application/json", status: status)
    }
}

/// The paths of the admin listener and their answers.
struct AdminRoutes: Sendable {
    typealias Answer = @Sendable (AdminRequest) async throws -> AdminResponse

    private struct Route {
        var isRead: Bool
        var path: [Substring]
        var answer: Answer
    }

    private let guarding: AdminGuard
    private var routes: [Route] = []

    init(guarding: AdminGuard) { self.guarding = guarding }

    /// Answers GET and HEAD at a path, of which one component may be `*`.
    mutating func get(_ path: String, _ answer: @escaping Answer) { add(path, isRead: true, answer) }

    mutating func post(_ path: String, _ answer: @escaping Answer) { add(path, isRead: false, answer) }

    private mutating func add(_ path: String, isRead: Bool, _ answer: @escaping Answer) {
        let path = path.split(separator: "/", omittingEmptySubsequences: false)
        routes.append(Route(isRead: isRead, path: path, answer: answer))
    }

    func answer(_ request: AdminRequest) async -> AdminResponse {
        var response =
            if let refusal = guarding.refusal(request) { refusal } else { await answerAllowed(request) }
        guarding.addHeaders(to: &response)
        return response
    }

    private func answerAllowed(_ request: AdminRequest) async -> AdminResponse {
        let path = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard request.isRead || request.method == "POST",
            let route = routes.first(where: { $0.isRead == request.isRead && Self.matches(path, $0.path) })
        else { return .text("not found\n", status: .notFound) }
        var request = request
        if let index = route.path.firstIndex(of: "*") { request.parameter = String(path[index]) }
        do {
            return try await route.answer(request)
        } catch {
            return .text("\(error)\n", status: .internalServerError)
        }
    }

    private static func matches(_ path: [Substring], _ pattern: [Substring]) -> Bool {
        path.count == pattern.count && zip(path, pattern).allSatisfy { $0 == $1 || $1 == "*" && !$0.isEmpty }
    }
}
#endif
