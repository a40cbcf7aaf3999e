extension RewriteWorkload {
    /// The shapes of the rules of set B; out of twenty rules, the given number has the shape.
    private enum Shape: CaseIterable {
        /// `^/news/section-7/(.*)$`, 8 of 20.
        case prefix
        /// `^/news-7/?$`, 4 of 20.
        case slug
        /// `^/news/(\d{4})/(\d{2})/post-7(?:\.html)?$`, 3 of 20.
        case date
        /// `^/(en|de|fr)/news-7/([^/]+)/?$`, 2 of 20.
        case alternation
        /// `/news_item7\.php$`, 2 of 20.
        case unanchored
        /// `(?i)^/news/offer-7/([^/]+)$`, 1 of 20.
        case caseless

        /// The shapes of twenty rules in a row, mixed.
        static let cycle: [Shape] = [
            .prefix, .slug, .date, .prefix, .alternation, .prefix, .unanchored, .prefix, .slug, .date,
            .prefix, .caseless, .slug, .prefix, .date, .unanchored, .prefix, .alternation, .slug, .prefix,
        ]
    }

    /// Set B: prefixes, slugs, dates, alternations, unanchored and caseless rules, mixed.
    ///
    /// `miss-near` are paths of the shapes of the rules, with numbers after the last. First, middle and last hit the
    /// nearest rule with a date in it, which has two captures and an optional end.
    ///
    /// - Parameter count: The number of rules, at least 10.
    /// - Returns: The rules and paths.
    public static func mixed(_ count: Int) -> RewriteWorkload {
        var random = RandomNumbers(seed: seed &+ 1)
        let rules = (0..<count).map { rule($0) }
        let dates = (0..<count).filter { shape($0) == .date }
        var paths: [URLKind: [String]] = [:]
        for kind in URLKind.allCases {
            paths[kind] = (0..<pathCount)
                .map { _ in
                    switch kind {
                    case .missFar: "/~\(random.letters(8))/\(random.word(of: Words.tails))/\(random.letters(24)).html"
                    case .missNear: path(count + random.below(9 * count), like: random.below(20), &random)
                    case .hitFirst: path(dates[0], &random)
                    case .hitMiddle: path(dates[dates.count / 2], &random)
                    case .hitLast: path(dates[dates.count - 1], &random)
                    case .hitAny: path(random.below(count), &random)
                    }
                }
        }
        return RewriteWorkload(name: "mixed", rules: rules, paths: paths)
    }

    private static func shape(_ index: Int) -> Shape {
        Shape.cycle[index % Shape.cycle.count]
    }

    private static func section(_ index: Int) -> String {
        Words.sections[index % Words.sections.count]
    }

    private static func rule(_ index: Int) -> Rule {
        let word = section(index)
        return switch shape(index) {
        case .prefix: Rule(pattern: "^/\(word)/section-\(index)/(.*)$", replacement: "/s/\(index)/$1")
        case .slug: Rule(pattern: "^/\(word)-\(index)/?$", replacement: "/page/\(index)")
        case .date:
            Rule(
                pattern: #"^/\#(word)/(\d{4})/(\d{2})/post-\#(index)(?:\.html)?$"#,
                replacement: "/post/\(index)/$1-$2"
            )
        case .alternation: Rule(pattern: "^/(en|de|fr)/\(word)-\(index)/([^/]+)/?$", replacement: "/t/\(index)/$1/$2")
        case .unanchored: Rule(pattern: #"/\#(word)_item\#(index)\.php$"#, replacement: "/item/\(index)")
        case .caseless: Rule(pattern: "(?i)^/\(word)/offer-\(index)/([^/]+)$", replacement: "/offer/\(index)/$1")
        }
    }

    /// A path of the shape of a rule; with a number after the last rule, one that no rule matches.
    private static func path(_ index: Int, like other: Int? = nil, _ random: inout RandomNumbers) -> String {
        let word = section(index)
        switch shape(other ?? index) {
        case .prefix: return "/\(word)/section-\(index)/\(random.word(of: Words.tails))/\(random.letters(16))"
        case .slug: return random.below(2) == 0 ? "/\(word)-\(index)" : "/\(word)-\(index)/"
        case .date:
            let year = 1990 + random.below(40)
            let month = random.below(2) == 0 ? "0\(1 + random.below(9))" : "1\(random.below(3))"
            return "/\(word)/\(year)/\(month)/post-\(index)" + (random.below(2) == 0 ? "" : ".html")
        case .alternation:
            return "/\(random.word(of: ["en", "de", "fr"]))/\(word)-\(index)/\(random.letters(20))"
        case .unanchored: return "/\(random.letters(8))/\(random.letters(12))/\(word)_item\(index).php"
        case .caseless: return "/\(word.uppercased())/Offer-\(index)/\(random.letters(20))"
        }
    }
}
