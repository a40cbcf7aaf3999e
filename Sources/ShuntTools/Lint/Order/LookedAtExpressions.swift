import Shunt
import ShuntPatterns

/// Every expression of the rules with what it is asked about.
struct LookedAtExpressions {
    enum Kind: Hashable {
        case path
        case url
        case host
        case known(KnownValues)
        case value

        /// The facts known about the subject.
        var subject: String {
            switch self {
            case .path: "the input is a path, decoded, without query"
            case .url: "the input is a whole URL"
            case .host: "the input is a host, in lower case"
            case .known(let values): values.fact
            case .value: "this holds for every text"
            }
        }
    }

    struct Place {
        var pattern: RuleModel.Expression
        var kind: Kind
        var position: SourcePosition
        /// All that may be read.
        var domain: Language
        /// The goal of the search for requests that come here; nil for conditions and keys.
        var goal: RuleGoal?
        /// The goal of a condition: that the expression matches.
        var test: RuleGoal?

        /// True for a key of a map.
        var isKey: Bool { goal == nil && test == nil }
    }

    private(set) var all: [Place] = []
    private let subject: LintSubject
    /// True if slashes in a row are one in each server: the first server of a port decides for all.
    let mergesSlashes: Bool
    /// True if all rules are rules of servers, so that the variables of others have the values that they have there.
    let areServersOnly: Bool
    /// The changes that the rules of each server make to its path.
    private var changes: [RuleModel.Server: PathChanges] = [:]
    /// The number of steps read for that.
    private(set) var instructionsRead = 0

    init(_ subject: LintSubject) {
        self.subject = subject
        mergesSlashes = subject.model.servers.allSatisfy(\.settings.mergesSlashes)
        areServersOnly =
            !subject.model.servers.isEmpty
            && subject.model.sequences.allSatisfy { $0.server != nil || $0.steps.isEmpty }
        findChanges()
        for step in subject.rules {
            guard let expression = step.expression else { continue }
            let kind: Kind = step.operation == .rewrite ? .path : .url
            add(expression, kind: kind, at: step.position, server: step.sequence?.server, goal: .step(step))
        }
        for location in subject.model.locations {
            guard let expression = location.expression else { continue }
            add(expression, kind: .path, at: location.position, server: location.server, goal: .location(location))
        }
        for listen in subject.model.listens {
            for (expression, server) in listen.expressions {
                let place = subject.name(expression, of: server)?.position ?? server.position
                add(expression, kind: .host, at: place, server: nil, goal: .server(server))
            }
        }
        for step in subject.model.steps where step.position.isPlace {
            guard let condition = step.condition, let expression = condition.expression else { continue }
            let server = step.sequence?.server
            add(
                expression,
                kind: kind(of: condition.variable, isInServer: server != nil),
                at: step.position,
                server: server,
                goal: nil,
                test: .test(step, !condition.isNegated)
            )
        }
        for map in subject.model.maps {
            let kind = kind(of: map.source.onlyVariable, isInServer: areServersOnly)
            for (expression, position, _) in map.expressions {
                add(expression, kind: kind, at: position, server: nil, goal: nil)
            }
        }
    }

    private func kind(of variable: RuleModel.Variable?, isInServer: Bool = false) -> Kind {
        guard let variable, variable.assignments.isEmpty, let builtin = variable.builtin else { return .value }
        return switch builtin {
        case .url: .url
        case .host: .host
        case .uri where isInServer: .path
        default: isInServer ? KnownValues(builtin).map(Kind.known) ?? .value : .value
        }
    }

    private mutating func add(
        _ pattern: RuleModel.Expression,
        kind: Kind,
        at position: SourcePosition,
        server: RuleModel.Server?,
        goal: RuleGoal?,
        test: RuleGoal? = nil
    ) {
        let domain = domain(kind, server)
        all.append(Place(pattern: pattern, kind: kind, position: position, domain: domain, goal: goal, test: test))
    }

    /// The texts that a host may be.
    static let hosts = "^(?:\\[[^\\x00-\\x20/A-Z\\x7f]*\\]|[^\\x00-\\x20/A-Z\\x7f:]*)\\z"

    private func domain(_ kind: Kind, _ server: RuleModel.Server?) -> Language {
        let checker = subject.checker
        let automaton: Automaton?
        switch kind {
        case .path:
            // A map is read in each server.
            let merges = server?.settings.mergesSlashes ?? mergesSlashes
            switch server.map(pathChanges(of:)) ?? allPathChanges {
            case .nothing: automaton = checker.automaton(of: .path(mergesSlashes: merges))
            case .kept: automaton = checker.automaton("^/")
            case .any: automaton = nil
            }
        case .url: automaton = checker.automaton(of: .url)
        // The host of the rules may be changed to anything in them.
        case .host: automaton = checker.automaton(Self.hosts)
        case .known(let values): automaton = checker.automaton(values.expression)
        case .value: automaton = nil
        }
        return .automaton(automaton ?? .everything)
    }

    func pathsBeginWithSlash(inServer server: RuleModel.Server) -> Bool { pathChanges(of: server) != .any }

    /// Returns false for a server whose rules may make other paths, which are not normalized.
    func pathsAreNormalized(inServer server: RuleModel.Server) -> Bool { pathChanges(of: server) == .nothing }

    private func pathChanges(of server: RuleModel.Server) -> PathChanges { changes[server] ?? .any }

    /// The changes of the server that makes the most.
    private var allPathChanges: PathChanges { changes.values.max { $0.rawValue < $1.rawValue } ?? .any }

    /// Returns true if an expression matches something that begins in a way.
    private func mayMatch(_ pattern: RuleModel.Expression, _ beginning: String) -> Bool {
        guard let own = subject.checker.language(of: pattern), let other = subject.checker.language(beginning) else {
            return true
        }
        return !subject.checker.isEmpty(own, other)
    }

    private enum PathChanges: Int {
        case nothing
        /// The result begins with a slash as well.
        case kept
        case any
    }

    /// Finds the changes that the rules of each server make to its path.
    private mutating func findChanges() {
        let mayAskAnew = subject.model.settings.contains { $0.tryFiles != nil || $0.errorPages != nil }
        for server in subject.model.servers { changes[server] = mayAskAnew ? .kept : .nothing }
        for sequence in subject.model.sequences {
            guard let server = sequence.server else { continue }
            instructionsRead += sequence.steps.count
            for step in sequence.steps where pathChanges(of: server) != .any {
                switch step.action {
                case .rewrite(let rule):
                    // What makes another path of one with a slash comes first.
                    guard rule.status == 0, mayMatch(rule.expression, "^/") else { continue }
                    changes[server] = rule.target.beginsWithSlash ? .kept : .any
                case .set(let variable, _), .decode(let variable, _), .encode(let variable, _):
                    if variable.builtin != nil { changes[server] = .any }
                default: continue
                }
            }
        }
    }
}

extension LintSubject {
    /// Returns the decision about a request that an expression matches.
    func witness(at place: LookedAtExpressions.Place) -> LintWitness? {
        guard let goal = place.goal ?? place.test, case .confirmed(let request) = verdict(goal) else { return nil }
        return decide(request)
    }
}
