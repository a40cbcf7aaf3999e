#if Gateway
import Shunt

/// The rules that decided about a request, for deciding about it again once an upstream has answered.
///
/// An object of each event loop: keeping it touches no count that other loops touch. Used on its loop only.
final class DecisionBasis {
    let rules: RuleSnapshot

    init(_ rules: RuleSnapshot) { self.rules = rules }
}
#endif
