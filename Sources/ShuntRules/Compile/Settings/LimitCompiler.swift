import ShuntCore

/// Limits of requests and of connections: `limit_req` and `limit_conn`, their zones and their settings.
struct LimitCompiler {
    private var requests: [ZoneLimit] = []
    private var connections: [ZoneLimit] = []

    // MARK: Zones

    static func declare(_ directives: [CheckedDirective], in context: inout CompileContext) {
        for directive in directives where directive.keyword == .limitReqZone || directive.keyword == .limitConnZone {
            guard let key = directive.arguments.first else { continue }
            let kind: LimitZone.Kind = directive.keyword == .limitReqZone ? .requests : .connections
            var zone = LimitZone(kind: kind, key: context.template(key), keyText: key.bytes)
            if kind == .requests { zone.rate = 1_000 }
            let words = directive.arguments.dropFirst()
            guard words.allSatisfy({ read($0, into: &zone, in: &context) }) else { continue }
            if zone.name.isEmpty {
                let advice = "write zone=NAME:SIZE"
                context.error(.missingZone, "the zone has no name", at: directive.name, suggestion: advice)
            } else if context.tables.zones.contains(where: { $0.name == zone.name }) {
                let advice = "use another name"
                context.error(.duplicateZone, "a second zone \"\(zone.name)\"", at: directive.name, suggestion: advice)
            } else {
                context.tables.zones.append(zone)
            }
        }
    }

    /// Reads a parameter of a zone; false after an error.
    private static func read(_ word: Word, into zone: inout LimitZone, in context: inout CompileContext) -> Bool {
        if let value = word.value(of: "zone=") {
            guard let colon = value.firstIndex(of: UInt8(ascii: ":")),
                let size = ConfigurationUnits.size(value[(colon + 1)...])
            else {
                context.invalid("zone size", word, advice: "write zone=NAME:10m")
                return false
            }
            guard size >= leastSize else {
                context.error(.invalidValue, "the zone is too small", at: word, suggestion: "write 32k or more")
                return false
            }
            (zone.name, zone.size) = (String(decoding: value[..<colon], as: UTF8.self), size)
            return true
        }
        if zone.kind == .requests, var value = word.value(of: "rate=") {
            var scale = 1
            if value.suffix(3).elementsEqual("r/s".utf8) || value.suffix(3).elementsEqual("r/m".utf8) {
                if value.last == UInt8(ascii: "m") { scale = 60 }
                value = value.dropLast(3)
            }
            guard let rate = value.decimalNumber, rate > 0, rate <= Int(Int32.max) else {
                context.invalid("rate", word, advice: "write rate=10r/s, or r/m")
                return false
            }
            zone.rate = rate * 1_000 / scale
            return true
        }
        context.error(.invalidParameter, "invalid parameter \(word.shownText)", at: word)
        return false
    }

    /// Eight pages, as nginx has it.
    private static let leastSize = 32_768

    // MARK: Limits

    mutating func add(_ directive: CheckedDirective, in context: inout CompileContext) {
        let isRequests = directive.keyword == .limitReq
        guard
            let limit = isRequests ? Self.requests(directive, in: &context) : Self.connections(directive, in: &context)
        else { return }
        guard !(requests + connections).contains(where: { $0.zone == limit.zone }) else {
            let (message, advice) = ("a second limit by the same zone", "remove one of them, or use another zone")
            return context.error(.duplicateLimit, message, at: directive.name, suggestion: advice)
        }
        if isRequests { requests.append(limit) } else { connections.append(limit) }
    }

    /// Changes what is inherited; a level with one limit of a kind has none of those above it.
    mutating func finish(_ settings: inout Settings, in context: inout CompileContext) {
        guard !requests.isEmpty || !connections.isEmpty else { return }
        let requests = requests.isEmpty ? nil : context.tables.limits.append(self.requests)
        let connections = connections.isEmpty ? nil : context.tables.limits.append(self.connections)
        SettingsCompiler.changeGates(&settings, in: &context) { gates in
            if let requests { gates.requests.limits = requests }
            if let connections { gates.connections.limits = connections }
        }
    }

    /// `limit_req zone=NAME [burst=NUMBER] [nodelay | delay=NUMBER]`; nil after an error.
    private static func requests(_ directive: CheckedDirective, in context: inout CompileContext) -> ZoneLimit? {
        var zone: TableIndex<LimitZone>?
        var limit = ZoneLimit(zone: .none, position: directive.name.position)
        for word in directive.arguments {
            if let name = word.value(of: "zone=") {
                zone = self.zone(named: name, .requests, at: word, in: &context)
                if zone == nil { return nil }
            } else if let value = word.value(of: "burst="), let burst = value.decimalNumber, burst > 0 {
                limit.most = burst.multipliedReportingOverflow(by: 1_000).partialValue
            } else if let value = word.value(of: "delay="), let delay = value.decimalNumber, delay > 0 {
                limit.free = delay.multipliedReportingOverflow(by: 1_000).partialValue
            } else if word.text == "nodelay" {
                limit.free = .max
            } else {
                return context.error(.invalidParameter, "invalid parameter \(word.shownText)", at: word)
            }
        }
        guard let zone else {
            context.error(.missingZone, "\"limit_req\" needs a zone", at: directive.name, suggestion: "write zone=NAME")
            return nil
        }
        limit.zone = zone
        return limit
    }

    /// `limit_conn ZONE NUMBER`; nil after an error.
    private static func connections(_ directive: CheckedDirective, in context: inout CompileContext) -> ZoneLimit? {
        guard directive.arguments.count == 2 else { return nil }
        let (name, number) = (directive.arguments[0], directive.arguments[1])
        guard let zone = zone(named: name.bytes[...], .connections, at: name, in: &context) else { return nil }
        guard let most = number.bytes.decimalNumber, (1...65_535).contains(most) else {
            return context.error(.invalidValue, "invalid number of connections \(number.shownText)", at: number)
        }
        return ZoneLimit(zone: zone, most: most, position: directive.name.position)
    }

    /// The zone of a name; nil, and an error, where there is none.
    private static func zone(
        named name: ArraySlice<UInt8>,
        _ kind: LimitZone.Kind,
        at word: Word,
        in context: inout CompileContext
    ) -> TableIndex<LimitZone>? {
        let zones = context.tables.zones
        if let found = zones.indices.first(where: { zones[$0].kind == kind && name.elementsEqual(zones[$0].name.utf8) })
        {
            return TableIndex(found)
        }
        let known = zones.filter { $0.kind == kind }.map(\.name)
        let meant = Suggestion.meant(by: String(decoding: name, as: UTF8.self), among: known)
        let directive = kind == .requests ? "limit_req_zone" : "limit_conn_zone"
        let message = "there is no zone \"\(ShownBytes.text(Array(name)))\""
        return context.error(.unknownZone, message, at: word, suggestion: meant ?? "define it with \(directive)")
    }

    // MARK: Settings

    /// Changes a setting of the limits of one kind.
    static func set(
        _ effect: LimitEffect,
        of kind: SettingPath<AccessGates, LimitSettings>,
        to directive: CheckedDirective,
        in settings: inout Settings,
        context: inout CompileContext
    ) {
        guard let word = directive.arguments.first else { return }
        let change: (inout LimitSettings) -> Void
        switch effect {
        case .trial: change = { $0.isTrial = directive.isOn }
        case .level:
            guard let level = LimitSettings.LogLevel(rawValue: word.text) else {
                let words = LimitSettings.LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
                return context.invalid("level", word, advice: "one of \(words)")
            }
            change = { $0.level = level }
        case .status:
            guard let status = word.bytes.decimalNumber, (400...599).contains(status) else {
                let message = "a status is a number from 400 to 599, not \(word.shownText)"
                return context.error(.invalidValue, message, at: word)
            }
            change = { $0.status = Int32(status) }
        }
        SettingsCompiler.changeGates(&settings, in: &context) { change(&$0[keyPath: kind]) }
    }
}

extension Word {
    /// The rest of a word that begins with a name; nil for any other.
    fileprivate func value(of name: StaticString) -> ArraySlice<UInt8>? {
        let text = String(describing: name).utf8
        return bytes.starts(with: text) ? bytes[text.count...] : nil
    }
}
