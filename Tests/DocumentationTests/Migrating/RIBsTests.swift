import Shunt
import ShuntLinks
import ShuntModules
import ShuntModulesTesting
import Testing

/// The calls of the router of the root.
enum Games {
    struct Launch: Codable, Hashable, Sendable { var game: String }
    static let launch = ModuleAction<Launch, NoValue>("Games.launch", at: "games://launch/:game", for: .links)
    /// The listener: a game reports to its parent who won.
    static let won = ModuleAction<String, NoValue>("Games.won")
    static let winners = ModuleFeed<NoValue, String>("Games.winners")
    static let score = ServiceKey<Score>("Games.score")
}

/// The RIB LoggedOut: it is there until a user has signed in.
enum LoggedOut { static let player = ModuleAction<NoValue, String>("LoggedOut.player") }
struct LoggedOutModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.handle(LoggedOut.player) { _, _ in "ann" }
    }
}

/// The RIB of a game: what it is made with, a worker, and a word to its parent.
struct GameInput: Hashable, Sendable { var name, player: String }
enum Game {
    static let play = ModuleAction<NoValue, NoValue>("Game.play")
    static let best = ModuleAction<NoValue, String>("Game.best")
}
struct GameModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<GameInput>) {
        let input = definition.input
        let score = definition.require(Games.score)
        definition.run("clock") { scope in
            while true { try await Task.sleep(for: .seconds(1)) }
        }
        definition.handle(Game.play) { _, call in
            _ = try await call.call(Games.won, call[input].player)
            return NoValue()
        }
        definition.handle(Game.best) { _, call in await call[score].winners.first ?? "nobody" }
    }
}

/// The RIB Root: its slots are where its router attaches children.
struct RootModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let loggedOut = definition.slot(LoggedOutModule())
        let game = definition.slot(GameModule())
        let score = definition.own { _ in Score() }
        definition.provide(Games.score) { $0[score] }
        definition.handle(Games.launch) { launch, call in
            try await call.scope.workflow("launch a game", within: .seconds(30)) { flow in
                let player = try await flow.step("sign in") {
                    try await call.scope.with(loggedOut, for: NoValue()) { try await $0.call(LoggedOut.player) }
                }
                try await flow.step("show the game") {
                    _ = try await call.scope.attach(game, for: GameInput(name: launch.game, player: player))
                }
            }
            return NoValue()
        }
        definition.handle(Games.won) { player, call in
            await call[score].add(player)
            return NoValue()
        }
        definition.stream(Games.winners) { _, call, writer in
            for player in await call[score].winners { try await writer.write(player) }
        }
    }
}

actor Score {
    private(set) var winners: [String] = []

    func add(_ player: String) { winners.append(player) }
}

/// Sources/ShuntModules/ShuntModules.docc/FromRIBs.md.
@Suite struct RIBsTests {
    private static func run(_ body: @escaping @Sendable (Scope, Links) async throws -> Void) async throws -> [String] {
        let recorder = CallRecorder()
        var assembly = Assembly()
        assembly.add(RootModule())
        assembly.intercept(recorder.history)
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: ""))
        let links = try Links(modules, rules: engine)
        try await modules.run { app in try await body(try #require(app.children.first), links) }
        return recorder.records.map(\.name)
    }

    @Test("A link runs the workflow; the tree is what is open; a game reports to its parent; detaching ends its worker")
    func launch() async throws {
        let history = try await Self.run { (root, links) async throws in
            _ = try await links.open("games://launch/chess", from: Caller(.link))
            #expect(root.children.map(\.name) == ["GameModule"])

            // The same link again opens nothing new; another game takes its place.
            let chess = try #require(root.children.first)
            _ = try await links.open("games://launch/chess", from: Caller(.link))
            #expect(root.children.first === chess)
            _ = try await chess.call(Game.play)
            _ = try await links.open("games://launch/go", from: Caller(.link))
            #expect(chess.state == .stopped)

            var winners: [String] = []
            for try await winner in try root.listen(Games.winners, NoValue()) { winners.append(winner) }
            #expect(winners == ["ann"])

            let go = try #require(root.children.first)
            await go.detach()
            #expect(root.children.isEmpty)
            #expect(go.state == .stopped)
        }
        let steps = ["LoggedOut.player", "launch a game/sign in", "launch a game/show the game", "launch a game"]
        #expect(history.prefix(4) == steps[...])
    }

    @Test("A child uses a service of its parent")
    func components() async throws {
        _ = try await Self.run { (root, links) async throws in
            _ = try await links.open("games://launch/chess", from: Caller(.link))
            let chess = try #require(root.children.first)
            #expect(try await chess.call(Game.best) == "nobody")
            _ = try await chess.call(Game.play)
            #expect(try await chess.call(Game.best) == "ann")
        }
    }
}
