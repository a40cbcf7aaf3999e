import ShuntCore
import ShuntPatterns

extension RuleSet {
    /// The lists of access logs: those of each level that names some.
    package var accessLogLists: [[AccessLogRule]] { Array(program.tables.accessLogs) }

    package func condition(of log: AccessLogRule) -> LogCondition {
        switch log.condition {
        case .always: .always
        case .value: .value
        case .text(let text): .text(text)
        }
    }

    /// The maps that a text reads when a request is answered.
    package func maps(of text: LogText) -> [LogMap] { text.maps.map { LogMap($0, of: self) } }

    package func format(of log: AccessLogRule) -> LogLineFormat { program.tables.logFormats[log.format] }

    /// True if a format of the logs has the entries of tables that decided.
    package var logsEntries: Bool {
        program.tables.logFormats.contains { format in
            format.text.parts.contains { if case .answer("shunt_entries") = $0 { true } else { false } }
        }
    }

    /// The `listen` for requests that arrived at an address: the first where none is for it.
    func listen(at endpoint: RuleRequest.Endpoint?) -> TableIndex<ListenGroup> {
        endpoint.flatMap { program.listen(at: $0) } ?? .first
    }

    /// The access logs of the server for requests that name none; those of all servers where there is none.
    package func defaultAccessLogs(at endpoint: RuleRequest.Endpoint?) -> AccessLogList {
        guard !program.tables.listens.isEmpty else { return AccessLogList(program.tables.topAccessLogs) }
        let group = program.tables.listens[listen(at: endpoint)]
        let settings = program.tables.settings[program.tables.servers[group.defaultServer].settings]
        return AccessLogList(settings.accessLogs)
    }
}

package struct AccessLogList: Sendable {
    /// The number of lists before it; nil where nothing is logged.
    package let number: Int?

    init(_ index: TableIndex<[AccessLogRule]>) { number = index.isNone ? nil : index.position }
}

/// The condition in `if=` of an `access_log`.
package enum LogCondition {
    case always
    /// The first of the log's values is neither empty nor `0`.
    case value
    /// A text that is neither empty nor `0`, and not known before the request is answered.
    case text(LogText)
}

/// A `map` that is read when a request is answered.
///
/// Used by one thread at a time: it keeps the memory for expressions.
package final class LogMap {
    private let program: Program
    private let map: ValueMap
    private let tables: MapTables
    private let scratch = MatchScratch()

    init(_ map: TableIndex<ValueMap>, of ruleSet: RuleSet) {
        program = ruleSet.program
        self.map = program.tables.maps[map]
        tables = program.maps[map.position]
    }

    /// The value for a source; nil for one that has variables, and where an expression takes too long.
    package func value(for source: [UInt8]) -> [UInt8]? {
        let text = tables.hasHosts && source.last == UInt8(ascii: ".") ? Array(source.dropLast()) : source
        let name = tables.hasHosts ? text.map(\.asciiLowercased) : text
        let value: TemplateIndex
        switch tables.entry(for: text.span, name: name.span, scratch: scratch, mode: .indexed) {
        case .value(let found): value = found
        case .expression(let number): value = map.patternValues[number]
        case .limitExceeded: return nil
        }
        return program.tables.constantBytes(of: value)
    }
}
