import ShuntModules
import Synchronization
import Testing

/// Required by the module Notes, and declared there.
protocol NotesLogin: Sendable {
    func ask(_ message: String, didFinishLogin: @escaping @Sendable () -> Void) async
}
enum Notes {
    static let login = ServiceKey<any NotesLogin>("Notes.login")
    static let open = ModuleAction<String, NoValue>("Notes.open")
    static let opened = ServiceKey<OpenedNotes>("Notes.opened")
}

/// Provided by the module Login, and declared there.
protocol LoginView: Sendable {
    func show(notifyString: String, didLogin: @escaping @Sendable () -> Void) async
}
enum LoginViews { static let view = ServiceKey<any LoginView>("Login.view") }

struct NotesModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let login = definition.require(Notes.login)
        let opened = definition.require(Notes.opened)
        definition.handle(Notes.open) { note, call in
            let opened = call[opened]
            await call[login].ask("Sign in to read \(note)") { opened.add(note) }
            return NoValue()
        }
    }
}

struct LoginViewModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.provide(LoginViews.view) { _ in SilentLogin() }
    }
}

/// The program's own: it sees both modules.
struct LoginForNotes: NotesLogin {
    let view: any LoginView
    func ask(_ message: String, didFinishLogin: @escaping @Sendable () -> Void) async {
        await view.show(notifyString: message, didLogin: didFinishLogin)
    }
}

/// A sign-in that shows nothing.
struct SilentLogin: LoginView {
    func show(notifyString: String, didLogin: @escaping @Sendable () -> Void) async { didLogin() }
}

/// The notes that were read.
final class OpenedNotes: Sendable {
    private let kept = Mutex<[String]>([])

    var names: [String] { kept.withLock { $0 } }

    func add(_ name: String) { kept.withLock { $0.append(name) } }
}

/// Sources/ShuntModules/ShuntModules.docc/FromZIKRouter.md.
@Suite struct ZIKRouterTests {
    @Test("A module that requires one interface is served by a module that provides another")
    func adapted() async throws {
        let opened = OpenedNotes()
        var assembly = Assembly()
        assembly.add(NotesModule())
        assembly.add(LoginViewModule())
        assembly.adapt(Notes.login, from: LoginViews.view) { LoginForNotes(view: $0) }
        assembly.provide(Notes.opened, opened)
        try await assembly.build()
            .run { (app) async throws in
                _ = try await app.call(Notes.open, "the list")
            }
        #expect(opened.names == ["the list"])
    }

    @Test("Without the adapter nothing runs")
    func missing() {
        var assembly = Assembly()
        assembly.add(NotesModule())
        assembly.add(LoginViewModule())
        assembly.provide(Notes.opened, OpenedNotes())
        let error = #expect(throws: AssemblyError.self) { try assembly.build() }
        #expect(error?.diagnostics.first?.code == "missing-service")
    }
}
