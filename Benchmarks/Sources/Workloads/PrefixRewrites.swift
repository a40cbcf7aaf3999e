extension RewriteWorkload {
    /// Set A: `^/old/section-<i>/(.*)$` becomes `/new/section-<i>/$1`.
    ///
    /// Paths are 50 to 70 bytes long. `miss-far` begins with another letter, `miss-near` names sections after the last.
    ///
    /// - Parameter count: The number of rules, at least 1.
    /// - Returns: The rules and paths.
    public static func prefixes(_ count: Int) -> RewriteWorkload {
        var random = RandomNumbers(seed: seed)
        let rules = (0..<count)
            .map {
                Rule(pattern: "^/old/section-\($0)/(.*)$", replacement: "/new/section-\($0)/$1")
            }
        var paths: [URLKind: [String]] = [:]
        for kind in URLKind.allCases {
            paths[kind] = (0..<pathCount)
                .map { _ in
                    let tail = "\(random.word(of: Words.tails))/\(random.letters(12))/\(random.letters(8)).html"
                    return switch kind {
                    case .missFar: "/zone/region-\(random.below(count))/\(tail)"
                    case .missNear: "/old/section-\(count + random.below(9 * count))/\(tail)"
                    case .hitFirst: "/old/section-0/\(tail)"
                    case .hitMiddle: "/old/section-\(count / 2)/\(tail)"
                    case .hitLast: "/old/section-\(count - 1)/\(tail)"
                    case .hitAny: "/old/section-\(random.below(count))/\(tail)"
                    }
                }
        }
        return RewriteWorkload(name: "prefixes", rules: rules, paths: paths)
    }
}
