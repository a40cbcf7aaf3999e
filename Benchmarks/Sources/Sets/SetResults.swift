import Foundation
import Measurement

/// The results of a run, which are written as JSON.
struct SetResults: Codable {
    var date = ISO8601DateFormatter().string(from: Date())
    var machine = Machine()
    var sets: [SetResult] = []
    /// The memory of an engine of ten rules with what it has made for its decisions.
    var engineBytes: Int?
    /// The sets that were not measured, with the reasons.
    var skipped: [String] = []

    /// The measurements of a set.
    func result(_ name: String) -> SetResult? { sets.first { $0.name == name } }
}

/// One set: of several processes the fastest, for what other programs take of the machine only adds.
struct SetResult: Codable {
    var name: String
    var title: String
    var isForLoading: Bool
    var isPart: Bool
    var measurement: SetMeasurement
    var instructions: Double?
    var instructionsWithout: Double?
    var nginx: NginxSet.Result?
    private var differences: [Double]
    private var quotients: [Double]
    private var coldQuotients: [Double]

    /// The time that a part adds to a decision, in the rounds in which the machine had the least other work.
    var added: Double? { differences.min() }
    /// The ratio of a decision to one of the set that it is compared with.
    var quotient: Double? { median(quotients) }
    /// The same where the caches were emptied.
    var coldQuotient: Double? { median(coldQuotients) }
    /// The instructions that a part adds.
    var addedInstructions: Double? {
        guard let instructions, let instructionsWithout else { return nil }
        return instructions - instructionsWithout
    }

    private func median(_ values: [Double]) -> Double? { values.isEmpty ? nil : Statistics(values).median }

    /// Nil without a measurement.
    init?(_ set: SetFolder, _ all: [SetMeasurement]) {
        guard var measurement = all.first else { return nil }
        name = set.name
        title = set.title
        isForLoading = set.isForLoading
        isPart = set.without != nil
        let times: [WritableKeyPath<SetMeasurement, Double>] = [
            \.nanoseconds, \.median, \.percentile99, \.cold, \.allocations, \.loadSeconds,
        ]
        for time in times { measurement[keyPath: time] = Statistics(all.map { $0[keyPath: time] }).minimum }
        // What is measured in turns is compared run by run, for the machine has slower hours.
        differences = all.compactMap { one in one.others.map { one.nanoseconds - $0 } }
        quotients = all.compactMap { one in one.others.map { one.nanoseconds / $0 } }
        coldQuotients = all.compactMap { one in one.othersCold.map { one.cold / $0 } }
        for size in [\SetMeasurement.liveBytes, \.peakBytes] as [WritableKeyPath<SetMeasurement, Int>] {
            measurement[keyPath: size] = Int(Statistics(all.map { Double($0[keyPath: size]) }).median)
        }
        self.measurement = measurement
    }
}
