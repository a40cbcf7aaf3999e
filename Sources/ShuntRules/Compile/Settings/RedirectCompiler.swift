import ShuntCore

/// The `proxy_redirect` of one level.
struct RedirectCompiler {
    private let scope: SettingsCompiler.Scope
    private var list = ReplacementList()
    /// The first of the level.
    private var first: Word?
    private var isOff = false

    init(_ scope: SettingsCompiler.Scope) { self.scope = scope }

    mutating func add(_ directive: CheckedDirective, to settings: Settings, in context: inout CompileContext) {
        guard let word = directive.arguments.first else { return }
        let saysOff = directive.arguments.count == 1 && word.text == "off"
        if let first, isOff || saysOff {
            let message = "\"proxy_redirect off\" cannot be combined with another one"
            let advice = "remove one of them"
            let note = context.note("the first is here", at: first.position)
            return context.error(.duplicateDirective, message, at: directive.name, suggestion: advice, notes: [note])
        }
        first = first ?? directive.name
        isOff = saysOff
        guard directive.arguments.count == 1 else { return list.add(word, directive.arguments[1], in: &context) }
        switch word.text {
        case "off": break
        case "default": addUsual(word, settings, in: &context)
        default:
            let meant = Suggestion.meant(by: word.text, among: ["default", "off"])
            context.invalid("value", word, advice: meant ?? "write its replacement after it, such as \"/\"")
        }
    }

    private mutating func addUsual(_ word: Word, _ settings: Settings, in context: inout CompileContext) {
        guard !settings.proxy.isNone else {
            // Mistakes of a proxy have been reported.
            guard settings.handler != .proxy else { return }
            let message = "\"proxy_redirect default\" is derived from a \"proxy_pass\" that precedes it in its block"
            return context.error(.misplacedDefault, message, at: word, suggestion: "put it after the \"proxy_pass\"")
        }
        let target = context.tables.proxies[settings.proxy]
        guard !target.hasVariables else {
            let message = "\"proxy_redirect default\" cannot be used with variables in \"proxy_pass\""
            let advice = "write what is replaced and by what, such as http://127.0.0.1:8080/ /"
            return context.error(.misplacedDefault, message, at: word, suggestion: advice)
        }
        list.append(usual(target, in: &context))
    }

    /// Returns the default: the URL of the proxy becomes the location, and so its server becomes the client's if the
    /// whole path is passed on.
    private func usual(_ target: ProxyTarget, in context: inout CompileContext) -> RedirectRule {
        let base = Array(context.tables.constants[target.base.indices])
        let path = Array(context.tables.constants[target.path.indices])
        let slash = [UInt8(ascii: "/")]
        var name = slash
        // Elsewhere a proxy has no URI part.
        if case .location(let text) = scope, !path.isEmpty { name = text }
        return RedirectRule(
            prefix: context.template(literal: base + (path.isEmpty ? slash : path)),
            replacement: context.template(literal: name)
        )
    }

    /// Puts the level's settings in the place of all that is inherited.
    ///
    /// As in nginx, a location inside of another one inherits what was derived there from the `proxy_pass`, and so does an `if`.
    func finish(_ settings: inout Settings, in context: inout CompileContext) {
        if first != nil {
            settings.redirects = context.tables.proxyRedirects.append(list.rules)
            if list.valueCount > 0 { context.tables.hasUpstreamValues = true }
        } else if settings.redirects.isNone, !settings.proxy.isNone {
            let target = context.tables.proxies[settings.proxy]
            guard !target.hasVariables else { return }
            settings.redirects = context.tables.proxyRedirects.append([usual(target, in: &context)])
        }
    }
}
