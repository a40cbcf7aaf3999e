package import ShuntInterfaces

/// The calls of the sign-in.
package enum Login {
    /// The name and the password of a user.
    package struct Credentials: Codable, Hashable, Sendable {
        package var username: String
        package var password: String
    }

    /// The session of a user who signed in.
    package struct Session: Codable, Hashable, Sendable {
        package var bearerToken: String

        package init(bearerToken: String) { self.bearerToken = bearerToken }
    }

    /// A request for a token.
    package struct TokenRequest: Codable, Hashable, Sendable {
        package var presentation: Presentation

        package init(presentation: Presentation) { self.presentation = presentation }
    }

    /// Signs in with a name and a password.
    package static let login = ModuleAction<Credentials, Session>("Login.login", at: "tandem://login/login")
    /// Asks a user for a token, and answers when there is one.
    package static let paymentToken = ModuleAction<TokenRequest, String>("Login.paymentToken")
}
