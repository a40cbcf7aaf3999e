import ShuntCore

/// The access phase: limits, and gates that are checked one after another.
extension Evaluation {
    private enum Gate {
        /// `allow` and `deny`.
        case addresses
        /// `auth_basic`.
        case password
        /// `auth_request`.
        case consent
    }

    private enum GateAnswer {
        /// It decides nothing.
        case none
        case admits
        case refuses(Int32)
        /// An upstream has to answer first.
        case asks
    }

    /// The gates in nginx's order.
    private static let gates: [Gate] = [.addresses, .password, .consent]

    /// Checks the gates: all have to admit the request, or one of them with `satisfy any`.
    ///
    /// The question of an `auth_request` is counted by limits, and passes no gates.
    mutating func checkAccess() throws(EvaluationFailure) -> Step {
        takeRealAddress()
        let settings = program.tables.settings[server.settings]
        guard !settings.hasNoGates || server.refusal != 0 else { return .content }
        let gates = settings.gates.isNone ? AccessGates() : program.tables.gates[settings.gates]
        if let refused = try checkLimits(.requests, gates.requests) { return refused }
        if let refused = try checkLimits(.connections, gates.connections) { return refused }
        guard !server.isQuestion else { return .content }
        for gate in Self.gates {
            switch try ask(gate, settings: settings, gates: gates) {
            case .none: continue
            case .asks: return .done
            case .admits where gates.isOneEnough:
                server.refusal = 0
                if let last = answer.headers.lastIndex(where: { $0.name == Self.challengeName }) {
                    answer.headers.remove(at: last)
                }
                return .content
            case .admits: continue
            case .refuses(let status) where gates.isOneEnough && (status == 401 || status == 403):
                if server.refusal != 401 { server.refusal = status }
            case .refuses(let status): return .status(status)
            }
        }
        // As in nginx, what a gate refused counts until all gates of a place were checked, which may be that of an error page.
        guard server.refusal != 0 else { return .content }
        defer { server.refusal = 0 }
        return .status(server.refusal)
    }

    private mutating func ask(
        _ gate: Gate,
        settings: Settings,
        gates: AccessGates
    ) throws(EvaluationFailure) -> GateAnswer {
        switch gate {
        case .addresses: settings.accessRules.isNone ? .none : askAddresses(settings.accessRules)
        case .password: try askPassword(gates)
        case .consent: settings.consent.isNone ? .none : try askUpstream(settings)
        }
    }

    private mutating func askAddresses(_ rules: TableIndex<[AccessRule]>) -> GateAnswer {
        let rules = program.tables.accessRules[rules]
        let client = clientAddress()
        // As in nginx a mapped address counts as the IPv4 address it holds only where there are rules for those.
        var isKeptMapped = client.map { $0.unmapped != $0 } ?? false
        if isKeptMapped { isKeptMapped = !rules.contains(where: \.scope.isForV4) }
        for rule in rules {
            guard isKeptMapped ? rule.scope.hasMapped(client) : covers(rule.scope, client) else { continue }
            recorder?.record(access: rule.position)
            guard !rule.allows else { return .admits }
            position = rule.position
            recorder?.record(note: "access denied", at: rule.position, in: self)
            return .refuses(403)
        }
        return .none
    }

    private mutating func askUpstream(_ settings: Settings) throws(EvaluationFailure) -> GateAnswer {
        guard mayAsk, !program.tables.consents[settings.consent].target.isEmpty else { return .none }
        return switch try askConsent(settings) {
        case nil: .admits
        case .status(let status): .refuses(status)
        default: .asks
        }
    }

    /// True if passwords and limits are read: always in the gateway, which lets no request pass without.
    private var hasGate: Bool { request.gate != nil || mayAsk }

    /// Requires a password.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_auth_basic_module.html
    private mutating func askPassword(_ gates: AccessGates) throws(EvaluationFailure) -> GateAnswer {
        guard hasGate, !gates.realm.isNone, !gates.passwordFile.isNone else { return .none }
        let realm = try evaluate(template: gates.realm)
        if arena.withBytes(realm, { $0.count == 3 && $0[0] == 0x6f && $0[1] == 0x66 && $0[2] == 0x66 }) { return .none }
        guard let gate = request.gate else { return refuse(403, gates) }
        guard let login = try login() else { return try challenge(realm, gates) }
        let file = arena.array(try evaluate(template: gates.passwordFile))
        switch gate.check(login, in: file, mayWait: !options.isQuick) {
        case .right: return .admits
        case .wrong: return try challenge(realm, gates)
        case .noFile: return refuse(403, gates)
        case .failed: return refuse(500, gates)
        case .takesLong: throw failure(.waitsForPassword)
        }
    }

    private mutating func refuse(_ status: Int32, _ gates: AccessGates) -> GateAnswer {
        position = gates.realmPosition
        recorder?.record(note: "no password admits the request", at: position, in: self)
        return .refuses(status)
    }

    private static let challengeName = Array("WWW-Authenticate".utf8)

    private mutating func challenge(_ realm: ByteRange, _ gates: AccessGates) throws(EvaluationFailure) -> GateAnswer {
        let mark = arena.mark
        arena.append("Basic realm=\"")
        arena.append(copyOf: realm)
        arena.append(UInt8(ascii: "\""))
        answer.headers.append((Self.challengeName, try safeHeaderValue(try made(from: mark))))
        return refuse(401, gates)
    }

    /// nginx's phase before: limits, which count a request once; nil if they let it pass.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_limit_req_module.html
    private mutating func checkLimits(
        _ kind: LimitZone.Kind,
        _ settings: LimitSettings
    ) throws(EvaluationFailure) -> Step? {
        guard hasGate, !settings.limits.isNone else { return nil }
        guard let gate = request.gate else { return .status(settings.status) }
        let limits = program.tables.limits[settings.limits]
        var keys: [[UInt8]] = []
        for limit in limits { keys.append(arena.array(try evaluate(template: program.tables.zones[limit.zone].key))) }
        switch gate.count(kind, limits: limits, keys: keys, settings: settings) {
        case .passes: return nil
        case .waits: throw failure(.waitsForLimit)
        case .refuses:
            if let first = limits.first { position = first.position }
            return .status(settings.status)
        }
    }

    private static let authorization = Array("authorization".utf8)

    /// The user and the password of a Basic authorization, whether or not anything checked them; nil without a user.
    func login() throws(EvaluationFailure) -> Login? {
        let header = arena.array(try requestHeader(named: Self.authorization))
        guard header.count > 6, header[..<6].map({ $0.asciiLowercased }).elementsEqual("basic ".utf8) else {
            return nil
        }
        let encoded = Array(header[6...].drop { $0 == 0x20 })
        guard let decoded = Base64URL.decode(encoded.span, isForURL: false),
            let colon = decoded.firstIndex(of: UInt8(ascii: ":")), colon > 0
        else { return nil }
        return Login(user: Array(decoded[..<colon]), password: Array(decoded[(colon + 1)...]))
    }
}
