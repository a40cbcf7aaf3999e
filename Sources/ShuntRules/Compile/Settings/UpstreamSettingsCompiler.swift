import ShuntCore

/// The directives for passing a request on, at one level.
struct UpstreamSettingsCompiler {
    /// The settings as inherited, with those of the level so far; nil where it has none.
    private var own: UpstreamSettings?
    /// The lists of which the level has a name, so that those above it are replaced.
    private var begun: Set<PartialKeyPath<UpstreamSettings>> = []

    /// The headers of `proxy_ignore_headers`.
    private static let ignorable = [
        "x-accel-redirect", "x-accel-expires", "x-accel-limit-rate", "x-accel-buffering", "x-accel-charset", "expires",
        "cache-control", "set-cookie", "vary",
    ]

    mutating func add(
        _ effect: UpstreamEffect,
        _ directive: CheckedDirective,
        to inherited: Settings,
        in context: inout CompileContext
    ) {
        guard let word = directive.arguments.first else { return }
        var settings = current(inherited, in: context)
        // With two owners a list would be copied for each name that is added to it.
        own = nil
        defer { own = settings }
        switch effect {
        case .flag(let path): settings[keyPath: path] = directive.isOn
        case .file(let path): settings[keyPath: path] = word.bytes
        case .names(let path):
            if begun.insert(path).inserted { settings[keyPath: path] = [] }
            settings[keyPath: path].append(word.text.lowercased())
        case .template(let path):
            settings[keyPath: path] = context.template(word)
            context.tables.hasUpstreamValues = true
        case .time(let path):
            guard let time = ConfigurationUnits.milliseconds(word.bytes[...]) else {
                return context.invalid("time", word, advice: "write it in seconds, or as \"500ms\" or \"1m\"")
            }
            settings[keyPath: path] = time
        case .tries:
            guard let tries = word.bytes.decimalNumber else {
                return context.error(.invalidValue, "invalid number \(word.shownText)", at: word)
            }
            settings.nextServerTries = tries
        case .conditions: settings.nextServer = Self.conditions(directive, in: &context)
        case .versions: settings.tls.versions = TLSCompiler.versions(directive, in: &context)
        case .ignoredHeaders:
            let names = directive.arguments.map { $0.text.lowercased() }
            for (name, word) in zip(names, directive.arguments) where !Self.ignorable.contains(name) {
                let message = "\"proxy_ignore_headers\" knows no header \(word.shownText)"
                let advice = Suggestion.meant(by: name, among: Self.ignorable)
                context.error(.invalidValue, message, at: word, suggestion: advice)
            }
            settings.followsRedirects = !names.contains("x-accel-redirect")
        case .bodySize:
            guard let bytes = ConfigurationUnits.offset(word.bytes[...]) else {
                let example = "write it in bytes, or as \"10m\""
                return context.error(.invalidValue, "invalid size \(word.shownText)", at: word, suggestion: example)
            }
            settings.maximumBody = bytes
        }
    }

    private func current(_ inherited: Settings, in context: CompileContext) -> UpstreamSettings {
        own ?? (inherited.upstream.isNone ? UpstreamSettings() : context.tables.upstreamSettings[inherited.upstream])
    }

    /// Takes the headers of `proxy_set_header` at the level, which replace those above it.
    mutating func take(_ headers: [HeaderRule], to inherited: Settings, in context: CompileContext) {
        var settings = current(inherited, in: context)
        let named = Self.namedProtocol(headers, in: context)
        guard named != settings.namedProtocol else { return }
        settings.namedProtocol = named
        own = settings
    }

    /// Replaces the inherited settings by those of the level.
    func finish(_ settings: inout Settings, in context: inout CompileContext) {
        if let own { settings.upstream = context.tables.upstreamSettings.append(own) }
    }

    /// The constant value of the header Upgrade.
    private static func namedProtocol(_ headers: [HeaderRule], in context: CompileContext) -> String? {
        let upgrade = headers.last { $0.name.lazy.map(\.asciiLowercased).elementsEqual("upgrade".utf8) }
        guard let upgrade, !upgrade.value.isNone else { return nil }
        return context.tables.constantBytes(of: upgrade.value).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func conditions(
        _ directive: CheckedDirective,
        in context: inout CompileContext
    ) -> UpstreamSettings.Conditions {
        var conditions: UpstreamSettings.Conditions = []
        for word in directive.arguments {
            guard let condition = UpstreamSettings.Conditions(word: word.text) else {
                let known = UpstreamSettings.Conditions.words.keys.sorted()
                let meant = Suggestion.meant(by: word.text, among: known)
                context.invalid("condition", word, advice: meant ?? "one of \(known.joined(separator: ", "))")
                continue
            }
            conditions.insert(condition)
        }
        return conditions
    }
}
