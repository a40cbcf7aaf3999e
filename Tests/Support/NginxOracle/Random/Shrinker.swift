/// Makes a mismatch small: as long as something can be left out and the two still differ, it is left out.
package struct Shrinker<Engine: ComparedEngine> {
    private let oracle: NginxOracle
    /// The number of times that nginx may be started for one mismatch.
    private var budget = 400

    package init(oracle: NginxOracle, engine: Engine.Type = Engine.self) {
        self.oracle = oracle
    }

    /// The smallest mismatch that was found, starting from one.
    package mutating func shrink(_ mismatch: Mismatch) throws -> Mismatch {
        guard var best = try repeated(mismatch) else { return mismatch }
        var isSmaller = true
        while isSmaller, budget > 0 {
            isSmaller = false
            if try shrinkRequest(&best) { isSmaller = true }
            if try shrinkRules(&best) { isSmaller = true }
        }
        return best
    }

    /// The mismatch again, alone; nil when they now agree.
    private mutating func repeated(_ mismatch: Mismatch) throws -> Mismatch? {
        budget -= 1
        let requests = mismatch.request.map { [$0] } ?? []
        var question = OracleQuestion(rules: mismatch.rules.text, requests: requests, files: mismatch.rules.files)
        question.isAskedAlone = true
        guard let reply = try oracle.ask([question]).first else { return nil }
        let found = DifferentialRun<Engine>.mismatches(question, reply, rules: mismatch.rules, seed: mismatch.seed)
        // What is left must differ about the same thing: a request, or the rules.
        return found.first { ($0.request == nil) == (mismatch.request == nil) }
    }

    private mutating func shrinkRules(_ best: inout Mismatch) throws -> Bool {
        var isSmaller = false
        // With the last file, the files would stop being read.
        for file in best.rules.files.indices.dropFirst().reversed() {
            var candidate = best
            candidate.rules.files.remove(at: file)
            if budget > 0, let found = try repeated(candidate) {
                best = found
                isSmaller = true
            }
        }
        var position = 0
        while budget > 0 {
            var candidate = best
            var remaining = position
            guard Self.remove(&remaining, from: &candidate.rules.nodes) else { break }
            if let found = try repeated(candidate) {
                best = found
                isSmaller = true
            } else {
                position += 1
            }
        }
        return isSmaller
    }

    /// Removes the node at a position, counted from the outside in; false when there is none.
    private static func remove(_ position: inout Int, from nodes: inout [RuleNode]) -> Bool {
        for index in nodes.indices {
            if position == 0 {
                nodes.remove(at: index)
                return true
            }
            position -= 1
            guard var children = nodes[index].children else { continue }
            if remove(&position, from: &children) {
                nodes[index].children = children
                return true
            }
        }
        return false
    }

    /// Tries many smaller requests at once and takes the first that still differs, until none does.
    private mutating func shrinkRequest(_ best: inout Mismatch) throws -> Bool {
        var isSmaller = false
        while let request = best.request, budget > 0 {
            budget -= 1
            let candidates = Self.smaller(request)
            var question = OracleQuestion(rules: best.rules.text, requests: candidates, files: best.rules.files)
            question.isAskedAlone = true
            guard let reply = try oracle.ask([question]).first,
                let found = DifferentialRun<Engine>.mismatches(question, reply, rules: best.rules, seed: best.seed)
                    .first,
                found.request != nil
            else { return isSmaller }
            best = found
            isSmaller = true
        }
        return isSmaller
    }

    private static func smaller(_ request: OracleRequest) -> [OracleRequest] {
        var result: [OracleRequest] = []
        for index in request.headers.indices {
            var candidate = request
            candidate.headers.remove(at: index)
            if candidate.headers.isEmpty { candidate.headers = [HeaderLine("Host", "localhost")] }
            if candidate.headers != request.headers { result.append(candidate) }
        }
        if request.method != Array("GET".utf8) {
            var candidate = request
            candidate.method = Array("GET".utf8)
            result.append(candidate)
        }
        let target = request.target
        if let mark = target.firstIndex(of: UInt8(ascii: "?")) {
            var candidate = request
            candidate.target = Array(target[..<mark])
            result.append(candidate)
        }
        for length in [8, 4, 2, 1] where target.count > length + 1 {
            for start in stride(from: 1, through: target.count - length, by: length).prefix(200) {
                var candidate = request
                candidate.target.removeSubrange(start..<start + length)
                result.append(candidate)
            }
        }
        return result
    }
}
