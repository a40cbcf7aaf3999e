#if Command && Fleet
import ArgumentParser
import ShuntFleet

struct RolloutOptions: ParsableArguments {
    @Option(
        help: .value("1,5%,100%", "The nodes of each stage: numbers or shares, the last 100%."),
        transform: Self.stages
    )
    var stages: [RolloutPlan.Stage] = RolloutPlan().stages

    @Option(
        help: .value("times", "The time that each stage but the last has to be quiet: as many times, or one for all."),
        transform: Self.times
    )
    var bake: [Int] = RolloutPlan().bakeSeconds

    @Option(help: .value("time", "The time that nodes of a stage have to answer."))
    var acknowledge = Seconds(60)

    @Option(help: .value("time", "The time without progress after which a node goes back automatically."))
    var confirm = Seconds(900)

    @Option(help: .value("ms", "Over how many milliseconds nodes spread what they fetch."))
    var spread = 2000

    private static func stages(_ text: String) throws -> [RolloutPlan.Stage] {
        try text.split(separator: ",")
            .map { part in
                if part.hasSuffix("%"), let percent = Int(part.dropLast()), (1...100).contains(percent) {
                    return .percent(percent)
                }
                guard let number = Int(part), number > 0 else {
                    throw ValidationError("A stage is a number of nodes or a share such as 5%, not '\(part)'.")
                }
                return .nodes(number)
            }
    }

    private static func times(_ text: String) throws -> [Int] {
        try text.split(separator: ",")
            .map { part in
                guard let time = Seconds(argument: String(part)) else {
                    throw ValidationError("'\(part)' is not a time such as 30 or 2m.")
                }
                return time.value
            }
    }

    func plan() throws -> RolloutPlan {
        var bakes = bake
        let count = stages.count - 1
        if bakes.count == 1 { bakes = Array(repeating: bakes[0], count: count) }
        if bakes == RolloutPlan().bakeSeconds, bakes.count > count { bakes = Array(bakes.prefix(count)) }
        let plan = RolloutPlan(
            stages: stages,
            bakeSeconds: bakes,
            acknowledgeSeconds: acknowledge.value,
            confirmSeconds: confirm.value,
            spreadMilliseconds: spread
        )
        if let problem = plan.problem { throw ValidationError("The rollout cannot be so: \(problem).") }
        return plan
    }
}
#endif
