#if Gateway
import Shunt
import ShuntCore
import TestFolder
import TestSettings
import Testing

@testable import ShuntGateway

/// Files, compared with a real nginx that has the same rules and the same files.
///
/// `SHUNT_SERVING_SETS` is the number of rule sets, `SHUNT_SERVING_SEED` the first of their seeds.
@Suite(.serialized) struct FileDifferentialTests {
    /// An answer, whose times may be of another second.
    private struct Outcome: Equatable, CustomStringConvertible {
        var lines: [String] = []
        /// The seconds of Cache-Control, and those until Expires.
        var ages: [Int] = []

        var description: String { (lines + ages.map { "age \($0)" }).joined(separator: "\n        ") }

        static func == (first: Outcome, second: Outcome) -> Bool {
            first.lines == second.lines && first.ages.count == second.ages.count
                && zip(first.ages, second.ages).allSatisfy { abs($0 - $1) <= 2 }
        }
    }

    private static let headers = [
        "Location", "Content-Type", "Content-Length", "Last-Modified", "ETag", "Accept-Ranges", "Content-Range",
        "X-Own",
        "Cache-Control", "Expires",
    ]

    private static func outcome(_ request: RandomServing.Request, at port: UInt16) throws -> Outcome {
        var connection = try TestConnection(port: port)
        try connection.send(request.bytes(named: "x"))
        guard let response = try connection.response(isHead: request.method == "HEAD") else {
            return Outcome(lines: ["closed"])
        }
        var outcome = Outcome(lines: ["\(response.status)"])
        // The gateway has a line of text where nginx has a page.
        let isOwn =
            response.text.hasPrefix("<html>") || response.text.hasPrefix("\(response.status) ")
            || request.method == "HEAD" && response.status >= 300
        let border = response["Content-Type"]?.split(separator: "boundary=").last.map(String.init) ?? "-"
        let isUnsatisfiable = response["Content-Range"]?.hasPrefix("bytes */") == true
        if !isOwn { outcome.lines.append(response.text.replacing(border, with: "B")) }
        for header in headers {
            guard var value = response[header] else { continue }
            if isOwn, ["Content-Type", "Content-Length"].contains(header) { continue }
            // nginx has added some for the answer that has become this one.
            if isUnsatisfiable, header != "Content-Range", header != "Location" { continue }
            if header == "Content-Type" { value = value.replacing(border, with: "B") }
            if header == "Location" { value = value.replacing(":\(port)", with: "") }
            if let digits = value.split(separator: "max-age=").last, value.contains("max-age="),
                let age = Int(digits.prefix(while: \.isNumber))
            {
                outcome.ages.append(age)
                value = value.replacing(String(age), with: "N")
            }
            if header == "Expires", let time = HTTPTime.seconds(Array(value.utf8)),
                let now = HTTPTime.seconds(Array((response["Date"] ?? "").utf8))
            {
                outcome.ages.append(Int(time - now))
                value = ""
            }
            outcome.lines.append("\(header): \(value)")
        }
        return outcome
    }

    @Test("Random rules about files are served as nginx serves them", .timeLimit(.minutes(600)))
    func randomFiles() async throws {
        let folder = try RandomFiles.folder()
        let first = TestSettings.servingSeed
        var wrong = 0
        for seed in first..<(first + TestSettings.servingSets) where wrong < 5 {
            var random = RandomFiles(seed: seed, root: folder.path)
            let rules = random.rules()
            let requests = (0..<40).map { _ in random.request() }
            let change = RunningGateway.Change {
                $0.listeners = [Listener("127.0.0.1:0=0.0.0.0:80")].compactMap(\.self)
                $0.engine.fileSystem = LocalFileSystem()
            }
            try await RunningGateway.with(["rules.conf": rules], options: change) { (gateway) async throws in
                let port = gateway.port
                let pairs = try await Blocking.run {
                    try RealNginx.with(rules) { nginxPort in
                        try requests.map {
                            ($0, try Self.outcome($0, at: nginxPort), try Self.outcome($0, at: port))
                        }
                    }
                }
                for (request, expected, found) in pairs where found != expected {
                    wrong += 1
                    Issue.record("seed \(seed): \(request)\n nginx: \(expected)\n shunt: \(found)\n\(rules)")
                }
            }
        }
    }
}
#endif
