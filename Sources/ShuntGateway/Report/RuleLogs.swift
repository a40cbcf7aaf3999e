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
                [directories] () throws(SystemCallError) in try directories.open(rule.path)
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

    /// Continues in new files of the names.
    ///
    /// - Throws: When one of them cannot be opened, after all others were.
    func reopen() throws(SystemCallError) {
        var failure: SystemCallError?
        for log in all {
            do throws(SystemCallError) { try log.reopen() } catch { failure = error }
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
    /// A text of a log with its maps, and the number of values of a decision that it has.
    private struct Text {
        let format: AccessLogFormat
        let maps: [LogMap]
        let valueCount: Int

        init(_ text: LogText, escape: String, of ruleSet: RuleSet) {
            format = AccessLogFormat(text, escape: escape)
            maps = ruleSet.maps(of: text)
            valueCount = text.valueCount
        }
    }

    let file: AccessLog
    private let line: Text
    private let condition: LogCondition
    /// The text of the condition; nil for one that is not known only when the request is answered.
    private let source: Text?

    init(_ file: AccessLog, _ rule: AccessLogRule, of ruleSet: RuleSet) {
        self.file = file
        condition = ruleSet.condition(of: rule)
        let format = ruleSet.format(of: rule)
        line = Text(format.text, escape: format.escape, of: ruleSet)
        source = if case .text(let text) = condition { Text(text, escape: "none", of: ruleSet) } else { nil }
    }

    /// True if it needs the headers of the answer.
    var needsHeaders: Bool { line.format.needsHeaders || source?.format.needsHeaders == true }

    /// Writes a line where the condition holds.
    ///
    /// - Parameters:
    ///   - exchange: What was asked and answered.
    ///   - values: What was computed for it and the logs after it; what is its own is taken away.
    func write(_ exchange: ExchangeAccount, _ values: inout ArraySlice<[UInt8]>) {
        var count = source?.valueCount ?? 0
        if case .value = condition { count = 1 }
        let conditionValues = values.prefix(count)
        let lineValues = values.dropFirst(count).prefix(line.valueCount)
        values = values.dropFirst(count + line.valueCount)
        let value =
            source.map { $0.format.text(exchange, values: Array(conditionValues), maps: $0.maps) }
            ?? conditionValues.first
        // What was never decided has no value: there is rather a line too many.
        if let value, value.isEmpty || value.elementsEqual("0".utf8) { return }
        file.append(line.format.line(exchange, values: Array(lineValues), maps: line.maps))
    }
}
#endif
