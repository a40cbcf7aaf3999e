import Foundation

/// All case files of a folder.
package struct CaseFolder: Sendable {
    package struct File: Sendable {
        package var path: String
        package var sets: [RuleSetCase]
    }

    package var files: [File]

    /// Reads the folder's `*.cases` in name order.
    package init(path: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".cases") }.sorted()
        files = try names.map { File(path: "\(path)/\($0)", sets: try CaseReader.read(file: "\(path)/\($0)")) }
    }

    /// Every rule set, file by file.
    package var sets: [RuleSetCase] { files.flatMap(\.sets) }

    /// Asks nginx about every rule set; there are no outcomes for those that do not concern it.
    package static func observe(_ sets: [RuleSetCase], oracle: NginxOracle) throws -> [CaseRecorder.Observation] {
        let asked = try observe(asking: sets.filter(\.concernsNginx), oracle: oracle)
        var next = asked.makeIterator()
        return sets.map { $0.concernsNginx ? next.next() ?? .outcomes([]) : .outcomes([]) }
    }

    private static func observe(
        asking sets: [RuleSetCase],
        oracle: NginxOracle
    ) throws -> [CaseRecorder.Observation] {
        let questions = sets.map { question($0) }
        return try oracle.ask(questions)
            .map { reply in
                switch reply {
                case .refused(let refusal): return .refused(refusal.hidingPorts)
                case .answers(let answers, let ports): return .outcomes(answers.map { $0.outcome.hidingPorts(ports) })
                case .failed(let message): throw OracleFailure(message)
                }
            }
    }

    private static func question(_ set: RuleSetCase) -> OracleQuestion {
        var question = OracleQuestion(rules: set.rules, requests: set.requests.map(\.request), files: set.files)
        if set.refusal != nil { question.isAskedAlone = true }
        return question
    }

    /// Rewrites the expectations of every file with what nginx does.
    package func record(oracle: NginxOracle) throws {
        let observations = try Self.observe(sets, oracle: oracle)
        // A rule set with requests was meant to be accepted: that is for its author to fix, not to record.
        for (set, observation) in zip(sets, observations) where set.concernsNginx {
            switch observation {
            case .refused(let refusal) where set.refusal == nil:
                throw CaseError(file: set.file, line: set.line + (refusal.line ?? 0), message: refusal.message)
            case .outcomes where set.refusal != nil:
                throw CaseError(file: set.file, line: set.line, message: "nginx accepts this rule set")
            default: continue
            }
        }
        var index = 0
        for file in files {
            let own = Array(observations[index..<index + file.sets.count])
            index += file.sets.count
            guard let data = FileManager.default.contents(atPath: file.path) else { continue }
            let text = CaseRecorder.record([UInt8](data), sets: file.sets, observations: own)
            if text != [UInt8](data) { try Data(text).write(to: URL(fileURLWithPath: file.path), options: .atomic) }
        }
    }
}

extension Refusal {
    /// The same with a port of 127.0.0.1 in the message written as `PORT`.
    fileprivate var hidingPorts: Refusal {
        guard let address = message.range(of: "127.0.0.1:") else { return self }
        let rest = message[address.upperBound...].drop { $0.isNumber }
        return Refusal(line: line, message: message[..<address.upperBound] + "PORT" + rest)
    }
}

extension RuleSetCase {
    /// The differences from the case's expectations, one line a difference, each with `file:line`.
    package func differences(from observation: CaseRecorder.Observation, askedShunt: Bool = false) -> [String] {
        switch (refusal, observation) {
        case (let expected?, .refused(let found)):
            return expected == found
                ? [] : ["\(file):\(refusalLine): expected refusal \(expected), got \(found)"]
        case (let expected?, .outcomes): return ["\(file):\(refusalLine): accepted, but expected refusal \(expected)"]
        case (nil, .refused(let found)):
            let at = found.line.map { "\(file):\(line + $0)" } ?? place
            return ["\(at): refused: \(found.message)"]
        case (nil, .outcomes(let outcomes)):
            return zip(requests, outcomes)
                .compactMap { request, outcome in
                    let deliberate = askedShunt ? request.shuntExpectation : nil
                    guard let expectation = deliberate ?? request.expectation else {
                        return "\(file):\(request.line): no expectation"
                    }
                    return expectation.difference(from: outcome)
                        .map {
                            "\(file):\(request.line): \(ByteText.show(request.request.target)): \($0)"
                        }
                }
        }
    }
}
