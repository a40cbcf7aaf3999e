import ShuntModules
import Testing

/// The texts of errors of calls and modules, as a log has them.
@Suite struct ErrorTextTests {
    struct Broken: Error {}

    @Test(
        "An error of a call is one sentence",
        arguments: [
            (
                CallError.notOffered(name: "Bank.pay", known: ["Bank.bay"], suggestion: "Bank.bay"),
                #"no module answers "Bank.pay"; did you mean "Bank.bay"?"#
            ), (.notOffered(name: "Bank.pay", known: [], suggestion: nil), #"no module answers "Bank.pay""#),
            (
                .differentTypes(name: "Bank.pay", asked: "Int", offered: "String"),
                #""Bank.pay" is called as Int, and answered as String"#
            ), (.notActive(scope: "Visit", state: .stopping), #"the scope "Visit" is stopping, not active"#),
            (.detached(scope: "Visit"), #"the scope "Visit" was detached during the call"#),
            (.slotIsFull(scope: "Home", limit: 2), #"a slot of "Home" is full: it has at most 2 scopes"#),
            (.refused(by: "Plugin", reason: "closed"), "Plugin refused the call: closed"),
            (.timedOut(after: .seconds(3)), "the call took longer than 3.0 seconds"),
            (.circularService(names: ["A", "B"]), "services create each other in a circle: A, B"),
            (
                .recoveryFailed(name: "token", original: Broken(), repair: CallError.timedOut(after: .seconds(1))),
                #"the call failed: Broken(); the repair "token" failed, too: the call took longer than 1.0 seconds"#
            ),
        ]
    )
    func calls(error: CallError, text: String) { #expect("\(error)" == text) }

    @Test("An error that ends a program names its module")
    func modules() async throws {
        var assembly = Assembly()
        assembly.add(AnyModule("Orders") { $0.onStart { _ in throw Broken() } })
        let modules = try assembly.build()
        let error = await #expect(throws: ModuleError.self) { try await modules.run { _ in } }
        #expect(error.map { "\($0)" } == #"the module "Orders" did not start: Broken()"#)
    }
}
