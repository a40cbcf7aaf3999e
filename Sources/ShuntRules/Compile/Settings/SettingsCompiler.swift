import ShuntCore

/// The directives that set something for a level and the levels below it.
enum SettingsCompiler {
    /// The kinds of level, as far as settings differ.
    enum Scope: Equatable {
        case http
        case server
        /// With the name, without the modifier.
        case location([UInt8])
        case ifInLocation
        case limitExcept
    }

    /// Lists that replace the inherited ones as a whole once a level has a separate entry.
    private struct Lists {
        var errorPages: [ErrorPage] = []
        var headers: [HeaderRule] = []
        var upstreamHeaders: [HeaderRule] = []
        var access: [AccessRule] = []
        var consentVariables: [ConsentVariable] = []
        var trusted: [AccessRule.Scope] = []
        var referers = RefererCompiler()
        var tls = TLSCompiler()
        var upstream = UpstreamSettingsCompiler()
        var redirects: RedirectCompiler
        var cookies = CookieCompiler()
        var accessLogs = AccessLogCompiler()
        var limits = LimitCompiler()
        var types = TypeCompiler()
    }

    /// Applies the settings among `directives` to those inherited.
    static func apply(
        _ directives: [CheckedDirective],
        to settings: inout Settings,
        scope: Scope,
        in context: inout CompileContext
    ) {
        var lists = Lists(redirects: RedirectCompiler(scope))
        SecureLinkCompiler.check(directives, in: &context)
        for directive in directives {
            switch directive.role {
            case .sets(let effect): apply(effect, of: directive, to: &settings, lists: &lists, in: &context)
            case .decides(let keyword):
                if keyword == .allow, directive.arguments.count > 1 {
                    EntryListCompiler.refuse(directive, isTop: scope == .http, in: &context)
                    continue
                }
                apply(keyword, directive, to: &settings, lists: &lists, in: &context)
                if keyword == .proxyPass, scope == .ifInLocation || scope == .limitExcept {
                    let place = "inside \"\(scope == .limitExcept ? "limit_except" : "if")\""
                    ProxyCompiler.refuseURIPart(settings, directive: directive, at: place, in: &context)
                }
            case .ignored, .accepted, .unsupported: break
            }
        }
        if !lists.errorPages.isEmpty { settings.errorPages = context.tables.errorPages.append(lists.errorPages) }
        if !lists.headers.isEmpty { settings.headers = context.tables.headers.append(lists.headers) }
        if !lists.upstreamHeaders.isEmpty {
            settings.upstreamHeaders = context.tables.headers.append(lists.upstreamHeaders)
            lists.upstream.take(lists.upstreamHeaders, to: settings, in: context)
        }
        if !lists.access.isEmpty { settings.accessRules = context.tables.accessRules.append(lists.access) }
        if !lists.consentVariables.isEmpty {
            settings.consentVariables = context.tables.consentVariables.append(lists.consentVariables)
        }
        if !lists.trusted.isEmpty { changeRealIP(&settings, in: &context) { $0.trusted = lists.trusted } }
        lists.referers.finish(&settings, in: &context)
        lists.tls.finish(&settings, in: &context)
        lists.upstream.finish(&settings, in: &context)
        lists.redirects.finish(&settings, in: &context)
        lists.cookies.finish(&settings, in: &context)
        lists.accessLogs.finish(&settings, in: &context)
        lists.limits.finish(&settings, in: &context)
        lists.types.finish(&settings, in: &context)
    }

    private static func apply(
        _ effect: SettingEffect,
        of directive: CheckedDirective,
        to settings: inout Settings,
        lists: inout Lists,
        in context: inout CompileContext
    ) {
        switch effect {
        case .flag(let path): settings[keyPath: path] = directive.isOn
        case .presence(let path): settings[keyPath: path] = true
        case .text(let path):
            if let word = directive.arguments.first { settings[keyPath: path] = context.constant(word.bytes) }
        case .requests(let effect):
            LimitCompiler.set(effect, of: \.requests, to: directive, in: &settings, context: &context)
        case .connections(let effect):
            LimitCompiler.set(effect, of: \.connections, to: directive, in: &settings, context: &context)
        case .upstream(let effect): lists.upstream.add(effect, directive, to: settings, in: &context)
        case .nothing: break
        }
    }

    private static func apply(
        _ keyword: Keyword,
        _ directive: CheckedDirective,
        to settings: inout Settings,
        lists: inout Lists,
        in context: inout CompileContext
    ) {
        switch keyword {
        case .errorPage: lists.errorPages += ResponseCompiler.errorPages(directive, in: &context)
        case .addHeader: ResponseCompiler.header(directive, in: &context).map { lists.headers.append($0) }
        case .proxySetHeader:
            ResponseCompiler.header(directive, in: &context).map { lists.upstreamHeaders.append($0) }
        case .allow, .deny:
            AddressCompiler.rule(directive, allows: keyword == .allow, in: &context).map { lists.access.append($0) }
        case .authRequest:
            guard let word = directive.arguments.first else { return }
            let target = word.text == "off" ? ByteRange.empty : context.constant(word.bytes)
            let rule = ConsentRule(target: target, position: directive.name.position)
            settings.consent = context.tables.consents.append(rule)
        case .authRequestSet:
            guard directive.arguments.count == 2,
                let variable = context.assignable(directive.arguments[0], inURLPhase: false)
            else { return }
            let value = context.templateAfterAnswer(directive.arguments[1])
            lists.consentVariables.append(ConsentVariable(variable: variable, value: value))
        case .setRealIPFrom: AddressCompiler.scope(directive, in: &context).map { lists.trusted.append($0) }
        case .validReferers: lists.referers.add(directive, in: &context)
        case .sslCertificate, .sslCertificateKey, .sslPasswordFile, .sslProtocols, .sslRejectHandshake,
            .sslVerifyClient:
            lists.tls.add(directive, to: settings, in: &context)
        case .proxyRedirect: lists.redirects.add(directive, to: settings, in: &context)
        case .proxyCookieDomain, .proxyCookiePath, .proxyCookieFlags:
            lists.cookies.add(keyword, directive, in: &context)
        case .accessLog: lists.accessLogs.add(directive, in: &context)
        case .limitReq, .limitConn: lists.limits.add(directive, in: &context)
        case .types: lists.types.add(directive, in: &context)
        default:
            if let word = directive.arguments.first {
                set(keyword, word: word, directive: directive, in: &settings, context: &context)
            }
        }
    }

    private static func set(
        _ keyword: Keyword,
        word: Word,
        directive: CheckedDirective,
        in settings: inout Settings,
        context: inout CompileContext
    ) {
        switch keyword {
        case .root:
            // nginx drops one slash at the end of a root, not of an alias.
            settings.root = FileCompiler.root(word, dropsSlash: true, in: &context)
            context.tables.rootPositions[settings.root] = directive.name.position
            settings.isAlias = false
            settings.aliasLength = 0
        case .alias:
            settings.root = FileCompiler.root(word, dropsSlash: false, in: &context)
            context.tables.rootPositions[settings.root] = directive.name.position
        case .index:
            let names = FileCompiler.indexNames(directive, in: &context)
            settings.index = context.tables.indexes.append(names)
        case .expires: settings.expiry = ExpiryCompiler.rule(directive, in: &context)
        case .charset: settings.charset = word.text == "off" ? .none : context.template(word)
        case .charsetTypes:
            let types = directive.arguments.map { $0.bytes.map(\.asciiLowercased) }
            settings.charsetTypes = context.tables.charsetTypes.append(types)
        case .ifModifiedSince, .maxRanges, .disableSymlinks:
            FileCompiler.set(keyword, directive: directive, in: &settings, context: &context)
        case .tryFiles: settings.tryFiles = FileCompiler.tryFiles(directive, in: &context)
        case .secureLink, .secureLinkMD5, .secureLinkSecret:
            SecureLinkCompiler.set(keyword, word: word, in: &settings, context: &context)
        case .realIPHeader:
            let name = word.bytes.map { $0.asciiLowercased }
            changeRealIP(&settings, in: &context) { $0.header = name }
        case .realIPRecursive: changeRealIP(&settings, in: &context) { $0.isRecursive = directive.isOn }
        case .authBasic:
            let realm = context.template(word)
            changeGates(&settings, in: &context) { ($0.realm, $0.realmPosition) = (realm, directive.name.position) }
        case .authBasicUserFile:
            let file = context.template(word)
            changeGates(&settings, in: &context) { $0.passwordFile = file }
        case .satisfy:
            guard word.text != "all", word.text != "any" else {
                let isOneEnough = word.text == "any"
                return changeGates(&settings, in: &context) { $0.isOneEnough = isOneEnough }
            }
            let message = "\"satisfy\" is \"all\" or \"any\", not \(word.shownText)"
            context.error(.invalidValue, message, at: word, suggestion: "write \"all\" or \"any\"")
        case .largeClientHeaderBuffers: checkBuffers(directive, in: &context)
        case .keepaliveTimeout:
            // The second time is for a header to the client.
            for time in directive.arguments.reversed() {
                guard let milliseconds = ConfigurationUnits.milliseconds(time.bytes[...]) else {
                    return context.invalid("time", time, advice: "write it in seconds, or as \"500ms\" or \"1m\"")
                }
                settings.keepAlive = Int32(clamping: milliseconds)
            }
        case .keepaliveRequests:
            guard let count = word.bytes.decimalInteger else {
                return context.error(.invalidValue, "invalid number \(word.shownText)", at: word)
            }
            settings.keepAliveRequests = Int32(clamping: count)
        case .maxHeaders:
            guard let count = word.bytes.decimalNumber, count <= 1_000_000 else {
                return context.error(.invalidValue, "invalid number \"\(word.text)\"", at: word)
            }
            settings.maximumHeaders = Int32(count)
        case .fastcgiSplitPathInfo:
            if let pattern = ScriptNameCompiler.split(word, in: &context) { settings.scriptPattern = pattern }
        case .proxyPass: ProxyCompiler.pass(word, settings: &settings, in: &context)
        case .fastcgiPass, .uwsgiPass, .scgiPass, .grpcPass, .memcachedPass:
            settings.handler = .other
            settings.namesHandler = true
            settings.proxy = .none
            ProxyCompiler.checkAddress(word, of: keyword, in: &context)
        default: break
        }
    }

    /// `large_client_header_buffers NUMBER SIZE`, which changes nothing here but must be right.
    private static func checkBuffers(_ directive: CheckedDirective, in context: inout CompileContext) {
        for (index, word) in directive.arguments.enumerated() {
            let number = index == 0 ? word.bytes.decimalNumber : ConfigurationUnits.size(word.bytes[...])
            guard (number ?? 0) <= 0 else { continue }
            context.invalid("value", word, advice: "write a number and a size, such as 4 8k")
        }
    }

    static func changeGates(
        _ settings: inout Settings,
        in context: inout CompileContext,
        _ change: (inout AccessGates) -> Void
    ) {
        var gates = settings.gates.isNone ? AccessGates() : context.tables.gates[settings.gates]
        change(&gates)
        settings.gates = context.tables.gates.append(gates)
    }

    private static func changeRealIP(
        _ settings: inout Settings,
        in context: inout CompileContext,
        _ change: (inout RealIPRules) -> Void
    ) {
        var rules = !settings.realIP.isNone ? context.tables.realIPs[settings.realIP] : RealIPRules()
        change(&rules)
        settings.realIP = context.tables.realIPs.append(rules)
    }
}

extension CheckedDirective {
    /// True if its word is `on`, in any case, as in nginx.
    var isOn: Bool { arguments.first?.bytes.lazy.map(\.asciiLowercased).elementsEqual("on".utf8) ?? false }
}
