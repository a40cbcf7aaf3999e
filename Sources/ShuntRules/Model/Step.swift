package import ShuntCore

extension RuleModel {
    /// A step of a sequence: a rule, a test around rules, or what leads from one to another.
    package struct Step: RulePart {
        package let model: RuleModel
        package let order: Int

        init(_ model: RuleModel, _ order: Int) {
            self.model = model
            self.order = order
        }

        private var instruction: Instruction { model.program.tables.instructions[order] }

        package var operation: Operation { instruction.operation }
        package var position: SourcePosition { instruction.position }
        /// True if a decision may name it, or if it changes what the rules after it see.
        package var isRule: Bool { operation.role != .controls }
        package var isTest: Bool { operation == .test || operation == .testNot }

        package var action: Action { Action(model, instruction) }

        package var next: Step? { order + 1 < model.program.tables.instructions.count ? Step(model, order + 1) : nil }
        package var previous: Step? { order > 0 ? Step(model, order - 1) : nil }

        /// The step after the block of a `match`; nil for other steps.
        package var endOfBlock: Step? { operation == .match ? Step(model, instruction.target.position) : nil }

        /// The condition of a test of an `if`; nil for other steps.
        package var condition: Condition? { isTest ? Condition(model, ConditionIndex(instruction.a)) : nil }

        /// The text that a `set`, `decode` or `encode` sets its variable to; nil for other steps.
        package var value: Template? {
            switch operation {
            case .set, .decode, .encode: Template(model, TemplateIndex(instruction.b))
            default: nil
            }
        }

        /// The variable that a `set`, `decode` or `encode` sets; nil for other steps.
        package var assigned: Variable? {
            switch operation {
            case .set, .decode, .encode: Variable(model, VariableIndex(instruction.a))
            default: nil
            }
        }

        package var rewrite: PathRewrite? { if case .rewrite(let rule) = action { rule } else { nil } }
        package var urlRewrite: URLRewriting? { if case .rewriteURL(let rule) = action { rule } else { nil } }
        package var answer: FixedAnswer? { if case .answer(let answer) = action { answer } else { nil } }
        package var rename: HostRenaming? { if case .rename(let rename) = action { rename } else { nil } }
        package var block: Blocking? { if case .block(let block) = action { block } else { nil } }

        /// The matcher of a rule on whole URLs; nil for rules without one, as those for the hosts of a list.
        package var matcher: URLMatcher? {
            switch action {
            case .match(let matcher), .degrade(let matcher, _): matcher
            case .rename(let rename): rename.matcher
            case .block(let block): block.matcher
            default: nil
            }
        }

        /// The expression of a rule on the path or the URL; nil for other rules.
        package var expression: Expression? {
            switch action {
            case .rewrite(let rule): rule.expression
            case .rewriteURL(let rule): rule.expression
            default: matcher?.expression
            }
        }

        /// True if nothing after the rule in its sequence is read when it has applied.
        package var endsSequence: Bool {
            switch action {
            case .answer, .degrade, .block: true
            case .rewrite(let rule): rule.status != 0 || rule.flow != .next
            case .rewriteURL(let rule): rule.status != 0 || rule.flow != .next
            default: false
            }
        }
    }

    package enum Action: Sendable {
        case end
        case rewrite(PathRewrite)
        /// `return`.
        case answer(FixedAnswer)
        case set(Variable, Template)
        case decode(Variable, Template)
        case encode(Variable, Template)
        /// `remove_args`.
        case removeArguments
        /// `break`.
        case stop
        /// Continues after the block if the condition is not `passing`.
        case test(Condition, passing: Bool)
        case jump
        /// The body of an `if` in a location begins, with its own settings.
        case enter(Settings)
        case match(URLMatcher)
        case rename(HostRenaming)
        case rewriteURL(URLRewriting)
        case degrade(URLMatcher, Template)
        case block(Blocking)
        /// `last` among the rules on whole URLs.
        case last
        /// `block` and `allow` with a list.
        case listed
        /// `redirects FILE`, whose rows are the rules.
        case redirects(RedirectList)

        init(_ model: RuleModel, _ instruction: Instruction) {
            let tables = model.program.tables
            let (a, b) = (instruction.a, instruction.b)
            self =
                switch instruction.operation {
                case .end: .end
                case .rewrite: .rewrite(PathRewrite(model, tables.rewrites[a]))
                case .finish: .answer(FixedAnswer(model, tables.returns[a]))
                case .set: .set(Variable(model, VariableIndex(a)), Template(model, TemplateIndex(b)))
                case .decode: .decode(Variable(model, VariableIndex(a)), Template(model, TemplateIndex(b)))
                case .encode: .encode(Variable(model, VariableIndex(a)), Template(model, TemplateIndex(b)))
                case .removeArguments: .removeArguments
                case .stop: .stop
                case .test: .test(Condition(model, ConditionIndex(a)), passing: true)
                case .testNot: .test(Condition(model, ConditionIndex(a)), passing: false)
                case .jump: .jump
                case .enter: .enter(Settings(model, SettingsIndex(a)))
                case .match: .match(URLMatcher(model, MatcherIndex(a)))
                case .renameHost: .rename(HostRenaming(model, tables.renames[a]))
                case .rewriteURL: .rewriteURL(URLRewriting(model, tables.urlRewrites[a]))
                case .degrade: .degrade(URLMatcher(model, MatcherIndex(a)), Template(model, TemplateIndex(b)))
                case .block: .block(Blocking(model, tables.blocks[a]))
                case .last: .last
                case .listed: .listed
                case .redirects: .redirects(tables.redirectLists[a])
                }
        }
    }
}
