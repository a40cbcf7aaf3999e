/// The kinds of block that a directive may be in, as a set.
package struct Contexts: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Outside all blocks.
    ///
    /// What `http` takes is taken here too, so that a rule file needs no `http` around it.
    package static let topLevel = Contexts(rawValue: 1 << 0)
    package static let http = Contexts(rawValue: 1 << 1)
    package static let server = Contexts(rawValue: 1 << 2)
    package static let location = Contexts(rawValue: 1 << 3)
    package static let ifInServer = Contexts(rawValue: 1 << 4)
    package static let ifInLocation = Contexts(rawValue: 1 << 5)
    package static let limitExcept = Contexts(rawValue: 1 << 6)
    package static let upstream = Contexts(rawValue: 1 << 7)
    package static let match = Contexts(rawValue: 1 << 8)
    package static let ifInURLPhase = Contexts(rawValue: 1 << 9)

    static let urlPhase: Contexts = [.topLevel, .match, .ifInURLPhase]
    static let settings: Contexts = [.http, .server, .location]
    static let rewriting: Contexts = [.server, .ifInServer, .location, .ifInLocation]

    private static let names: [(Contexts, String)] = [
        (.topLevel, "at the top level"), (.http, "in \"http\""), (.server, "in \"server\""),
        (.location, "in \"location\""), (.ifInServer, "in an \"if\" of a server"),
        (.ifInLocation, "in an \"if\" of a location"), (.limitExcept, "in \"limit_except\""),
        (.upstream, "in \"upstream\""), (.match, "in \"match\""), (.ifInURLPhase, "in an \"if\" on whole URLs"),
    ]

    /// The contexts with the top level, where what may be in `http` may be too.
    package var withTopLevel: Contexts { contains(.http) ? union(.topLevel) : self }

    /// The places in words, such as `in "server" or in "location"`.
    package var description: String {
        let phrases = Self.names.filter { contains($0.0) }.map(\.1)
        guard let last = phrases.last, phrases.count > 1 else { return phrases.first ?? "nowhere" }
        return phrases.dropLast().joined(separator: ", ") + " or " + last
    }
}

package struct ArgumentCount: Sendable, Hashable {
    package var minimum: Int
    /// The greatest number; nil for no limit.
    package var maximum: Int?
    /// True if the only argument is `on` or `off`.
    package var isFlag = false
    /// True if the only argument is a number.
    package var isNumber = false

    package static let none = ArgumentCount(minimum: 0, maximum: 0)
    package static let number = ArgumentCount(minimum: 1, maximum: 1, isNumber: true)
    package static let flag = ArgumentCount(minimum: 1, maximum: 1, isFlag: true)

    package static func exactly(_ count: Int) -> ArgumentCount { ArgumentCount(minimum: count, maximum: count) }
    package static func between(_ low: Int, _ high: Int) -> ArgumentCount { ArgumentCount(minimum: low, maximum: high) }
    package static func atLeast(_ count: Int) -> ArgumentCount { ArgumentCount(minimum: count, maximum: nil) }

    package func allows(_ count: Int) -> Bool { count >= minimum && count <= maximum ?? Int.max }

    /// The number in words, such as `1 or 2 arguments`.
    package var description: String {
        guard let maximum else { return "at least \(minimum) argument\(minimum == 1 ? "" : "s")" }
        if isFlag { return "1 argument, \"on\" or \"off\"" }
        if maximum == 0 { return "no arguments" }
        if minimum == maximum { return "\(maximum) argument\(maximum == 1 ? "" : "s")" }
        return maximum == minimum + 1 ? "\(minimum) or \(maximum) arguments" : "\(minimum) to \(maximum) arguments"
    }
}
