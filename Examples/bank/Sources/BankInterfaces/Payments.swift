package import ShuntInterfaces

/// The calls of payments.
package enum Payments {
    /// A payment.
    package struct Payment: Codable, Hashable, Sendable {
        package var amount: Int

        package init(amount: Int) { self.amount = amount }
    }

    /// The result of a payment.
    package struct Receipt: Codable, Hashable, Sendable {
        package var number: String

        package init(number: String) { self.number = number }
    }

    /// A payment without a token, or with one that is not taken.
    package struct Unauthorized: StatusError {
        package let status = 401

        package init() {}
    }

    /// Pays.
    ///
    /// A link, a page and the network may call it.
    package static let pay = ModuleAction<Payment, Receipt>(
        "Payments.pay",
        at: "yourbank://payments/pay",
        for: [.links, .web, .network]
    )
    /// The token that goes with a payment; nothing outside can put it there.
    package static let token = ValueKey<String>("payment token")
}
