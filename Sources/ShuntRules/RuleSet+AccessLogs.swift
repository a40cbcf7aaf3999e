import ShuntCore
import ShuntPatterns

extension RuleSet {
    /// The access logs of a list.
    package func accessLogs(_ index: TableIndex<[AccessLogRule]>) -> [AccessLogRule] {
        index.isNone ? [] : program.tables.accessLogs[index]
    }

    /// How many lists of access logs there are.
    package var accessLogLists: Int { program.tables.accessLogs.count }

    /// The format of an access log.
    package func format(of log: AccessLogRule) -> LogLineFormat { program.tables.logFormats[log.format] }

    /// The access logs of the server that requests come to which name none; those of all servers where there is none.
    package func defaultAccessLogs(at endpoint: RuleRequest.Endpoint?) -> TableIndex<[AccessLogRule]> {
        guard !program.tables.listens.isEmpty else { return program.tables.topAccessLogs }
        let group = program.tables.listens[endpoint.flatMap { program.listen(at: $0) } ?? .first]
        return program.tables.settings[program.tables.servers[group.defaultServer].settings].accessLogs
    }

    /// Whether the value of a `map` is neither empty nor `0`.
    ///
    /// An entry whose value has variables counts as one that is not, and so does an expression that takes too long: a log has rather
    /// a line too many.
    package func holds(_ map: TableIndex<ValueMap>, for source: [UInt8]) -> Bool {
        let map = program.tables.maps[map]
        var value = TemplateIndex.none
        if let hosts = map.hosts {
            let name = source.map(\.asciiLowercased)
            if let found = hosts.value(of: name.span) { value = TemplateIndex(found) }
        }
        if value.isNone, let found = map.literals.value(source.span) { value = TemplateIndex(found) }
        if value.isNone, !source.isEmpty, map.patterns.count > 0 {
            let scratch = MatchScratch()
            switch map.patterns.firstMatch(source.span, from: 0, to: map.patterns.count, scratch: scratch) {
            case .none: break
            case .match(let match): value = map.patternValues[match]
            case .limitExceeded: return true
            }
        }
        if value.isNone { value = map.defaultValue }
        guard !value.isNone else { return false }
        let part = program.tables.parts[value]
        guard part.isConstant else { return true }
        let bytes = program.tables.constants[ByteRange(start: part.a, end: part.b).indices]
        return !bytes.isEmpty && !bytes.elementsEqual("0".utf8)
    }
}
