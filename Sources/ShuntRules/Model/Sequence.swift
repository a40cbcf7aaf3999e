extension RuleModel {
    /// The steps of a level, which are run from top to bottom.
    package struct Sequence: RulePart {
        package enum Owner: Hashable, Sendable {
            /// The rules on whole URLs, which come before any server.
            case urlPhase
            case server(Server)
            case location(Location)
        }

        package let model: RuleModel
        private let entry: SequenceList.Entry

        init(_ model: RuleModel, _ entry: SequenceList.Entry) {
            self.model = model
            self.entry = entry
        }

        package var order: Int { entry.start }
        package var start: Step { model.step(entry.start) }
        package var end: Step { model.step(entry.end) }

        package var owner: Owner {
            switch entry.owner {
            case .urlPhase: .urlPhase
            case .server(let index): .server(Server(model, index))
            case .location(let index): .location(Location(model, index))
            }
        }

        /// The server whose requests run it; nil for rules on whole URLs.
        package var server: Server? {
            switch owner {
            case .urlPhase: nil
            case .server(let server): server
            case .location(let location): location.server
            }
        }

        /// The location that it belongs to; nil for those of servers and of whole URLs.
        package var location: Location? { if case .location(let location) = owner { location } else { nil } }

        /// The settings in force around it; nil for rules on whole URLs.
        package var settings: Settings? {
            switch owner {
            case .urlPhase: nil
            case .server(let server): server.settings
            case .location(let location): location.settings
            }
        }

        /// The steps but for the end.
        package var steps: some RandomAccessCollection<Step> {
            let model = model
            return (entry.start..<entry.end).lazy.map { model.step($0) }
        }
    }
}

extension RuleModel.Step {
    /// The sequence that the step is part of; nil for a step that nothing runs.
    package var sequence: RuleModel.Sequence? {
        model.sequenceList.sequence(of: order).map { RuleModel.Sequence(model, $0) }
    }

    /// The steps of the same sequence before it, the nearest first.
    package var before: some Sequence<RuleModel.Step> {
        let start = model.sequenceList.sequence(of: order)?.start ?? order
        return (start..<max(start, order)).reversed().lazy.map { [model] in model.step($0) }
    }

    /// The ways from the start of its block to the step, each as the tests on it, those first that need fewer turns.
    ///
    /// There are none if nothing leads there.
    package func ways(limit: Int = 32) -> [[RuleModel.Guard]] {
        let instructions = model.program.tables.instructions
        let goal = order
        let start = Int(model.sequenceList.blocks[goal])
        guard start <= goal else { return [[]] }
        // Of each instruction whether it can lead to the goal, and whether it must.
        var can = [Bool](repeating: false, count: goal - start + 1)
        var must = can
        can[goal - start] = true
        must[goal - start] = true
        func at(_ index: Int, _ list: [Bool]) -> Bool { index <= goal && list[index - start] }
        for index in stride(from: goal - 1, through: start, by: -1) {
            let instruction = instructions[index]
            switch instruction.operation {
            case .test, .testNot, .match:
                can[index - start] = at(index + 1, can) || at(instruction.target.position, can)
                must[index - start] = at(index + 1, must) && at(instruction.target.position, must)
            case .jump:
                can[index - start] = at(instruction.target.position, can)
                must[index - start] = at(instruction.target.position, must)
            case .finish, .stop, .last, .end: break
            default:
                can[index - start] = at(index + 1, can)
                must[index - start] = at(index + 1, must)
            }
        }
        var found: [[RuleModel.Guard]] = []
        var open: [(index: Int, tests: [RuleModel.Guard])] = [(start, [])]
        while let (index, tests) = open.popLast(), found.count < limit {
            guard index < goal else {
                if index == goal { found.append(tests) }
                continue
            }
            let instruction = instructions[index]
            let target = instruction.target.position
            switch instruction.operation {
            case .test, .testNot, .match:
                if at(index + 1, must), at(target, must) {
                    open.append((target, tests))
                    continue
                }
                let falls = instruction.operation != .testNot
                func test(_ outcome: Bool) -> RuleModel.Guard {
                    instruction.operation == .match
                        ? .matcher(RuleModel.URLMatcher(model, MatcherIndex(instruction.a)), outcome)
                        : .condition(RuleModel.Condition(model, ConditionIndex(instruction.a)), outcome)
                }
                if at(target, can) { open.append((target, tests + [test(!falls)])) }
                if at(index + 1, can) { open.append((index + 1, tests + [test(falls)])) }
            case .jump: if at(target, can) { open.append((target, tests)) }
            default: if at(index + 1, can) { open.append((index + 1, tests)) }
            }
        }
        return found
    }
}
