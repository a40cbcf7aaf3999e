import ShuntCore

/// The directives that say how a request is passed on, at one level.
struct UpstreamSettingsCompiler {
    private var changes: [(inout UpstreamSettings) -> Void] = []
    private var hidden: [String] = []
    private var passed: [String] = []
    /// The headers of `proxy_set_header` at the level; nil without any.
    private var headers: [HeaderRule]?

    /// Reads a directive.
    mutating func add(_ keyword: Keyword, _ directive: CheckedDirective, in context: inout CompileContext) {
        guard let word = directive.arguments.first else { return }
        switch keyword {
        case .proxyConnectTimeout: time(word, in: &context) { $0.connectTimeout = $1 }
        case .proxySendTimeout: time(word, in: &context) { $0.sendTimeout = $1 }
        case .proxyReadTimeout: time(word, in: &context) { $0.readTimeout = $1 }
        case .proxyNextUpstreamTimeout: time(word, in: &context) { $0.nextServerTimeout = $1 }
        case .proxyNextUpstreamTries:
            guard let tries = word.bytes.decimalNumber else {
                return context.error(.invalidValue, "invalid number \(word.shownText)", at: word)
            }
            changes.append { $0.nextServerTries = tries }
        case .proxyNextUpstream: conditions(directive, in: &context)
        case .proxyHideHeader: hidden.append(word.text.lowercased())
        case .proxyPassHeader: passed.append(word.text.lowercased())
        case .proxySSLName: template(word, in: &context) { $0.name = $1 }
        case .proxySSLProtocols:
            let versions = TLSCompiler.versions(directive, in: &context)
            changes.append { $0.tls.versions = versions }
        case .proxySSLVerify, .proxySSLServerName, .proxySSLTrustedCertificate, .proxySSLCertificate,
            .proxySSLCertificateKey, .proxySSLPasswordFile:
            addTLS(keyword, word.bytes, isOn: directive.isOn)
        case .proxyMethod: template(word, in: &context) { $0.method = $1 }
        case .proxySetBody: template(word, in: &context) { $0.body = $1 }
        case .proxyPassRequestHeaders: flag(directive) { $0.passesHeaders = $1 }
        case .proxyInterceptErrors: flag(directive) { $0.interceptsErrors = $1 }
        case .proxyRequestBuffering: flag(directive) { $0.holdsBody = $1 }
        case .proxyIgnoreClientAbort: flag(directive) { $0.ignoresAbort = $1 }
        case .proxyIgnoreHeaders:
            let names = directive.arguments.map { $0.text.lowercased() }
            for (name, word) in zip(names, directive.arguments) where !Self.ignorable.contains(name) {
                let message = "\"proxy_ignore_headers\" knows no header \(word.shownText)"
                let advice = Suggestion.meant(by: name, among: Self.ignorable)
                context.error(.invalidValue, message, at: word, suggestion: advice)
            }
            changes.append { $0.followsRedirects = !names.contains("x-accel-redirect") }
        case .proxyPassRequestBody: flag(directive) { $0.passesBody = $1 }
        case .clientMaxBodySize:
            guard let bytes = ConfigurationUnits.offset(word.bytes[...]) else {
                let example = "write it in bytes, or as \"10m\""
                return context.error(.invalidValue, "invalid size \(word.shownText)", at: word, suggestion: example)
            }
            changes.append { $0.maximumBody = bytes }
        default: break
        }
    }

    private mutating func flag(_ directive: CheckedDirective, _ set: @escaping (inout UpstreamSettings, Bool) -> Void) {
        let isOn = directive.isOn
        changes.append { set(&$0, isOn) }
    }

    /// The headers of `proxy_ignore_headers`.
    private static let ignorable = [
        "x-accel-redirect", "x-accel-expires", "x-accel-limit-rate", "x-accel-buffering", "x-accel-charset", "expires",
        "cache-control", "set-cookie", "vary",
    ]

    /// Takes the headers of `proxy_set_header` at the level, which replace those above it.
    mutating func take(_ headers: [HeaderRule]) { self.headers = headers }

    /// Changes what is inherited; a level with one `proxy_hide_header` has none of those above it, and so for
    /// `proxy_pass_header`.
    mutating func finish(_ settings: inout Settings, in context: inout CompileContext) {
        let inherited = settings.upstream
        var upstream = inherited.isNone ? UpstreamSettings() : context.tables.upstreamSettings[inherited]
        if let headers {
            let named = Self.namedProtocol(headers, in: context)
            if named != upstream.namedProtocol { changes.append { $0.namedProtocol = named } }
        }
        guard !changes.isEmpty || !hidden.isEmpty || !passed.isEmpty else { return }
        for change in changes { change(&upstream) }
        if !hidden.isEmpty { upstream.hiddenHeaders = hidden }
        if !passed.isEmpty { upstream.passedHeaders = passed }
        settings.upstream = context.tables.upstreamSettings.append(upstream)
    }

    /// The constant value of the header Upgrade.
    private static func namedProtocol(_ headers: [HeaderRule], in context: CompileContext) -> String? {
        let upgrade = headers.last { $0.name.lazy.map(\.asciiLowercased).elementsEqual("upgrade".utf8) }
        guard let upgrade, !upgrade.value.isNone else { return nil }
        let part = context.tables.parts[upgrade.value]
        guard part.isConstant else { return nil }
        return String(decoding: context.tables.constants[Int(part.a)..<Int(part.b)], as: UTF8.self)
    }

    /// Adds a `proxy_ssl_` directive that is a flag or names a file.
    private mutating func addTLS(_ keyword: Keyword, _ file: [UInt8], isOn: Bool) {
        changes.append { settings in
            switch keyword {
            case .proxySSLVerify: settings.tls.verifies = isOn
            case .proxySSLServerName: settings.tls.sendsName = isOn
            case .proxySSLTrustedCertificate: settings.tls.authorities = file
            case .proxySSLCertificate: settings.tls.certificate = file
            case .proxySSLCertificateKey: settings.tls.key = file
            default: settings.tls.passwordFile = file
            }
        }
    }

    /// Sets a text whose variables have their values when the request is passed on.
    private mutating func template(
        _ word: Word,
        in context: inout CompileContext,
        _ set: @escaping (inout UpstreamSettings, TemplateIndex) -> Void
    ) {
        let template = context.template(word)
        context.tables.hasUpstreamValues = true
        changes.append { set(&$0, template) }
    }

    private mutating func time(
        _ word: Word,
        in context: inout CompileContext,
        _ set: @escaping (inout UpstreamSettings, Int) -> Void
    ) {
        guard let milliseconds = ConfigurationUnits.milliseconds(word.bytes[...]) else {
            let advice = "write it in seconds, or as \"500ms\" or \"1m\""
            return context.error(.invalidValue, "invalid time \(word.shownText)", at: word, suggestion: advice)
        }
        changes.append { set(&$0, milliseconds) }
    }

    private mutating func conditions(_ directive: CheckedDirective, in context: inout CompileContext) {
        var conditions: UpstreamSettings.Conditions = []
        for word in directive.arguments {
            guard let condition = UpstreamSettings.Conditions(word: word.text) else {
                let known = UpstreamSettings.Conditions.words.keys.sorted()
                let meant = Suggestion.meant(by: word.text, among: known)
                let advice = meant ?? "one of \(known.joined(separator: ", "))"
                context.error(.invalidValue, "invalid condition \(word.shownText)", at: word, suggestion: advice)
                continue
            }
            conditions.insert(condition)
        }
        changes.append { $0.nextServer = conditions }
    }
}
