import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#else
package import Foundation
#endif

/// A module from before there were modules: it signs in by HTTP, and does not know that nothing leaves the process.
package struct OldStatements: Sendable {
    private let session: URLSession

    package init(_ session: URLSession) { self.session = session }

    /// The token of a user who signs in.
    package func bearerToken(username: String, password: String) async throws -> String? {
        var address = URLComponents()
        address.scheme = "tandem"
        address.host = "login"
        address.path = "/login"
        address.queryItems = [
            URLQueryItem(name: "username", value: username), URLQueryItem(name: "password", value: password),
        ]
        guard let url = address.url else { throw URLError(.badURL) }
        let (data, _) = try await session.data(from: url)
        return try JSONDecoder().decode([String: String].self, from: data)["bearerToken"]
    }
}
