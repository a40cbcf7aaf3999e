import ShuntCore
import ShuntPatterns

/// Finds values that pass tests, the nicest first.
struct ValueSearch {
    let checker: ValueChecker

    /// Values of a domain that pass all tests; fewer than `count` if there are no more, or none are found.
    func values(_ tests: [ValueTest], in domain: Automaton? = nil, count: Int = 1) -> [[UInt8]] {
        func passes(_ value: [UInt8]) -> Bool {
            value.count <= checker.limits.witnessBytes && domain?.accepts(value) != false
                && checker.passes(value, tests)
        }
        let named = tests.flatMap(named)
        if !named.isEmpty { return Array(named.filter(passes).prefix(count)) }
        if tests.contains(where: { $0.isShare && !$0.isNegated }) {
            return Array(sharing(tests, in: domain).lazy.filter(passes).prefix(count))
        }
        let guesses = tests.flatMap(guesses)
        if !guesses.isEmpty {
            let found = (guesses.sorted(by: Self.isNicer) + ["1", "0", "a"].map { Array($0.utf8) }).filter(passes)
            if !found.isEmpty { return Array(found.prefix(count)) }
        }
        return subjects(tests, in: domain, count: count).filter(passes)
    }

    /// The texts that a test names.
    private func named(_ test: ValueTest) -> [[UInt8]] {
        switch (test.kind, test.isNegated) {
        case (.equals(let text), false): [text]
        case (.isAny(let texts), false): texts
        default: []
        }
    }

    /// Values at the bounds of a comparison of versions.
    private func guesses(_ test: ValueTest) -> [[UInt8]] {
        guard case .version(_, let bound) = test.kind else { return [] }
        return [bound] + Self.neighbours(of: bound) + [Array("0".utf8), Array("1".utf8)]
    }

    /// A version with its last number one higher, and one lower.
    static func neighbours(of version: [UInt8]) -> [[UInt8]] {
        let numbers = version.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        let head = numbers.reversed().drop(while: \.isASCIIDigit).reversed()
        guard let last = Int(String(decoding: numbers.dropFirst(head.count), as: UTF8.self)) else { return [] }
        var found = [Array(head) + Array(String(last &+ 1).utf8)]
        if last > 0 { found.append(Array(head) + Array(String(last - 1).utf8)) }
        return found
    }

    private static func isNicer(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    /// Numbers, addresses, paths, or the shortest text with a number after it, as the domain and the other tests have them.
    private func sharing(_ tests: [ValueTest], in domain: Automaton?) -> some Sequence<[UInt8]> {
        let others = tests.filter { !$0.isShare }
        let start = others.isEmpty ? nil : subjects(others, in: domain, count: 1).first?.asText
        var forms: [(Int) -> String] = [
            { "\($0)" }, { "10.\($0 / 62_500).\($0 / 250 % 250).\($0 % 250 + 1)" }, { "/\($0)" },
        ]
        if let start { forms += [{ "\(start)\($0)" }, { "\(start)?\($0)" }, { "\(start)/\($0)" }] }
        let form = forms.first { form in
            let sample = Array(form(10).utf8)
            return domain?.accepts(sample) != false && checker.passes(sample, others)
        }
        return (0..<(form == nil ? 0 : 100_000)).lazy.map { number in form.map { Array($0(number).utf8) } ?? [] }
    }

    /// The set of values that pass all tests that are regular.
    func language(_ tests: [ValueTest], in domain: Automaton?) throws(AutomatonRefusal) -> Language {
        var all: [Language] = domain.map { [.automaton($0)] } ?? []
        for test in tests {
            do throws(AutomatonRefusal) {
                if let language = try checker.language(of: test) { all.append(language) }
            } catch {
                // What must not match is left to the engine.
                if !test.isNegated { throw error }
            }
        }
        return .intersection(all)
    }

    /// Values of the regular tests, shortest first.
    private func subjects(_ tests: [ValueTest], in domain: Automaton?, count: Int) -> [[UInt8]] {
        do throws(AutomatonRefusal) {
            let language = try language(tests, in: domain)
            if count == 1 { return try language.shortestSubject(limits: checker.limits.proof).map { [$0] } ?? [] }
            return try language.automaton(limits: checker.limits.proof)
                .subjects(atMost: count, length: checker.limits.witnessBytes)
        } catch {
            return []
        }
    }
}
