import Testing

@testable import Shunt

@Suite("The end of a change")
struct ChangeDetectorTests {
    static let periods = ChangeDetector.Periods(
        quiet: .milliseconds(200),
        longest: .seconds(2),
        writer: .seconds(30),
        poll: .seconds(5)
    )

    static let file = ChangeDetector.File(directory: "rules", name: "a.conf")

    /// An event at a millisecond.
    enum Step: Sendable {
        case event(FileEvent.Kind, Int)
        case polled(Int)
        case lost(Int)
        case due(Int, ChangeDetector.Action)
        case settled(Int)
        case unsettled(Int)
    }

    static let cases: [(String, [Step])] = [
        ("nothing", [.due(4999, .none), .due(5000, .poll), .due(9999, .none), .due(10_000, .poll)]),
        ("a rename", [.event(.appeared, 10), .due(209, .none), .due(210, .fire), .due(300, .none)]),
        (
            "several renames",
            [.event(.appeared, 0), .event(.appeared, 150), .due(200, .none), .due(350, .fire)]
        ),
        (
            "renames without end",
            (0..<20).map { Step.event(.appeared, $0 * 100) } + [.due(1999, .none), .due(2000, .fire)]
        ),
        (
            "a writing that ends",
            [.event(.modified, 0), .due(1000, .none), .event(.closed, 1000), .due(1199, .none), .due(1200, .fire)]
        ),
        (
            "a slow writer",
            (0..<25).map { Step.event(.modified, $0 * 1000) }
                + [.due(24_500, .none), .event(.closed, 24_500), .due(24_501, .fire)]
        ),
        ("a writer that never ends", [.event(.modified, 0), .due(29_999, .none), .due(30_000, .fire)]),
        (
            "a writer whose file is taken away",
            [.event(.modified, 0), .event(.disappeared, 100), .due(299, .none), .due(300, .fire)]
        ),
        ("lost events", [.event(.modified, 0), .lost(50), .due(50, .fire)]),
        ("permissions", [.event(.attributes, 0), .due(200, .fire)]),
        ("seen by looking", [.polled(0), .due(200, .settle), .settled(200), .due(201, .none)]),
        (
            "seen by looking, and going on",
            [
                .polled(0), .due(200, .settle), .unsettled(200), .due(300, .none), .due(400, .settle),
                .settled(400), .due(600, .none),
            ]
        ),
        (
            "seen by looking, without end",
            [.polled(0), .unsettled(1900), .due(1999, .none), .due(2000, .fire)]
        ),
    ]

    @Test(arguments: cases.indices) func isDecided(_ index: Int) {
        var detector = ChangeDetector(Self.periods, now: .zero)
        for (number, step) in Self.cases[index].1.enumerated() {
            switch step {
            case .event(let kind, let time): detector.note(kind, Self.file, at: .milliseconds(time))
            case .polled(let time): detector.noteChange(at: .milliseconds(time), wasPolled: true)
            case .lost(let time): detector.noteLoss(at: .milliseconds(time))
            case .settled(let time): detector.noteSettled(at: .milliseconds(time))
            case .unsettled(let time): detector.noteUnsettled(at: .milliseconds(time))
            case .due(let time, let action):
                let due = detector.due(at: .milliseconds(time))
                #expect(due == action, "\(Self.cases[index].0), step \(number)")
            }
        }
    }

    @Test func isAskedAgainAtTheMomentItNames() {
        var detector = ChangeDetector(Self.periods, now: .zero)
        detector.note(.modified, Self.file, at: .milliseconds(100))
        #expect(detector.deadline == .milliseconds(30_100))
        detector.note(.closed, Self.file, at: .milliseconds(200))
        #expect(detector.deadline == .milliseconds(400))
        #expect(detector.isPending)
        let due = detector.due(at: detector.deadline)
        #expect(due == .fire)
        #expect(!detector.isPending && detector.deadline == .milliseconds(5400))
    }

    @Test func remembersABoundedNumberOfWriters() {
        var detector = ChangeDetector(Self.periods, now: .zero)
        for number in 0..<100_000 {
            detector.note(.modified, ChangeDetector.File(directory: "rules", name: "\(number)"), at: .zero)
        }
        let due = detector.due(at: .seconds(30))
        #expect(due == .fire)
    }
}
