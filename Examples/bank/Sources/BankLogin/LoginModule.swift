import BankInterfaces
package import ShuntModules

/// Counts the tokens that it issues.
actor TokenIssuer {
    private var count = 0

    func token() -> String {
        count += 1
        return "token \(count)"
    }
}

/// Signs people in.
///
/// It knows nothing of payments.
package struct LoginModule: ProgramModule {
    package init() {}

    package func define(_ definition: inout ModuleDefinition<NoValue>) {
        let issuer = definition.own { _ in TokenIssuer() }
        definition.handle(Login.login) { credentials, _ in
            Login.Session(bearerToken: "bearer of \(credentials.username)")
        }
        definition.handle(Login.paymentToken) { _, call in await call[issuer].token() }
    }
}
