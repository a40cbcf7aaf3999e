import ShuntCore
import ShuntPatterns

/// `location` and `limit_except`.
struct LocationCompiler {
    /// The names of the server that the locations belong to.
    let names: [ServerName]

    /// Compiles the locations of a block: their level, or -1 without any, and the named ones.
    func compile(
        _ block: [CheckedDirective],
        in outer: Settings,
        context: inout CompileContext
    ) -> (level: LevelIndex, named: ByteTable) {
        var exact = ByteTableBuilder()
        var prefixes = ByteTableBuilder()
        var redirects = ByteTableBuilder()
        var named = ByteTableBuilder()
        var patterns: [ExpressionIndex] = []
        var patternLocations: [LocationIndex] = []
        var locations: [LocationIndex] = []
        for directive in block where directive.keyword == .location {
            guard let name = LocationName(directive.arguments) else { continue }
            var expression: ExpressionIndex?
            if name.modifier.isRegex {
                let word = directive.arguments[name.argument]
                expression = context.pattern(
                    name.text,
                    of: word,
                    offset: name.offset,
                    isCaseless: name.modifier == .caselessRegex
                )
            }
            let number = compile(directive, name: name, in: outer, context: &context)
            locations.append(number)
            let location = context.tables.locations[number]
            let handler = context.tables.settings[location.settings].handler
            switch name.modifier {
            case .exact: _ = exact.add(name.text.span, value: number.number)
            case .prefix, .prefixBeforeRegex: _ = prefixes.add(name.text.span, value: number.number)
            case .named: _ = named.add(name.text.span, value: number.number)
            case .regex, .caselessRegex:
                guard let expression else { continue }
                patterns.append(expression)
                patternLocations.append(number)
            }
            let isLiteral = name.modifier == .exact || name.modifier.isPrefix
            if isLiteral, handler != .none, name.text.last == UInt8(ascii: "/") {
                _ = redirects.add(Array(name.text.dropLast()).span, value: number.number)
            }
        }
        guard !locations.isEmpty else { return (.none, named.build()) }
        let level = LocationLevel(
            locations: locations,
            exact: exact.isEmpty ? nil : exact.build(),
            prefixes: prefixes.buildPrefixes(),
            redirects: redirects.isEmpty ? nil : redirects.build(),
            patterns: context.index(over: patterns),
            patternNumbers: patterns,
            patternLocations: patternLocations
        )
        return (context.tables.levels.append(level), named.build())
    }

    private func compile(
        _ directive: CheckedDirective,
        name: LocationName,
        in outer: Settings,
        context: inout CompileContext
    ) -> LocationIndex {
        let block = directive.block
        var settings = outer.ofBlock
        SettingsCompiler.apply(block, to: &settings, scope: .location(name.text), in: &context)
        if let alias = block.first(where: { $0.keyword == .alias }) {
            settings.isAlias = true
            settings.aliasLength = name.modifier.isRegex ? -1 : Int32(name.text.count)
            if name.modifier == .named {
                let message = "\"alias\" cannot be used in a named location"
                context.error(.misplacedAlias, message, at: alias.name, suggestion: "use \"root\"")
            }
        }
        bindProxy(&settings, to: name, block, in: &context)
        RefererCompiler.addServerNames(names, to: &settings, in: &context)
        settings.sequence = SequenceCompiler(names: names).compile(block, settings: settings, in: &context)
        if let limit = block.first(where: { $0.keyword == .limitExcept }) {
            settings.methodLimit = compileLimit(limit, in: settings, in: &context)
        }
        let (level, _) = compile(block, in: settings, context: &context)
        return context.tables.locations.append(
            Location(
                modifier: name.modifier,
                name: name.text,
                settings: context.tables.settings.append(settings),
                level: level,
                position: directive.name.position
            )
        )
    }

    /// Sets for a proxy which part of the path its URI part replaces, where it can have one.
    private func bindProxy(
        _ settings: inout Settings,
        to name: LocationName,
        _ block: [CheckedDirective],
        in context: inout CompileContext
    ) {
        guard !settings.proxy.isNone else { return }
        var target = context.tables.proxies[settings.proxy]
        target.locationLength = Int32(name.text.count)
        context.tables.proxies[settings.proxy] = target
        guard name.modifier.isRegex || name.modifier == .named else { return }
        guard let directive = block.first(where: { $0.keyword == .proxyPass }) else { return }
        ProxyCompiler.refuseURIPart(
            settings,
            directive: directive,
            at: "in a location given by a regular expression or by name",
            in: &context
        )
    }

    private func compileLimit(_ directive: CheckedDirective, in outer: Settings, in context: inout CompileContext)
        -> TableIndex<MethodLimit>
    {
        var settings = outer.ofInnerBlock
        SettingsCompiler.apply(directive.block, to: &settings, scope: .limitExcept, in: &context)
        var methods: [[UInt8]] = []
        for word in directive.arguments {
            let method = word.bytes.map { $0.isASCIILetter ? $0 & 0xdf : $0 }
            let known = Self.limitableMethods
            guard known.contains(String(decoding: method, as: UTF8.self)) else {
                let meant = Suggestion.meant(by: word.text.uppercased(), among: known)
                let advice = meant ?? "write methods such as GET POST"
                context.error(.invalidMethod, "invalid method \"\(word.text)\"", at: word, suggestion: advice)
                continue
            }
            methods.append(method)
            if method == Array("GET".utf8) { methods.append(Array("HEAD".utf8)) }
        }
        return context.tables.methodLimits.append(
            MethodLimit(methods: methods, settings: context.tables.settings.append(settings))
        )
    }

    private static let limitableMethods = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "MKCOL", "COPY", "MOVE", "OPTIONS", "PROPFIND", "PROPPATCH", "LOCK",
        "UNLOCK", "PATCH",
    ]
}
