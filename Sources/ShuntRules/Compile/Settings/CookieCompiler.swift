import ShuntCore

/// The `proxy_cookie_` directives of one level.
struct CookieCompiler {
    private var lists: [Keyword: ReplacementList] = [:]
    private var flags: [CookieRules.Flags] = []
    /// The first of each kind, and those that are off.
    private var first: [Keyword: Word] = [:]
    private var off: Set<Keyword> = []

    /// `off`, a text and its replacement, or a name and its flags.
    mutating func add(_ keyword: Keyword, _ directive: CheckedDirective, in context: inout CompileContext) {
        guard let word = directive.arguments.first else { return }
        let isOff = directive.arguments.count == 1
        guard !isOff || word.text == "off" else {
            return context.invalid("value", word, advice: "write \"off\", or what takes its place")
        }
        if let first = first[keyword], isOff || off.contains(keyword) {
            let message = "\"\(keyword.rawValue) off\" cannot be combined with another one"
            let advice = "remove one of them"
            let note = context.note("the first is here", at: first.position)
            return context.error(.duplicateDirective, message, at: directive.name, suggestion: advice, notes: [note])
        }
        first[keyword] = first[keyword] ?? directive.name
        if isOff {
            off.insert(keyword)
        } else if keyword == .proxyCookieFlags {
            addFlags(word, directive.arguments.dropFirst(), in: &context)
        } else {
            let isDomain = keyword == .proxyCookieDomain
            lists[keyword, default: ReplacementList()]
                .add(word, directive.arguments[1], isDomain: isDomain, in: &context)
        }
    }

    private mutating func addFlags(_ name: Word, _ words: ArraySlice<Word>, in context: inout CompileContext) {
        var rule = CookieRules.Flags()
        if name.bytes.first == UInt8(ascii: "~") {
            let pattern = Array(name.bytes.dropFirst())
            guard let expression = context.pattern(pattern, of: name, offset: 1, isCaseless: false) else { return }
            rule.expression = expression
        } else {
            rule.name = context.template(name)
        }
        rule.words = words.map { context.template($0) }
        flags.append(rule)
    }

    /// Puts the level's settings in the place of what is inherited, each kind for itself.
    func finish(_ settings: inout Settings, in context: inout CompileContext) {
        guard !first.isEmpty else { return }
        var rules = settings.cookies.isNone ? CookieRules() : context.tables.cookies[settings.cookies]
        func list(_ keyword: Keyword, _ inherited: TableIndex<[RedirectRule]>) -> TableIndex<[RedirectRule]> {
            guard first[keyword] != nil else { return inherited }
            return context.tables.proxyRedirects.append(lists[keyword]?.rules ?? [])
        }
        rules.domains = list(.proxyCookieDomain, rules.domains)
        rules.paths = list(.proxyCookiePath, rules.paths)
        if first[.proxyCookieFlags] != nil { rules.flags = flags }
        settings.cookies = context.tables.cookies.append(rules)
        context.tables.hasUpstreamValues = true
    }
}
