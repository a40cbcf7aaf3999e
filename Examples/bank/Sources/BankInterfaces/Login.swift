package import ShuntInterfaces

/// What can be asked of the sign-in.
package enum Login {
    /// Who signs in.
    package struct Credentials: Codable, Hashable, Sendable {
        package var username: String
        package var password: String
    }

    /// What somebody who signed in has.
    package struct Session: Codable, Hashable, Sendable {
        package var bearerToken: String

        package init(bearerToken: String) { self.bearerToken = bearerToken }
    }

    /// How the token is asked for.
    package struct TokenRequest: Codable, Hashable, Sendable {
        package var presentation: Presentation

        package init(presentation: Presentation) { self.presentation = presentation }
    }

    /// Signs in with a name and a password.
    package static let login = ModuleAction<Credentials, Session>("Login.login", at: "tandem://login/login")
    /// Asks somebody for a token, and answers when there is one.
    package static let paymentToken = ModuleAction<TokenRequest, String>("Login.paymentToken")
}
