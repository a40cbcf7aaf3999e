public import Shunt

/// The fewest requests of some traffic that reach what all of it reaches.
///
/// Requests that reach the same are one kind, of which a few are kept; so the memory grows with the kinds and not with the traffic.
public struct TrafficSample: Sendable {
    /// One thing that a request may reach.
    private enum Element: Hashable, Sendable {
        case part(CoverageRecorder.SeenPart)
        case decision(Decision.Kind)
    }

    /// The requests that reach the same.
    private struct Group: Sendable {
        var elements: Set<Element>
        var requests: [RequestDescription]
    }

    private let ruleSet: RuleSet
    private let perRule: Int
    private var groups: [Group] = []
    private var indices: [Set<Element>: Int] = [:]
    /// The number of requests read.
    public private(set) var count = 0

    /// Begins with no traffic.
    ///
    /// - Parameters:
    ///   - ruleSet: The rules.
    ///   - perRule: How many requests are wanted for each thing that requests reach.
    public init(_ ruleSet: RuleSet, perRule: Int) {
        self.ruleSet = ruleSet
        self.perRule = max(1, perRule)
    }

    /// Reads requests.
    public mutating func add(_ requests: [RequestDescription]) {
        for request in requests {
            count += 1
            let elements = reached(by: request)
            if let index = indices[elements] {
                guard groups[index].requests.count < perRule else { continue }
                let masked = masked(request, elements)
                let text = TestNotation.lines(masked, nil)
                let isNew = !groups[index].requests.contains { TestNotation.lines($0, nil) == text }
                if isNew { groups[index].requests.append(masked) }
            } else {
                indices[elements] = groups.count
                groups.append(Group(elements: elements, requests: [masked(request, elements)]))
            }
        }
    }

    /// The requests that are chosen, in the order in which they came.
    ///
    /// The request that reaches most of what is still wanted is next (greedy set cover).
    public func chosen() -> [RequestDescription] {
        var wanted: [Element: Int] = [:]
        for group in groups {
            for element in group.elements { wanted[element, default: 0] += group.requests.count }
        }
        wanted = wanted.mapValues { min($0, perRule) }
        var taken = [Int](repeating: 0, count: groups.count)
        while true {
            var best: (index: Int, gain: Int)?
            for (index, group) in groups.enumerated() where taken[index] < group.requests.count {
                let gain = group.elements.count { wanted[$0, default: 0] > 0 }
                if gain > best?.gain ?? 0 { best = (index, gain) }
            }
            guard let best else { break }
            taken[best.index] += 1
            for element in groups[best.index].elements { wanted[element, default: 0] -= 1 }
        }
        return zip(groups, taken).flatMap { $0.requests.prefix($1) }
    }

    /// The chosen requests as a file of tests, with what is decided about them today.
    public func testFile() -> String {
        var evaluation = Evaluation(ruleSet, options: Self.options)
        return chosen()
            .map { description in
                evaluation.evaluate(description.request)
                return TestNotation.lines(description, evaluation.decision) + "\n"
            }
            .joined()
    }

    private static var options: EvaluationOptions {
        var options = EvaluationOptions()
        options.fileSystem = InMemoryFileSystem()
        return options
    }

    private func reached(by description: RequestDescription) -> Set<Element> {
        let recorder = CoverageRecorder()
        var evaluation = Evaluation(ruleSet, options: Self.options)
        evaluation.recorder = recorder
        evaluation.evaluate(description.request)
        return Set(recorder.counts.parts.map { .part($0) } + [.decision(evaluation.decision.kind)])
    }

    /// The request with `x` in place of the values of its arguments and of the client's address, as far as it reaches the same then:
    /// tests are kept for long and read by many.
    private func masked(_ description: RequestDescription, _ elements: Set<Element>) -> RequestDescription {
        var result = description
        func tryOut(_ change: (inout RequestDescription) -> Void) {
            var changed = result
            change(&changed)
            if reached(by: changed) == elements { result = changed }
        }
        tryOut { $0.request.remoteAddress = RuleRequest.usualAddress }
        tryOut { $0.request.time = nil }
        let count = Self.values(of: description.request.urlBytes).count
        for number in 0..<count {
            tryOut { changed in
                let value = Self.values(of: changed.request.bytes)[number]
                changed.request.bytes.replaceSubrange(value, with: [UInt8(ascii: "x")])
            }
        }
        return result
    }

    /// The place where the values of the arguments of a URL are.
    private static func values(of url: [UInt8]) -> [Range<Int>] {
        guard let query = url.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        var ranges: [Range<Int>] = []
        var start: Int?
        for index in (query + 1)...url.count {
            let byte = index < url.count ? url[index] : UInt8(ascii: "&")
            if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "#") {
                if let first = start, first < index { ranges.append(first..<index) }
                start = nil
                if byte == UInt8(ascii: "#") { break }
            } else if byte == UInt8(ascii: "="), start == nil {
                start = index + 1
            }
        }
        return ranges
    }
}
