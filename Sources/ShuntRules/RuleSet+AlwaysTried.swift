public import ShuntCore
package import ShuntPatterns

/// A rule, or a key of a `map`, whose expression the index has to try on every request that reaches it.
///
/// Such rules are what makes many rules slow: the time of a request grows with their number, and with no other.
public struct AlwaysTriedRule: Sendable {
    /// The part of a request that an expression is matched with.
    @nonexhaustive
    public enum Subject: String, Sendable {
        /// The path of the request.
        case path
        /// The whole URL.
        case url
        /// The host.
        case host
        /// The value of a variable.
        case variable
    }

    /// The place where the rule is.
    public let location: SourceLocation
    /// The rule as written, on one line.
    public let text: String
    /// The reason why the index cannot pass it over.
    public let reason: String
    /// The part of a request that the expression is matched with.
    public let subject: Subject
    package let expression: RegularExpression
}

extension RuleSet {
    /// The rules that are tried on every request, in the order of the rule files.
    ///
    /// Rules of runs that are too short for an index are not among them: three in a row cost next to nothing.
    ///
    /// - Complexity: In proportion to the number of rules.
    public var alwaysTriedRules: [AlwaysTriedRule] {
        var rules: [AlwaysTriedRule] = []
        func add(_ index: PatternIndex?, subject: AlwaysTriedRule.Subject, _ position: (Int) -> SourcePosition) {
            guard let index else { return }
            for pattern in index.alwaysTried {
                let position = position(pattern)
                guard let location = program.location(of: position),
                    let reason = index.reasonForAlwaysTrying(pattern)
                else { continue }
                rules.append(
                    AlwaysTriedRule(
                        location: location,
                        text: text(at: position),
                        reason: reason,
                        subject: subject,
                        expression: index.patterns[pattern]
                    )
                )
            }
        }
        for chain in program.tables.chains {
            func position(_ link: Int32) -> SourcePosition {
                program.tables.instructions[chain.links[Int(link)]].position
            }
            switch chain.subject {
            case .path: add(chain.patterns, subject: .path) { position(Int32($0)) }
            case .variable: add(chain.patterns, subject: .variable) { position(Int32($0)) }
            // The tests of one `if` are one rule, and reached only with it.
            case .exclusion: continue
            case .url:
                add(chain.patterns, subject: .url) { position(chain.patternLinks[$0]) }
                add(chain.hostPatterns, subject: .host) { position(chain.hostPatternLinks[$0]) }
            }
        }
        for level in program.tables.levels {
            add(level.patterns, subject: .path) { program.tables.locations[level.patternLocations[$0]].position }
        }
        for listen in program.tables.listens {
            add(listen.patterns, subject: .host) { program.tables.servers[listen.patternServers[$0]].position }
        }
        for map in program.tables.maps { add(map.patterns, subject: .variable) { map.patternPositions[$0] } }
        return rules.sorted { $0.location.isBefore($1.location) }
    }
}
