import Foundation
import TestFolder
import Testing

/// The workflow for pull requests that the documents show: its steps, run by a shell in a repository, as a runner does it.
@Suite struct WorkflowTests {
    private struct Step {
        var name: String
        var script: String
    }

    /// The result of a shell.
    private struct Ended {
        var status: Int32
        var output: String
    }

    /// The steps of the workflow that run something.
    private static func steps() throws -> [Step] {
        let blocks = try Document("docs/changing-rules.md").blocks
        let block = try #require(blocks.first { $0.name == ".github/workflows/rules.yml" })
        var steps: [Step] = []
        for line in block.lines {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("- name: ") {
                steps.append(Step(name: String(text.dropFirst(8)), script: ""))
            } else if line.hasPrefix("          "), !steps.isEmpty, !text.hasPrefix("fetch-depth") {
                steps[steps.count - 1].script += text + "\n"
            }
        }
        return steps
    }

    private static func run(_ script: String, in folder: TestFolder) throws -> Ended {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let programs = URL(fileURLWithPath: tests).deletingLastPathComponent().path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-e", "-c", script]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = [
            "PATH": programs + ":/usr/bin:/bin", "GITHUB_BASE_REF": "main", "HOME": folder.path,
            "GITHUB_STEP_SUMMARY": folder.path + "/summary.md",
        ]
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Ended(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }

    /// A repository whose main branch has these rules, as a pull request's checkout sees it.
    private static func repository(_ rules: String) throws -> TestFolder {
        let folder = try TestFolder([
            "rules/10-web.conf": rules, "requests.txt": "https://www.example/old\nhttps://www.example/\n",
        ])
        let commands = """
            git init --quiet
            git add rules requests.txt
            git -c user.name=Ann -c user.email=ann@example.com commit --quiet --message Rules
            git update-ref refs/remotes/origin/main HEAD
            """
        let ended = try run(commands, in: folder)
        try #require(ended.status == 0, "\(ended.output)")
        return folder
    }

    private static let rules = """
        block host ads.example;
        expect https://ads.example/ block 403;

        """

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        /// The text after the rules of the main branch.
        var change: String
        /// The steps that fail.
        var failing: [Int]
    }

    static let cases = [
        Case(testDescription: "nothing changes", change: "# A comment.\n", failing: []),
        Case(testDescription: "a mistake", change: "blok host b.example;\n", failing: [0, 1, 2, 3]),
        Case(testDescription: "another form", change: "block   host   b.example;\n", failing: [0]),
        Case(
            testDescription: "an outcome changes that nobody approved",
            change: "rewrite_url ^https://www\\.example/old$ https://www.example/new permanent;\n",
            failing: [3]
        ),
    ]

    @Test("Each step fails where it should, and the summary has what changes", arguments: cases)
    func judges(example: Case) throws {
        let steps = try Self.steps()
        #expect(steps.count == 4)
        let folder = try Self.repository(Self.rules)
        try folder.replace("rules/10-web.conf", Self.rules + example.change)
        for (index, step) in steps.enumerated() {
            let ended = try Self.run(step.script, in: folder)
            #expect((ended.status != 0) == example.failing.contains(index), "\(step.name): \(ended.output)")
        }
        if example.failing == [3] {
            #expect(try folder.text("summary.md").contains("### What these rules change"))
            let approving =
                "shunt diff git:origin/main:rules rules --requests requests.txt --write-approved approved.txt || true"
            _ = try Self.run(approving, in: folder)
            let ended = try Self.run(steps[3].script, in: folder)
            #expect(ended.status == 0, "\(ended.output)")
        }
    }
}
