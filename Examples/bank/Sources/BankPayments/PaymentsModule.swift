import BankInterfaces
package import ShuntModules

/// Pays for those who have a token.
///
/// It knows neither where tokens come from nor which module needs them.
package struct PaymentsModule: ProgramModule {
    package init() {}

    package func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.handle(Payments.pay) { payment, call in
            guard let token = call.values[Payments.token] else { throw Payments.Unauthorized() }
            return Payments.Receipt(number: "\(payment.amount) with \(token)")
        }
    }
}
