#if Command
import Shunt
import ShuntTools

/// The requests of a file, for measuring: all of them are kept.
enum RequestFile {
    /// The most requests that are kept.
    static let limit = 5_000_000

    /// Reads the requests; what is wrong with the file is shown, and ends the command.
    static func read(_ path: String) throws -> [RuleRequest] { try readDescriptions(path).map(\.request) }

    /// Reads the requests with all that their lines have.
    static func readDescriptions(_ path: String) throws -> [RequestDescription] {
        var requests: [RequestDescription] = []
        var problems: [String] = []
        try LineReader.readFile(path) { line, number in
            guard requests.count < limit else {
                problems.append("\(path):\(number): there are more than \(limit) requests")
                return false
            }
            switch line {
            case .tooLong:
                problems.append("\(path):\(number): the line is longer than \(RequestRecord.limit) bytes")
            case .whole(let bytes):
                do throws(RequestError) {
                    requests.append(try RequestDescription(line: try RequestCorpus.line(bytes, "write its URL")))
                } catch {
                    problems.append("\(path):\(number): \(error.description)")
                }
            }
            return true
        }
        if requests.isEmpty, problems.isEmpty { problems.append("\(path): there are no requests in it") }
        guard problems.isEmpty else {
            let shown = 20
            for problem in problems.prefix(shown) { Failure.report("shunt: error: \(problem)") }
            if problems.count > shown { Failure.report("shunt: error: and \(problems.count - shown) lines more") }
            throw Failure.unanswered
        }
        return requests
    }
}
#endif
