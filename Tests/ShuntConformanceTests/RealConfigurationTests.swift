import Foundation
import NginxOracle
import Shunt
import Testing

/// Configurations of real sites, which stay outside of the repository because they belong to others.
///
/// `SHUNT_CONFIGURATIONS` names a folder with one folder for each site: its `nginx.conf`, or several files `*.conf`,
/// and what they include. All have to load unchanged. Then they are made ready for a machine that has neither their
/// certificates nor their PHP (`RealSite`), and 200 requests made of their own words are asked of nginx and of Shunt.
@Suite(
    .serialized,
    .enabled(if: ConformanceData.configurations != nil, "SHUNT_CONFIGURATIONS names no folder of real configurations")
)
struct RealConfigurationTests {
    static let names: [String] = {
        let names =
            ConformanceData.configurations.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }()

    private func site(_ name: String) throws -> RealSite {
        try RealSite(folder: try #require(ConformanceData.configurations) + "/" + name)
    }

    @Test("It loads unchanged", arguments: names)
    func loads(name: String) throws {
        let site = try site(name)
        do throws(RuleSetError) {
            let folders = ["/etc/nginx", "/usr/share/nginx"].filter { FileManager.default.fileExists(atPath: $0) }
            let rules = try RuleSet(path: site.path, trusting: folders)
            let warnings = rules.diagnostics.count { $0.severity == .warning }
            print("real configuration \(name): loaded, \(warnings) warnings")
        } catch {
            Issue.record("\(DiagnosticRenderer().render(error.diagnostics))")
        }
    }

    @Test(
        "It decides as nginx does",
        .enabled(if: NginxOracle() != nil, "nginx is not installed: apt-get install nginx"),
        arguments: names
    )
    func agrees(name: String) throws {
        let site = try site(name)
        let question = OracleQuestion(
            rules: site.rules,
            requests: site.requests(200, seed: 20_261_122),
            files: site.files
        )
        let oracle = try #require(NginxOracle())
        let reply = try oracle.ask([question])[0]
        switch reply {
        case .refused(let refusal): Issue.record("nginx refuses it: \(refusal.message)")
        case .failed(let message): Issue.record("nginx failed: \(message)")
        case .answers(let answers, _):
            let forwards = answers.count {
                if case .forward = $0.outcome.kind { true } else { false }
            }
            print("real configuration \(name): \(answers.count) requests, \(forwards) of them forwarded by nginx")
            let differences = DifferentialRun<ShuntAdapter>.differences(question, reply)
            #expect(differences.isEmpty, "\(ConformanceData.report(differences))")
        }
    }
}
