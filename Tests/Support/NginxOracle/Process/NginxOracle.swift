import Foundation

/// A rule set to ask nginx about, with the requests to send.
package struct OracleQuestion: Sendable {
    package var rules: RuleText
    package var requests: [OracleRequest]
    /// For rules that nginx is expected to refuse, which would take others with them.
    package var isAskedAlone = false
    package var files: [SupportFile] = []

    package init(rules: [UInt8], requests: [OracleRequest], files: [SupportFile] = []) {
        self.rules = RuleText(rules)
        self.requests = requests
        self.files = files
        // Files next to the configuration are there for every rule set of a process.
        isAskedAlone = files.contains { $0.kind == .configuration }
    }
}

/// The answer of nginx to one request.
package struct OracleAnswer: Sendable, Hashable {
    package var outcome: RequestOutcome
    /// `$uri` and `$args` at the end; empty when the request line was refused.
    package var uri: [UInt8]
    package var args: [UInt8]
    /// The block whose configuration finished the request, such as `~ \.php$ [if]`; empty at the server level.
    package var label: String
    package var serverName: [UInt8]
    package var body: [UInt8]
}

/// The reply of nginx to a question.
package enum OracleReply: Sendable {
    case refused(Refusal)
    case answers([OracleAnswer], ports: [UInt16])
    /// nginx crashed or hung on this rule set, alone.
    case failed(String)
}

/// Asks the real nginx.
package struct NginxOracle: Sendable {
    /// The number of rule sets that one nginx runs at most.
    package var groupSize = 64

    /// nil when nginx is not installed.
    package init?() {
        if NginxProcess.executable == nil { return nil }
    }

    /// The replies to all questions, in order.
    ///
    /// Questions share a process where they do not disturb each other.
    package func ask(_ questions: [OracleQuestion]) throws -> [OracleReply] {
        var replies = [OracleReply?](repeating: nil, count: questions.count)
        let shared = questions.indices.filter { !questions[$0].isAskedAlone }
        let groups = RuleText.groups(shared.map { questions[$0].rules }, limit: groupSize).map { $0.map { shared[$0] } }
        let alone = questions.indices.filter { questions[$0].isAskedAlone }.map { [$0] }
        for group in groups + alone {
            try ask(questions, members: group, replies: &replies)
        }
        return replies.map { $0 ?? .refused(Refusal(line: nil, message: "was not asked")) }
    }

    private func ask(_ questions: [OracleQuestion], members: [Int], replies: inout [OracleReply?]) throws {
        var open = members
        while !open.isEmpty {
            let result: OracleRun.Result
            do {
                result = try OracleRun(questions: open.map { questions[$0] }).ask()
            } catch let failure as OracleFailure where open.count == 1 {
                replies[open[0]] = .failed(failure.description)
                return
            } catch is OracleFailure {
                result = .unknownCulprit
            }
            switch result {
            case .answered(let answers):
                for (index, reply) in zip(open, answers) { replies[index] = reply }
                return
            case .refused(let culprit, let refusal):
                replies[open[culprit]] = .refused(refusal)
                open.remove(at: culprit)
            case .unknownCulprit:
                // The message names no place: halves find out.
                let middle = open.count / 2
                try ask(questions, members: Array(open[..<middle]), replies: &replies)
                try ask(questions, members: Array(open[middle...]), replies: &replies)
                return
            }
        }
    }
}
