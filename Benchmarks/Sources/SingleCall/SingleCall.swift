import COneThread
import ShuntModules

/// The action that is called: the same work whichever way leads to it.
protocol Ledger: Sendable {
    func add(_ first: Int, _ second: Int) async -> Int
}

struct SumLedger: Ledger {
    func add(_ first: Int, _ second: Int) async -> Int { first &+ second }
}

/// Another, so that which one is called is not known before the program runs.
struct DifferenceLedger: Ledger {
    func add(_ first: Int, _ second: Int) async -> Int { first &- second }
}

struct Amounts: Sendable {
    var first: Int
    var second: Int
}

/// Answers one action with the ledger, and others that no caller needs.
struct LedgerModule: ProgramModule {
    static let add = ModuleAction<Amounts, Int>("Ledger.add")
    static let sum = ModuleAction<Amounts, Int>("Ledger.sum")

    let others: Int

    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let ledger = definition.own { _ -> any Ledger in SumLedger() }
        definition.handle(Self.add) { amounts, call in await call[ledger].add(amounts.first, amounts.second) }
        definition.handle(Self.sum) { amounts, _ in amounts.first &+ amounts.second }
        for number in 0..<others {
            definition.handle(ModuleAction<Int, Int>("Ledger.other\(number)")) { input, _ in input }
        }
    }
}

/// Has scopes of another module, one for each number.
struct VisitsModule: ProgramModule {
    struct Visit: ProgramModule {
        func define(_ definition: inout ModuleDefinition<Int>) {}
    }
    static let visit = ModuleAction<Int, Int>("Visits.visit")

    let count: Int

    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let slot = definition.slot(Visit(), .each(limit: count + 1))
        let count = count
        definition.onStart { scope in for number in 0..<count { try await scope.attach(slot, for: number) } }
        definition.handle(Self.visit) { number, call in
            let scope = try await call.scope.attach(slot, for: number)
            if number < count { return number }
            await scope.detach()
            return number
        }
    }
}

/// Hands every call on.
struct PassingOn: Interceptor {
    func intercept<I, O>(_ input: I, _ call: CallContext, next: NextCall<I, O>) async throws -> O {
        try await next(input, call)
    }
}

/// Makes calls of one kind and nothing else, so that a tool outside can count what one costs.
@main
struct SingleCall {
    static let usage = """
        usage: single-call KIND CALLS
        KIND: existential, bound, bound-plain, named-10, named-2000, intercepted-1, intercepted-3,
              found-10, found-2000, attached-10, attached-2000
        """

    static func main() {
        one_thread_begin()
        Task.detached {
            do { try await run() } catch { print(error) }
        }
        one_thread_run()
    }

    private static func run() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 2, let count = Int(arguments[1]) else { return print(usage) }
        let parts = arguments[0].split(separator: "-")
        let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        var assembly = Assembly()
        assembly.add(LedgerModule(others: parts[0] == "named" ? number : 10))
        if parts[0] == "found" || parts[0] == "attached" { assembly.add(VisitsModule(count: number)) }
        if parts[0] == "intercepted" { for _ in 0..<number { assembly.intercept(PassingOn()) } }
        let kind = arguments[0]
        let sum = try await assembly.build().run { app in try await calls(kind, count, app) }
        print(sum)
    }

    private static func calls(_ kind: String, _ count: Int, _ app: Scope) async throws -> Int {
        var sum = 0
        switch kind {
        case "existential":
            let ledger: any Ledger = count < 0 ? DifferenceLedger() : SumLedger()
            for number in 0..<count { sum = await ledger.add(sum, number) }
        case "bound", "intercepted-1", "intercepted-3":
            let add = try app.bind(LedgerModule.add)
            for number in 0..<count { sum = try await add(Amounts(first: sum, second: number)) }
        case "bound-plain":
            let add = try app.bind(LedgerModule.sum)
            for number in 0..<count { sum = try await add(Amounts(first: sum, second: number)) }
        case "named-10", "named-2000":
            for number in 0..<count {
                sum = try await app.call(LedgerModule.add, Amounts(first: sum, second: number))
            }
        case "found-10", "found-2000":
            let last = kind == "found-10" ? 9 : 1999
            for _ in 0..<count { sum &+= try await app.call(VisitsModule.visit, last) }
        case "attached-10", "attached-2000":
            let next = kind == "attached-10" ? 10 : 2000
            for _ in 0..<count { sum &+= try await app.call(VisitsModule.visit, next) }
        default: print(usage)
        }
        return sum
    }
}
