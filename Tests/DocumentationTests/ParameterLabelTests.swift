import Foundation
import Testing

/// A reader of a call sees what each argument is.
@Suite struct ParameterLabelTests {
    /// Functions with three parameters without labels, each with its reason.
    static let exceptions: [String: String] = [
        "ShuntC/": "C has no labels",
        "ShuntRules/Check/DirectiveRow.swift": "the rows of a table stand in columns",
        "ShuntRules/Program/Instruction.swift": "an operation and its operands",
        "ShuntRules/Values/Template.swift": "an operation and its operands",
        "ShuntRouting/Build/TableReports.swift": "a severity, a code and a message",
        "ShuntTools/Changes/Mutate/MutationMaker.swift": "a kind, its directive and the change, in each line of a list",
        "ShuntTools/Changes/Mutate/TargetMutations.swift": "the same",
        "ShuntModules/Run/Feeds.swift": "a contract, the scope that answers, and the body",
    ]

    @Test("No function has three parameters without labels")
    func labels() throws {
        var found: [String: Int] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: Document.root + "/Sources")
        where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: Document.root + "/Sources/" + name, encoding: .utf8)
            for function in Self.functions(in: text) where function.unlabelled >= 3 {
                let key = Self.exceptions.keys.first { name.hasPrefix($0) }
                #expect(key != nil, "\(name): \(function.name)")
                found[key ?? name, default: 0] += 1
            }
        }
        #expect(Set(found.keys) == Set(Self.exceptions.keys))
        #expect(found.values.reduce(0, +) - found["ShuntC/", default: 0] <= 20)
    }

    @Test(
        "Parameters without labels are counted",
        arguments: [
            ("func a(_ b: Int, _ c: Int, _ d: Int) {}", 3), ("func a(_ b: Int, c: Int, at d: Int) {}", 1),
            ("init?(_ b: (Int, Int), _ c: [Int: Int], _ d: (_ e: Int, _ f: Int) -> Void)", 3),
            ("func a<B: C>(\n    _ b: B,\n    @D _ c: Int,\n    _ d: Int = f(1, 2)\n)", 3),
            ("subscript(_ a: Int) -> Int", 1),
            ("// func a(_ b: Int, _ c: Int, _ d: Int)", 0), ("func a()", 0),
        ]
    )
    func counting(text: String, count: Int) {
        #expect(Self.functions(in: text).first?.unlabelled ?? 0 == count)
    }

    /// The functions that a file declares, and the number of their parameters without labels.
    static func functions(in text: String) -> [(name: String, unlabelled: Int)] {
        let head = #/(?m)^[^\n"/]*?\b(func\s+[^\s(<]+|init|subscript)(?:<[^>\n]*>)?\??\(/#
        return text.matches(of: head)
            .map { match in
                var depth = 0
                var parameter = ""
                var parameters: [String] = []
                for character in text[match.range.upperBound...] {
                    if "([{".contains(character) { depth += 1 }
                    if ")]}".contains(character) { depth -= 1 }
                    if depth < 0 { break }
                    if character == ",", depth == 0 {
                        parameters.append(parameter)
                        parameter = ""
                    } else {
                        parameter.append(character)
                    }
                }
                parameters.append(parameter)
                let count = parameters.count { $0.firstMatch(of: #/^\s*(?:@\w+\s+)*_\s+\w+\s*:/#) != nil }
                return (String(match.1), count)
            }
    }
}
