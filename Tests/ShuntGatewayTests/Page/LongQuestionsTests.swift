#if Gateway
import Dispatch
import Testing

@testable import ShuntGateway

@Suite struct LongQuestionsTests {
    @Test("One long question is answered at a time, and the next one after it")
    func oneAtATime() async throws {
        let questions = LongQuestions()
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let first = questions.answer {
            begun.signal()
            mayEnd.wait()
            return 1
        }
        try await Blocking.run { begun.wait() }
        #expect(await questions.answer { 2 } == nil)
        mayEnd.signal()
        #expect(await first == 1)
        #expect(await questions.answer { 3 } == 3)
    }
}
#endif
