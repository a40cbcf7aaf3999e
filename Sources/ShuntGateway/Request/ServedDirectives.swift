#if Gateway
import Logging
import Shunt

extension GatewayOptions {
    /// Checks that rules do what their directives are for.
    ///
    /// A decision service asks no gate: the proxy before it has to, and the log names the directives.
    ///
    /// - Throws: `RuleSetError` for directives that the gateway does not do, unless they are accepted.
    func checkServed(_ ruleSet: RuleSet, _ logger: Logger) throws {
        guard decisionService != nil else {
            let unserved = ruleSet.servingErrors(accepting: acceptedDirectives, hasUpstream: upstream != nil)
            guard unserved.isEmpty else { throw RuleSetError(diagnostics: unserved) }
            return
        }
        let gates = ruleSet.gateDirectives
        guard !gates.isEmpty else { return }
        logger.warning(
            "these directives turn no one away here: the proxy has to do them",
            metadata: ["directives": "\(gates.joined(separator: ", "))"]
        )
    }
}
#endif
