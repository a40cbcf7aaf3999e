import Shunt
import ShuntLinks
import ShuntModules
import ShuntModulesTesting
import Testing

/// The calls of AModule.
enum AModuleCalls {
    struct Value: Codable, Hashable, Sendable { var value: Int }
    static let double = ModuleAction<Value, Int>("AModule.double", at: "kl://AModule/double", for: .links)
    static let progress = ModuleFeed<NoValue, String>("AModule.progress", at: "kl://AModule/progress")
    static let becameActive = ModuleEvent<Value, String>("app.becameActive")
}

struct AModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.handle(AModuleCalls.double) { input, _ in input.value * 2 }
        definition.stream(AModuleCalls.progress) { _, _, writer in
            try await writer.write("half")
            try await writer.write("done")
        }
        definition.on(AModuleCalls.becameActive) { input, _ in "A saw \(input.value)" }
    }
}

struct BModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.on(AModuleCalls.becameActive) { input, _ in "B saw \(input.value)" }
    }
}

/// Sources/ShuntModules/ShuntModules.docc/FromKhala.md.
@Suite struct KhalaTests {
    private static func run(
        rules: String = "",
        _ body: @escaping @Sendable (Scope, Links) async throws -> Void
    ) async throws -> [String] {
        let recorder = CallRecorder()
        var assembly = Assembly()
        assembly.add(AModule())
        assembly.add(BModule())
        assembly.intercept(recorder.history)
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: rules))
        let links = try Links(modules, rules: engine)
        try await modules.run { app in try await body(app, links) }
        return recorder.records.map { $0.error == nil ? $0.name : $0.name + " failed" }
    }

    @Test("A call by URL, several answers, and an event for all modules")
    func calls() async throws {
        let history = try await Self.run { (app, links) async throws in
            let value = try await links.open("kl://AModule/double?value=64", from: Caller(.code), as: Int.self)
            var steps: [String] = []
            for try await step in try app.listen(AModuleCalls.progress, NoValue()) { steps.append(step) }
            let replies = await app.send(AModuleCalls.becameActive, .init(value: 1))
            #expect(value == 128)
            #expect(steps == ["half", "done"])
            #expect(replies.map(\.module) == ["AModule", "BModule"])
            #expect(try replies.map { try $0.result.get() } == ["A saw 1", "B saw 1"])
        }
        #expect(history.contains("AModule.double"))
    }

    @Test("A filter that leads one module's URLs to another is a rule; what fails is in the history")
    func rewritten() async throws {
        let rules = try #require(
            try Document("Sources/ShuntModules/ShuntModules.docc/FromKhala.md").blocks.first { $0.language == "nginx" }
        )
        let history = try await Self.run(rules: rules.text) { (_, links) async throws in
            let value = try await links.open("kl://OldModule/double?value=2", from: Caller(.link), as: Int.self)
            #expect(value == 4)
            do {
                _ = try await links.open("kl://AModule/duoble?value=2", from: Caller(.link))
                Issue.record("opened")
            } catch LinkError.unknown(_, _, let known, let suggestion) {
                #expect(known == ["double", "progress"])
                #expect(suggestion == "kl://AModule/double")
            }
        }
        #expect(history == ["AModule.double", "kl://AModule/duoble?value=2 failed"])
    }
}
