#if Gateway
import HTTPTypes
import Hummingbird
import NIOCore
import Shunt

/// Turns away what a web page asks of the admin listener behind the back of the operator whose browser shows it.
///
/// A page of any site can have a browser post to a loopback address, and by DNS rebinding read what comes back. So the Host
/// has to be an address, a loopback name or a name of the listener's own, because a page that was rebound has the name of
/// its site there; and what a browser says about the page that asks (`Origin`, `Referer`, `Sec-Fetch-Site`) has to be this
/// listener. Programs send none of these.
struct AdminGuard: RouterMiddleware {
    /// Names that the listener is reached by, in lower case.
    let names: Set<String>
    /// What has to be sent; nil for nothing.
    private let token: [UInt8]?

    init(names: [String], token: [UInt8]? = nil) {
        self.names = Set(names.map { $0.lowercased() })
        self.token = token
    }

    func handle(
        _ request: Hummingbird.Request,
        context: BasicRequestContext,
        next: @concurrent (Hummingbird.Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        var response =
            if let refusal = refusal(request) { refusal } else { try await next(request, context) }
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.openerPolicy] = "same-origin"
        response.headers[.resourcePolicy] = "same-origin"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        return response
    }

    /// The answer to a request that is not served; nil for one that is.
    private func refusal(_ request: Hummingbird.Request) -> Response? {
        // They tell nothing and change nothing, and load balancers ask for them by any name.
        if ["/health", "/ready"].contains(request.uri.path), request.method == .get { return nil }
        guard let own = request.head.authority, isOwn(own) else {
            return AdminRouter.text(
                "the admin listener answers for addresses, localhost and names given by --admin-host\n",
                status: .misdirectedRequest
            )
        }
        if isForeign(request, own) {
            return AdminRouter.text("this was asked by a page of another site\n", status: .forbidden)
        }
        guard let token, request.method != .get || !PageRouter.isOpen(request.uri.path) else { return nil }
        let given = request.headers[.authorization] ?? ""
        if given.hasPrefix(Self.scheme), Self.isSame(Array(given.utf8.dropFirst(Self.scheme.utf8.count)), token) {
            return nil
        }
        var response = AdminRouter.text("this needs Authorization: Bearer and the token\n", status: .unauthorized)
        response.headers[.wwwAuthenticate] = "Bearer"
        return response
    }

    private static let scheme = "Bearer "

    /// Takes the same time wherever the two differ.
    private static func isSame(_ given: [UInt8], _ token: [UInt8]) -> Bool {
        var difference = given.count ^ token.count
        for index in token.indices { difference |= Int(token[index] ^ (index < given.count ? given[index] : 0)) }
        return difference == 0
    }

    private func isOwn(_ authority: String) -> Bool {
        guard let asked = HostAndPort(Array(authority.utf8).span, usualPort: 80) else { return false }
        let name = asked.host
        return name.hasPrefix("[") || name == "localhost" || names.contains(name) || InternetAddress(name) != nil
    }

    private func isForeign(_ request: Hummingbird.Request, _ own: String) -> Bool {
        if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" { return true }
        if let origin = request.headers[.origin] { return origin.lowercased() != "http://\(own.lowercased())" }
        guard request.method != .get, let page = request.headers[.referer] else { return false }
        return !page.lowercased().hasPrefix("http://\(own.lowercased())/")
    }
}

extension HTTPField.Name {
    // Every character of these is one of a header's name.
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .origin
    fileprivate static let openerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy") ?? .origin
    fileprivate static let resourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy") ?? .origin
}
#endif
