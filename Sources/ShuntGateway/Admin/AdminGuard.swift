#if Gateway
import NIOHTTP1
import Shunt

/// Turns away what a web page asks of the admin listener after the back of the operator whose browser shows it.
///
/// A page of any site can have a browser post to a loopback address, and by DNS rebinding read what comes back. So the
/// Host has to be an address, a loopback name or a name of the listener's own, because a page that was rebound has the
/// name of its site there; and what a browser sends about the page that asks (`Origin`, `Referer`, `Sec-Fetch-Site`)
/// has to be this listener. Programs send none of these.
struct AdminGuard: Sendable {
    /// Names that the listener is reached by, in lower case.
    let names: Set<String>
    /// The token that clients have to send; nil for none.
    private let token: [UInt8]?

    init(names: [String], token: [UInt8]? = nil) {
        self.names = Set(names.map { $0.lowercased() })
        self.token = token
    }

    /// Adds what keeps pages of other sites from using an answer.
    func addHeaders(to response: inout AdminResponse) {
        let headers = [
            ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ]
        for (name, value) in headers where !response.headers.contains(name: name) {
            response.headers.add(name: name, value: value)
        }
    }

    /// The answer to a request that is not served; nil for one that is.
    func refusal(_ request: AdminRequest) -> AdminResponse? {
        // They reveal nothing and change nothing, and load balancers ask for them by any name.
        if ["/health", "/ready"].contains(request.path), request.isRead { return nil }
        guard let own = request.authority, isOwn(own) else {
            return .text(
                "the admin listener answers for addresses, localhost and names given by --admin-host\n",
                status: .misdirectedRequest
            )
        }
        if isForeign(request, own) {
            return .text("this request is from a page of another site\n", status: .forbidden)
        }
        guard let token, !request.isRead || !PageRouter.isOpen(request.path) else { return nil }
        let given = request.headers.first(name: "authorization") ?? ""
        if given.hasPrefix(Self.scheme), Self.isSame(Array(given.utf8.dropFirst(Self.scheme.utf8.count)), token) {
            return nil
        }
        var response = AdminResponse.text("this needs Authorization: Bearer and the token\n", status: .unauthorized)
        response.headers.add(name: "WWW-Authenticate", value: "Bearer")
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

    private func isForeign(_ request: AdminRequest, _ own: String) -> Bool {
        if let site = request.headers.first(name: "sec-fetch-site"), site != "same-origin", site != "none" {
            return true
        }
        if let origin = request.headers.first(name: "origin") {
            return origin.lowercased() != "http://\(own.lowercased())"
        }
        guard !request.isRead, let page = request.headers.first(name: "referer") else { return false }
        return !page.lowercased().hasPrefix("http://\(own.lowercased())/")
    }
}
#endif
