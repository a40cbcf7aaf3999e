import ShuntModules
import ShuntModulesTesting
import Testing

/// Statements R1 to R17: pay, 401, sign in, pay.
@Suite struct RecoveryTests {
    /// The program of these tests: payments that want a token, and a sign-in that tests direct.
    struct Bank: Sendable {
        let runs = Counter()
        let signIns = Counter()
        let clock = TurnedClock()
        let recovery: Recovery
        var signIn: @Sendable (Int) async throws -> String = { "token \($0)" }
        var accepts: @Sendable (String) -> Bool = { _ in true }

        init(attempts: Int = 1) {
            var limits = Recovery.Limits()
            limits.attempts = attempts
            recovery = Recovery("payment token", limits: limits) { error, _ in
                (error as? Payments.Unauthorized)?.realm
            } repair: { _, scope in
                CallValues(Payments.token, try await scope.call(Login.paymentToken, .init()))
            }
        }

        func run<Value: Sendable>(_ body: @escaping @Sendable (Scope) async throws -> Value) async throws -> Value {
            let bank = self
            let payments = AnyModule("Payments") { definition in
                definition.handle(Payments.pay) { payment, call in
                    bank.runs.increment()
                    guard let token = call.values[Payments.token], bank.accepts(token) else {
                        throw Payments.Unauthorized()
                    }
                    return Payments.Receipt(number: "\(payment.amount)-\(token)")
                }
            }
            let login = AnyModule("Login") { definition in
                definition.handle(Login.paymentToken) { _, _ in try await bank.signIn(bank.signIns.increment()) }
            }
            return try await ShuntModulesTests.run([payments, login], clock: clock) {
                $0.intercept(recovery)
            } body: {
                try await body($0)
            }
        }
    }

    private static func pay(_ app: Scope, _ amount: Int = 5) async -> String {
        do {
            return try await app.call(Payments.pay, .init(amount: amount)).number
        } catch CallError.recoveryFailed(_, let original, let repair) {
            let inner = (repair as? CallError)?.kind ?? "\(type(of: repair))"
            return "recoveryFailed(\(type(of: original)), \(inner))"
        } catch {
            return "\(type(of: error))"
        }
    }

    @Test("R1, R13: a payment without a token, and one after it")
    func once() async throws {
        let bank = Bank()
        try await bank.run { (app) async throws in
            #expect(await Self.pay(app) == "5-token 1")
            #expect(bank.runs.value == 2)
            #expect(await Self.pay(app, 6) == "6-token 1")
        }
        #expect(bank.runs.value == 3)
        #expect(bank.signIns.value == 1)
    }

    @Test("R2: a hundred payments at once, and a thousand", arguments: [100, 1_000])
    func storm(count: Int) async throws {
        var bank = Bank()
        let gate = Gate()
        bank.signIn = { number in
            try await gate.wait()
            return "token \(number)"
        }
        let runs = bank.runs
        try await bank.run { (app) async throws in
            let receipts = await withTaskGroup(of: String.self) { group in
                for amount in 0..<count { group.addTask { await Self.pay(app, amount) } }
                while runs.value < count { await Task.yield() }
                gate.open()
                return await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(receipts == Set((0..<count).map { "\($0)-token 1" }))
        }
        #expect(bank.runs.value == 2 * count)
        #expect(bank.signIns.value == 1)
    }

    @Test("R3: a payment that began before the sign-in and fails after it is made again at once")
    func late() async throws {
        let bank = Bank()
        let began = Gate()
        let slow = ModuleAction<NoValue, String>("slow")
        let module = AnyModule("slow") { definition in
            definition.handle(slow) { _, call in
                if let token = call.values[Payments.token] { return token }
                try await began.wait()
                throw Payments.Unauthorized()
            }
        }
        let payments = AnyModule("Payments") { definition in
            definition.handle(Payments.pay) { _, call in
                guard call.values[Payments.token] != nil else { throw Payments.Unauthorized() }
                return Payments.Receipt(number: "")
            }
            definition.handle(Login.paymentToken) { _, _ in "token \(bank.signIns.increment())" }
        }
        let answer = try await run([module, payments]) {
            $0.intercept(bank.recovery)
        } body: { (app) async throws in
            let task = Task { try await app.call(slow) }
            await began.arrivals()
            _ = try await app.call(Payments.pay, .init(amount: 1))
            began.open()
            return try await task.value
        }
        #expect(answer == "token 1")
        #expect(bank.signIns.value == 1)
    }

    @Test("R4: a token that is refused each time: as many runs as the budget allows", arguments: [0, 1, 3])
    func refused(attempts: Int) async throws {
        var bank = Bank(attempts: attempts)
        bank.accepts = { _ in false }
        #expect(try await bank.run { await Self.pay($0) } == "Unauthorized")
        #expect(bank.runs.value == attempts + 1)
        #expect(bank.signIns.value == attempts)
    }

    @Test("R5, R6, R7: a sign-in that fails, the pause after it, and the next one")
    func failed() async throws {
        var bank = Bank()
        bank.signIn = { number in
            if number == 1 { throw Failure() }
            return "token \(number)"
        }
        let clock = bank.clock
        try await bank.run { (app) async throws in
            #expect(await Self.pay(app) == "recoveryFailed(Unauthorized, Failure)")
            #expect(await Self.pay(app) == "Unauthorized")
            clock.turn(by: .seconds(5))
            #expect(await Self.pay(app) == "5-token 2")
        }
        #expect(bank.signIns.value == 2)
    }

    @Test("R8: a sign-in that answers 401 itself is not recovered")
    func recursive() async throws {
        var bank = Bank()
        bank.signIn = { _ in throw Payments.Unauthorized() }
        #expect(try await bank.run { await Self.pay($0) } == "recoveryFailed(Unauthorized, Unauthorized)")
        #expect(bank.signIns.value == 1)
    }

    @Test("R9, R10: waiters that are cancelled; when all are, so is the sign-in", arguments: [1, 10])
    func cancelled(leaving: Int) async throws {
        var bank = Bank()
        let gate = Gate()
        let log = Log()
        bank.signIn = { number in
            do { try await gate.wait() } catch {
                log("cancelled")
                throw error
            }
            return "token \(number)"
        }
        let runs = bank.runs
        try await bank.run { (app) async throws in
            let tasks = (0..<10).map { _ in Task { await Self.pay(app) } }
            await gate.arrivals()
            while runs.value < 10 { await Task.yield() }
            for _ in 0..<1_000 { await Task.yield() }
            for task in tasks.prefix(leaving) {
                task.cancel()
                #expect(await task.value == "CancellationError")
            }
            if leaving == 1 { gate.open() }
            for task in tasks.dropFirst(leaving) { #expect(await task.value == "5-token 1") }
        }
        #expect(log.lines == (leaving == 10 ? ["cancelled"] : []))
    }

    @Test("R11: a sign-in that takes too long")
    func slow() async throws {
        var bank = Bank()
        let gate = Gate()
        bank.signIn = { _ in
            try await gate.wait()
            return ""
        }
        let clock = bank.clock
        try await bank.run { (app) async throws in
            let task = Task { await Self.pay(app) }
            await gate.arrivals()
            await clock.waitForSleeper(of: .seconds(120))
            clock.turn(by: .seconds(120))
            #expect(await task.value == "recoveryFailed(Unauthorized, timedOut)")
        }
    }

    @Test("R12: two causes are repaired side by side")
    func causes() async throws {
        let both = Gate()
        let work = ModuleAction<String, String>("work")
        let key = ValueKey<String>("realm")
        let recovery = Recovery("realms") { error, _ in
            (error as? Failure)?.name
        } repair: { cause, _ in
            // Neither continues before the other has begun.
            if cause == "second" { both.open() }
            try await both.wait()
            return CallValues(ValueKey<Bool>(cause), true)
        }
        let module = AnyModule("X") { definition in
            definition.intercept(recovery)
            definition.handle(work) { realm, call in
                guard call.values[ValueKey<Bool>(realm)] != nil else { throw Failure(realm) }
                return realm
            }
        }
        _ = key
        try await run([module]) { (app) async throws in
            async let first = app.call(work, "first")
            await both.arrivals()
            async let second = app.call(work, "second")
            #expect(try await [first, second] == ["first", "second"])
        }
    }

    @Test("R14: what is forgotten has to be repaired again")
    func forgotten() async throws {
        let bank = Bank()
        try await bank.run { (app) async throws in
            #expect(await Self.pay(app) == "5-token 1")
            bank.recovery.forget()
            #expect(await Self.pay(app) == "5-token 2")
        }
    }

    @Test("R15: other errors pass")
    func otherErrors() async throws {
        let bank = Bank()
        let module = AnyModule("X") { $0.handle(Shop.count) { _, _ in throw Failure() } }
        try await run([module]) {
            $0.intercept(bank.recovery)
        } body: { (app) async throws in
            await #expect(throws: Failure()) { try await app.call(Shop.count) }
        }
        #expect(bank.signIns.value == 0)
    }

    @Test("R16: an input that can be handed over once only is not handed over twice")
    func stream() async throws {
        struct Upload: RepeatableInput { var canBeRepeated: Bool }
        let upload = ModuleAction<Upload, NoValue>("upload")
        let bank = Bank()
        let runs = Counter()
        let module = AnyModule("X") { definition in
            definition.handle(upload) { _, call in
                runs.increment()
                guard call.values[Payments.token] != nil else { throw Payments.Unauthorized() }
                return NoValue()
            }
            definition.handle(Login.paymentToken) { _, _ in "token" }
        }
        try await run([module]) {
            $0.intercept(bank.recovery)
        } body: { (app) async throws in
            await #expect(throws: Payments.Unauthorized()) { try await app.call(upload, Upload(canBeRepeated: false)) }
            #expect(runs.value == 1)
            _ = try await app.call(upload, Upload(canBeRepeated: true))
            #expect(runs.value == 3)
        }
    }

    @Test("R17: the scope with the recovery stops during a repair")
    func stopped() async throws {
        let gate = Gate()
        let define: @Sendable (inout ModuleDefinition<NoValue>) -> Void = { definition in
            definition.intercept(
                Recovery("repair") { error, _ in
                    (error as? Failure)?.name
                } repair: { _, _ in
                    try await gate.wait()
                    return CallValues()
                }
            )
            definition.handle(Shop.count) { _, _ in throw Failure() }
        }
        let child = AnyModule("child", define)
        let root = AnyModule("module", define)
        let slot = Kept<Slot<AnyModule>>()
        let parent = AnyModule("parent") { slot.value = $0.slot(child) }
        // In a scope that may be detached the call itself ends with it; in a module of the program it sees the repair end.
        try await run([parent]) { (app) async throws in
            let scope = try await app.children[0].attach(try slot.get(), for: NoValue())
            let task = Task { await callError { try await scope.call(Shop.count) } }
            await gate.arrivals()
            await scope.detach()
            #expect(await task.value == "detached")
        }
        let task = Kept<Task<String, Never>>()
        try await run([root]) { (app) async throws in
            task.value = Task { await callError { try await app.call(Shop.count) } }
            await gate.arrivals(2)
        }
        #expect(try await task.get().value == "recoveryFailed")
    }
}
