import Shunt
import ShuntPatterns

/// The place where the expressions of the rules are.
enum ExpressionPlaces {
    /// Each expression that rules, tests, locations, servers and maps have, with the places of it.
    static func all(of model: RuleModel) -> [(expression: RuleModel.Expression, positions: [SourcePosition])] {
        var places: [RuleModel.Expression: [SourcePosition]] = [:]
        func add(_ expression: RuleModel.Expression, _ position: SourcePosition) {
            guard position.isPlace, places[expression]?.contains(position) != true else { return }
            places[expression, default: []].append(position)
        }
        for step in model.steps {
            if let expression = step.expression ?? step.condition?.expression { add(expression, step.position) }
        }
        for location in model.locations {
            if let expression = location.expression { add(expression, location.position) }
        }
        for listen in model.listens {
            for (expression, server) in listen.expressions { add(expression, server.position) }
        }
        for map in model.maps {
            for entry in map.expressions { add(entry.expression, entry.position) }
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
