#if Gateway
import Dispatch
import Logging
import Shunt
import Synchronization

/// The files that the `access_log`s of rules name; they stay open over reloads that keep them.
final class RuleLogs: Sendable {
    private let opened = Mutex<[String: AccessLog]>([:])
    /// Files that the rules before named: event loops that have decided nothing since still write to them.
    private let retired = Mutex<[AccessLog]>([])
    /// The bytes of each log that may wait.
    private let limit: Int
    private let directories: LogDirectories
    private let logger: Logger

    init(_ options: GatewayOptions, _ logger: Logger) {
        directories = LogDirectories(options.logDirectories, rules: TLSContexts.directory(ofRules: options.rules))
        limit = options.logQueueBytes
        self.logger = logger
    }

    /// The log that a rule names, which is opened when it is needed first.
    ///
    /// Rules are not refused for a log: their decisions are needed more than lines about them.
    private func log(_ rule: AccessLogRule, of ruleSet: RuleSet) -> AccessLog {
        opened.withLock { opened in
            if let known = opened[rule.path] { return known }
            let place = ruleSet.location(of: rule.position).map { "\($0): " } ?? ""
            let log = AccessLog(named: "\(place)the access log \(rule.path)", limit: limit, logger) {
                [directories] () throws(SystemFailure) in try directories.open(rule.path)
            }
            opened[rule.path] = log
            return log
        }
    }

    /// Reports that the logs of a release are not written.
    static func refuse(_ ruleSet: RuleSet, _ logger: Logger) {
        guard let log = all(of: ruleSet).first else { return }
        let place = ruleSet.location(of: log.position).map { "\($0): " } ?? ""
        logger.warning("\(place)a release writes no access log: name one with --access-log")
    }

    /// Opens the files of rules that are in use, and lets go of those that they do not name; requests under way still write to
    /// these.
    func keep(_ ruleSet: RuleSet) {
        let rules = Self.all(of: ruleSet)
        for rule in rules { _ = log(rule, of: ruleSet) }
        let paths = Set(rules.map(\.path))
        let dropped = opened.withLock { opened in
            defer { opened = opened.filter { paths.contains($0.key) } }
            return opened.filter { !paths.contains($0.key) }
        }
        flush()
        retired.withLock { $0 = Array(dropped.values) }
    }

    /// The logs of each list of a rule set.
    func table(_ ruleSet: RuleSet) -> [[RuleLog]] {
        ruleSet.accessLogLists.map { list in list.map { RuleLog(log($0, of: ruleSet), $0, of: ruleSet) } }
    }

    /// Goes on in new files of the names.
    ///
    /// - Throws: When one of them cannot be opened, after all others were.
    func reopen() throws(SystemFailure) {
        var failure: SystemFailure?
        for log in all {
            do throws(SystemFailure) { try log.reopen() } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Writes what has been gathered.
    func flush() { for log in all + retired.withLock(\.self) { log.flush() } }

    /// Writes what has been gathered; waits for it until a time at most.
    func finish(before deadline: DispatchTime) {
        flush()
        for log in all + retired.withLock(\.self) { log.finish(before: deadline) }
    }

    /// The logs of the rules in use.
    var all: [AccessLog] { opened.withLock { Array($0.values) } }

    private static func all(of ruleSet: RuleSet) -> [AccessLogRule] { ruleSet.accessLogLists.flatMap(\.self) }
}

/// One `access_log`.
struct RuleLog {
    let file: AccessLog
    private let format: AccessLogFormat
    private let condition: LogCondition
    /// The format of the source of the condition's `map`.
    private let source: AccessLogFormat?
    /// The number of values of a decision that the condition has, and that the format has.
    private let counts: (condition: Int, format: Int)

    init(_ file: AccessLog, _ rule: AccessLogRule, of ruleSet: RuleSet) {
        self.file = file
        condition = ruleSet.condition(of: rule)
        let format = ruleSet.format(of: rule)
        self.format = AccessLogFormat(format.text, escape: format.escape)
        var count = 0
        var source: AccessLogFormat?
        switch condition {
        case .always: break
        case .value: count = 1
        case .map(_, let text):
            count = text.valueCount
            source = AccessLogFormat(text, escape: "none")
        }
        self.source = source
        counts = (count, format.text.valueCount)
    }

    /// True if it needs the headers of the answer.
    var needsHeaders: Bool { format.needsHeaders || source?.needsHeaders == true }

    /// Writes a line where the condition holds.
    ///
    /// - Parameters:
    ///   - exchange: What was asked and answered.
    ///   - values: What was computed for it and the logs after it; what is its own is taken away.
    func write(_ exchange: ExchangeAccount, _ values: inout ArraySlice<[UInt8]>) {
        let conditionValues = values.prefix(counts.condition)
        let formatValues = values.dropFirst(counts.condition).prefix(counts.format)
        values = values.dropFirst(counts.condition + counts.format)
        switch condition {
        case .always: break
        case .value:
            // What was never decided has no value: there is rather a line too many.
            if let value = conditionValues.first, value.isEmpty || value.elementsEqual("0".utf8) { return }
        case .map(let map, _):
            guard let source else { break }
            guard map.holds(for: source.text(exchange, Array(conditionValues))) else { return }
        }
        file.append(format.line(exchange, Array(formatValues)))
    }
}
#endif
