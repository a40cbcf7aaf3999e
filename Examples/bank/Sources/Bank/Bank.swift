import BankInterfaces
import BankLogin
import BankPayments
import Shunt
package import ShuntLinks
package import ShuntModules

/// The program: its modules, and what is between them.
package enum Bank {
    /// The modules, and what none of them knows: that a payment which is not authorized needs a token of the sign-in.
    package static func assembly() -> Assembly {
        var assembly = Assembly()
        assembly.add(PaymentsModule())
        assembly.add(LoginModule())
        assembly.intercept(
            Recovery("payment token") { error, _ in
                error is Payments.Unauthorized ? "token" : nil
            } repair: { _, program in
                CallValues(Payments.token, try await program.call(Login.paymentToken, .init(presentation: .modal)))
            }
        )
        return assembly
    }

    /// The way in for URLs.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - rules: The folder of the rules.
    /// - Returns: The links.
    /// - Throws: Everything that is wrong with the rules or the addresses.
    package static func links(to modules: Modules, rules: String) throws -> Links {
        let engine = Engine(try RuleSet(path: rules))
        let links = try Links(modules, rules: engine)
        try links.check(engine)
        return links
    }

    /// The way in for pages.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - rules: The folder of the rules.
    ///   - origins: The origins of the bank's pages.
    /// - Returns: The bridge.
    /// - Throws: As `links`, and `BridgeError` for an origin that is invalid.
    package static func bridge(to modules: Modules, rules: String, origins: [String]) throws -> Bridge {
        try Bridge(try links(to: modules, rules: rules), origins: origins)
    }
}
