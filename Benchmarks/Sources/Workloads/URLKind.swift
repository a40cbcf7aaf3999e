/// The rule that the URLs of a workload reach.
public enum URLKind: String, CaseIterable, Sendable {
    /// No rule matches, and the second byte of the path already shows it.
    case missFar = "miss-far"
    /// No rule matches, but each URL begins or ends like those of a rule.
    case missNear = "miss-near"
    /// The first rule matches; for mixed rules the first one with captures.
    case hitFirst = "hit-first"
    /// A rule in the middle matches.
    case hitMiddle = "hit-middle"
    /// The last rule matches; for mixed rules the last one with captures.
    case hitLast = "hit-last"
    /// Any rule matches, each URL another one.
    case hitAny = "hit-any"

    /// True if the URLs match a rule.
    public var isHit: Bool {
        switch self {
        case .missFar, .missNear: false
        case .hitFirst, .hitMiddle, .hitLast, .hitAny: true
        }
    }
}
