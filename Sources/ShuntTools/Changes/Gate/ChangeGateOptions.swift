public import Shunt

extension ChangeGate {
    /// The action for rules that change more than they may.
    @nonexhaustive
    public enum Action: String, Sendable, CaseIterable {
        /// They wait for someone to approve them; the old ones continue serving.
        case hold
        /// They are refused; the old ones continue serving.
        case refuse
        /// They are put into use, and a warning reports it.
        case warn
    }

    /// The limits of a gate.
    public struct Options: Sendable {
        /// The most sampled requests that may get another outcome; nil for any number.
        public var maximumChanged: ChangeLimit?
        /// The most rules that a new set may lack; nil for any number.
        public var maximumRemoved: ChangeLimit?
        /// The action for a set that changes more.
        public var action = Action.hold
        /// Requests that are always asked as well: none of them may change.
        public var requests: [RequestDescription] = []
        /// The fewest sampled requests to judge by.
        public var minimumSample = 100
        /// The longest time that judging may take; the requests that were asked by then decide.
        public var timeLimit: Duration = .seconds(10)
        /// The options of the engines whose decisions are compared: those of the serving engines.
        public var engine = Engine.Options()

        /// Makes options that let everything pass.
        public init() {}

        /// True if there is anything to judge.
        public var isActive: Bool { maximumChanged != nil || maximumRemoved != nil || !requests.isEmpty }
    }
}
