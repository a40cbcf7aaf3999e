import ShuntCore
import ShuntPatterns
import ShuntRules

/// The place where the expressions of a program stand.
enum ExpressionPlaces {
    /// Each expression that rules, tests, locations, servers and maps have, with the places of it.
    static func all(of program: Program) -> [(pattern: ExpressionIndex, positions: [SourcePosition])] {
        var places: [ExpressionIndex: [SourcePosition]] = [:]
        func add(_ pattern: ExpressionIndex, _ position: SourcePosition) {
            guard !pattern.isNone, position.isPlace, places[pattern]?.contains(position) != true else { return }
            places[pattern, default: []].append(position)
        }
        for (index, instruction) in program.tables.instructions.enumerated() {
            if let pattern = GoalDrafts.pattern(of: index, program) { add(pattern, instruction.position) }
            switch instruction.operation {
            case .test, .testNot:
                let condition = program.tables.conditions[instruction.a]
                if condition.kind == .matches { add(condition.pattern, instruction.position) }
            default: continue
            }
        }
        for level in program.tables.levels {
            for (location, pattern) in zip(level.patternLocations, level.patternNumbers) {
                add(pattern, program.tables.locations[location].position)
            }
        }
        for group in program.tables.listens {
            for (pattern, server) in zip(group.patternNumbers, group.patternServers) {
                add(pattern, program.tables.servers[server].position)
            }
        }
        for map in program.tables.maps {
            for (pattern, position) in zip(map.patternNumbers, map.patternPositions) { add(pattern, position) }
        }
        return places.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension AlternativeProbe.Way {
    /// The way in words.
    func text(in pattern: [UInt8]) -> String {
        let shown = "\"\(String(decoding: pattern[range], as: UTF8.self))\""
        return switch kind {
        case .alternative, .taken: shown
        case .leftOut: "without \(shown)"
        }
    }
}
