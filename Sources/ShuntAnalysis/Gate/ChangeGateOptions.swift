public import Shunt

extension ChangeGate {
    /// What happens to rules that change more than they may.
    @nonexhaustive
    public enum Action: String, Sendable, CaseIterable {
        /// They wait for somebody to approve them; the old ones go on serving.
        case hold
        /// They are refused; the old ones go on serving.
        case refuse
        /// They are put into use, and a warning tells of it.
        case warn
    }

    /// What a gate lets pass.
    public struct Options: Sendable {
        /// How many of the sampled requests may get another outcome; nil for any number.
        public var maximumChanged: ChangeBudget?
        /// How many rules a new set may lack; nil for any number.
        public var maximumRemoved: ChangeBudget?
        /// What happens to a set that changes more.
        public var action = Action.hold
        /// Requests that are always asked as well: none of them may change.
        public var requests: [RequestDescription] = []
        /// The fewest sampled requests that say anything.
        public var minimumSample = 100
        /// The longest time that judging may take; the requests that were asked by then decide.
        public var timeLimit: Duration = .seconds(10)
        /// How the engines work whose decisions are compared: as those that serve.
        public var engine = Engine.Options()

        /// Makes options that let everything pass.
        public init() {}

        /// Whether there is anything to judge.
        public var isActive: Bool { maximumChanged != nil || maximumRemoved != nil || !requests.isEmpty }
    }
}
