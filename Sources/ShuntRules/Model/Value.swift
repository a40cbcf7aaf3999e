import ShuntCore
package import ShuntPatterns

extension RuleModel {
    /// A text of the rules, with the variables and captures in it.
    package struct Template: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: TemplatePart { model.program.tables.parts[order] }

        package enum Part: Hashable, Sendable {
            case literal([UInt8])
            case variable(Variable)
            case capture(Int)

            /// The variable; nil for other pieces.
            package var variable: Variable? {
                if case .variable(let variable) = self { variable } else { nil }
            }

            /// The number of the group; nil for other pieces.
            package var capture: Int? { if case .capture(let number) = self { number } else { nil } }

            /// The name of a variable or a capture in rule files, with the dollar sign; a literal unchanged.
            package var name: String {
                switch self {
                case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
                case .variable(let variable): "$" + variable.name
                case .capture(let number): "$\(number)"
                }
            }
        }

        /// The pieces; one literal without bytes for an empty text.
        package var pieces: [Part] {
            model.program.tables.parts(of: TemplateIndex(order)).map(piece)
        }

        package var first: Part { piece(record) }

        /// The only piece; nil for a text of several.
        package var only: Part? { record.isLast ? first : nil }

        /// The bytes of a text without variables and captures; nil for others.
        package var constant: [UInt8]? {
            guard case .literal(let bytes)? = only else { return nil }
            return bytes
        }

        /// The variable that the whole text is; nil for others.
        package var onlyVariable: Variable? { only?.variable }

        /// True if it begins with a slash as it is written.
        package var beginsWithSlash: Bool {
            if case .literal(let text) = first { text.first == UInt8(ascii: "/") } else { false }
        }

        /// True if it has no variable and no capture.
        package var isConstant: Bool { record.isConstant }

        private func piece(_ part: TemplatePart) -> Part {
            switch part.kind {
            case .literal: .literal(Array(model.program.tables.bytes(of: part)))
            case .variable: .variable(Variable(model, part.variable))
            case .capture: .capture(Int(part.a))
            }
        }
    }

    /// A variable that rules or logs name.
    package struct Variable: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        /// The place where the value comes from.
        package enum Source: Hashable, Sendable {
            /// Nothing but `set` and named captures; empty before.
            case assigned
            case builtin(BuiltinVariable)
            /// The header of the request with a name.
            case requestHeader([UInt8])
            /// The argument of the query with a name.
            case argument([UInt8])
            case cookie([UInt8])
            /// A header of the response, which has no value while a request is decided.
            case responseHeader
            /// A header of the answer of an upstream.
            case upstreamHeader
            case map(Map)
            case split(Split)
            case geo(AddressTable)
            /// The input with a name.
            case input(String)
            /// A variable of nginx that has a value only where the caller supplies it as an input.
            case external
        }

        var record: ShuntRules.Variable { model.program.tables.variables[order] }

        /// The name in lower case, without the dollar sign.
        package var name: String { record.name }
        /// True if it is computed at each use.
        package var isVolatile: Bool { record.isVolatile }
        /// True if access logs alone have asked for it: no rule reads it.
        package var isOnlyLogged: Bool { record.isOnlyLogged }
        /// True if only `set` and named captures set it.
        package var isAssigned: Bool { record.source == .assigned }
        package var assignments: [Step] { (model.assignments[VariableIndex(order)] ?? []).map(model.step) }

        package var source: Source {
            let number = Int(record.index)
            return switch record.source {
            case .assigned: .assigned
            case .builtin: BuiltinVariable(rawValue: record.index).map { .builtin($0) } ?? .external
            case .requestHeader: .requestHeader(parameter)
            case .argument: .argument(parameter)
            case .cookie: .cookie(parameter)
            case .responseHeader: .responseHeader
            case .upstreamHeader: .upstreamHeader
            case .map: .map(Map(model, TableIndex(number)))
            case .split: .split(Split(model, TableIndex(number)))
            case .geo: .geo(AddressTable(model, TableIndex(number)))
            case .input: .input(model.program.tables.inputs[number].name)
            case .external: .external
            }
        }

        /// The variable that the engine computes from the request; nil for others.
        package var builtin: BuiltinVariable? {
            record.source == .builtin ? BuiltinVariable(rawValue: record.index) : nil
        }

        /// The `map` that makes it; nil for others.
        package var map: Map? { record.source == .map ? Map(model, TableIndex(Int(record.index))) : nil }

        private var parameter: [UInt8] { Array(model.program.tables.constants[record.parameter.indices]) }
    }

    package struct Expression: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: RegularExpression { model.program.expressions.expressions[order] }
        package var expression: RegularExpression { record }

        /// Returns true if the expression matches a value within the engine's limits.
        package func matches(_ value: Span<UInt8>, scratch: MatchScratch) -> Bool {
            model.program.expressions.match(order, value, scratch: scratch) == .matched
        }

        /// The named groups, each with the variable that it sets.
        package var captures: [(group: Int, variable: Variable)] {
            model.program.tables.patternVariables[order].map { (Int($0.group), Variable(model, $0.variable)) }
        }
    }
}
