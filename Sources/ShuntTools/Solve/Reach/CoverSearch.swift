import ShuntCore
import ShuntPatterns

/// A set of subjects, and the rule that takes them.
struct Cover {
    /// Its number among the rules it is one of.
    var rule: Int
    var subjects: Language
    var position: SourcePosition
}

/// Finds the fewest covers that hold all subjects of a set.
///
/// It asks with subjects: which covers take this one? Then with one that those known do not take, until there is none, or one that
/// no cover takes. So covers that take none of the subjects are never read, however many there are.
struct CoverSearch {
    /// The most rules that are read for one subject.
    static let mostTaking = 256

    let limits: AutomatonLimits
    /// The most covers that are compared at once.
    private let maximumCovers = 32
    /// The number of sets compared.
    private(set) var comparisons = 0

    init(limits: AutomatonLimits) { self.limits = limits }

    /// The rules of the covers, in their order; nil if it is not proved that they hold all subjects.
    mutating func covers(holding subjects: Language, taking: ([UInt8]) -> [Cover]) -> [SourcePosition]? {
        var covers: [Cover] = []
        while true {
            let subject: [UInt8]
            switch rest(of: subjects, besides: covers) {
            case .unknown: return nil
            case .nothing: return fewest(of: covers, holding: subjects)
            case .subject(let found): subject = found
            }
            let known = Set(covers.map(\.rule))
            let others = taking(subject).filter { !known.contains($0.rule) }
            if others.isEmpty { return nil }
            for cover in others where hold([cover], subjects) { return [cover.position] }
            covers += others
            if covers.count > maximumCovers { return nil }
        }
    }

    /// The covers without those that are not needed; nil for none, which hold nothing but nothing.
    private mutating func fewest(of covers: [Cover], holding subjects: Language) -> [SourcePosition]? {
        var covers = covers.sorted { $0.rule < $1.rule }
        for index in covers.indices.reversed() {
            var fewer = covers
            fewer.remove(at: index)
            if !fewer.isEmpty, hold(fewer, subjects) { covers = fewer }
        }
        return covers.isEmpty ? nil : covers.map(\.position)
    }

    private mutating func hold(_ covers: [Cover], _ subjects: Language) -> Bool {
        if case .nothing = rest(of: subjects, besides: covers) { true } else { false }
    }

    private enum Rest {
        case nothing
        case subject([UInt8])
        /// A limit was passed.
        case unknown
    }

    /// Returns the rest of a set without its covers.
    private mutating func rest(of subjects: Language, besides covers: [Cover]) -> Rest {
        comparisons += 1
        do throws(AutomatonRefusal) {
            let rest = covers.isEmpty ? subjects : subjects.subtracting(.union(covers.map(\.subjects)))
            return try rest.shortestSubject(limits: limits).map { .subject($0) } ?? .nothing
        } catch {
            return .unknown
        }
    }
}
