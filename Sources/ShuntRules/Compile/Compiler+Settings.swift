import ShuntCore
import ShuntPatterns

/// The directives that set something for a level and the levels below it.
extension Compiler {
    /// The kinds of level, as far as settings differ.
    enum Scope {
        case http
        case server
        case location
        case ifInLocation
        case limitExcept
    }

    /// Lists that replace the inherited ones as a whole once a level has an entry of its own.
    struct Lists {
        var errorPages: [ErrorPage] = []
        var headers: [HeaderRule] = []
        var access: [AccessRule] = []
        var trusted: [AccessRule.Scope] = []
        var hasTypes = false
        var referers: RefererRules?
        var refererNames = HostTableBuilder()
    }

    /// Applies the settings among `directives` to those inherited.
    mutating func apply(_ directives: [Directive], to settings: inout Settings, scope: Scope) {
        var lists = Lists()
        checkSecureLink(directives)
        for directive in directives {
            apply(directive, to: &settings, lists: &lists)
            if Self.keyword(directive) == .proxyPass, scope == .ifInLocation || scope == .limitExcept {
                refuseURIPart(settings, directive, "inside \"\(scope == .limitExcept ? "limit_except" : "if")\"")
            }
        }
        if !lists.errorPages.isEmpty { settings.errorPages = tables.errorPages.adding(lists.errorPages) }
        if !lists.headers.isEmpty { settings.headers = tables.headers.adding(lists.headers) }
        if !lists.access.isEmpty { settings.accessRules = tables.accessRules.adding(lists.access) }
        if !lists.trusted.isEmpty { changeRealIP(&settings) { $0.trusted = lists.trusted } }
        if var referers = lists.referers {
            if !referers.listed.isEmpty { referers.names = lists.refererNames.build() }
            settings.referers = tables.referers.adding(referers)
        }
    }

    private mutating func apply(_ directive: Directive, to settings: inout Settings, lists: inout Lists) {
        guard let keyword = Self.keyword(directive) else { return }
        switch keyword {
        case .errorPage: lists.errorPages += errorPages(directive)
        case .addHeader: header(directive).map { lists.headers.append($0) }
        case .allow, .deny: accessRule(directive, allows: keyword == .allow).map { lists.access.append($0) }
        case .setRealIPFrom: scope(directive).map { lists.trusted.append($0) }
        case .validReferers: addReferers(directive, to: &lists)
        default: applyValue(keyword, directive, to: &settings)
        }
    }

    private mutating func applyValue(_ keyword: Keyword, _ directive: Directive, to settings: inout Settings) {
        guard let word = directive.arguments.first ?? (keyword == .types || keyword == .internal ? directive.name : nil)
        else { return }
        var isOn: Bool { word.bytes.elementsEqual("on".utf8) }
        switch keyword {
        case .root:
            // nginx drops one slash at the end of a root, not of an alias.
            settings.root = root(word, dropsSlash: true)
            settings.isAlias = false
            settings.aliasLength = 0
        case .alias: settings.root = root(word, dropsSlash: false)
        case .index:
            let names = indexNames(directive)
            settings.index = tables.indexes.adding(names)
        case .autoindex: settings.listsDirectories = isOn
        case .tryFiles: settings.tryFiles = tryFiles(directive)
        case .types: settings.types = types(directive)
        case .defaultType: settings.defaultType = constant(word.bytes)
        case .secureLink:
            settings.secureLink = template(word)
            settings.secureLinkSecret = .empty
        case .secureLinkMD5:
            settings.secureLinkMD5 = template(word)
            settings.secureLinkSecret = .empty
        case .secureLinkSecret: settings.secureLinkSecret = constant(word.bytes)
        case .realIPHeader:
            let name = word.bytes.map { $0.asciiLowercased }
            changeRealIP(&settings) { $0.header = name }
        case .realIPRecursive: changeRealIP(&settings) { $0.isRecursive = isOn }
        case .satisfy:
            guard word.text == "all" || word.text == "any" else {
                return error(
                    "invalid-value",
                    "\"satisfy\" is \"all\" or \"any\", not \(word.shownText)",
                    at: word,
                    suggestion: "write \"all\" or \"any\""
                )
            }
            settings.satisfiesAny = word.text == "any"
        case .internal: settings.isInternal = true
        case .recursiveErrorPages: settings.recursiveErrorPages = isOn
        case .absoluteRedirect: settings.absoluteRedirect = isOn
        case .portInRedirect: settings.portInRedirect = isOn
        case .serverNameInRedirect: settings.serverNameInRedirect = isOn
        case .mergeSlashes: settings.mergesSlashes = isOn
        case .underscoresInHeaders: settings.takesUnderscores = isOn
        case .ignoreInvalidHeaders: settings.ignoresInvalidHeaders = isOn
        case .rewriteLog: settings.logsRewrites = isOn
        case .largeClientHeaderBuffers:
            for (word, number) in zip(directive.arguments, [Self.number(word.bytes[...]), Self.bufferSize(directive)])
            where (number ?? 0) <= 0 {
                error(
                    "invalid-value",
                    "invalid value \(word.shownText)",
                    at: word,
                    suggestion: "write a number and a size, such as 4 8k"
                )
            }
        case .maxHeaders:
            guard let count = Self.number(word.bytes[...]), count <= 1_000_000 else {
                return error("invalid-value", "invalid number \"\(word.text)\"", at: word)
            }
            settings.maximumHeaders = Int32(count)
        case .proxyPass: passToProxy(word, settings: &settings)
        case .fastcgiPass, .uwsgiPass, .scgiPass, .grpcPass, .memcachedPass:
            settings.handler = .other
            settings.namesHandler = true
            settings.proxy = -1
            checkPassedAddress(word, of: keyword)
        default: break
        }
    }

    private static func bufferSize(_ directive: Directive) -> Int? {
        directive.arguments.last.flatMap { size($0.bytes[...]) }
    }

    private mutating func changeRealIP(_ settings: inout Settings, _ change: (inout RealIPRules) -> Void) {
        var rules = settings.realIP >= 0 ? tables.realIPs[Int(settings.realIP)] : RealIPRules()
        change(&rules)
        settings.realIP = tables.realIPs.adding(rules)
    }

    /// A root, absolute or relative to the directory of the rules.
    private mutating func root(_ word: Word, dropsSlash: Bool) -> Int32 {
        var bytes = word.bytes
        if dropsSlash, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        for name in ["document_root", "realpath_root"]
        where word.text.contains("$\(name)") || word.text.contains("${\(name)}") {
            error(
                "recursive-root",
                "$\(name) cannot be used in \"root\" and \"alias\"",
                at: word,
                suggestion: "it is what they set"
            )
            return template([UInt8](), of: word, offset: 0)
        }
        let first = bytes.first
        guard first != UInt8(ascii: "/"), first != UInt8(ascii: "$"), !directory.isEmpty else {
            return template(bytes, of: word, offset: 0)
        }
        let prefix = TemplatePiece.literal(Array((directory + "/").utf8))
        return template([prefix] + pieces(of: bytes, word: word), of: word, offset: 0)
    }

    // MARK: Error pages, headers, access

    /// `error_page CODE... [=[NEW]] URI`.
    private mutating func errorPages(_ directive: Directive) -> [ErrorPage] {
        var words = directive.arguments
        guard words.count >= 2 else { return [] }
        let target = words.removeLast()
        var overwrite: Int32 = -1
        if let last = words.last, last.bytes.first == UInt8(ascii: "=") {
            words.removeLast()
            if last.bytes.count == 1 {
                overwrite = 0
            } else if let code = Self.number(last.bytes.dropFirst()), code <= 999 {
                overwrite = Int32(code)
            } else {
                error(
                    "invalid-code",
                    "invalid value \(last.shownText)",
                    at: last,
                    suggestion: "write = and a status up to 999, or = alone"
                )
            }
        }
        guard !words.isEmpty else {
            error(
                "missing-code",
                "\"error_page\" needs a code",
                at: target,
                suggestion: "write: error_page 404 /missing.html;"
            )
            return []
        }
        let compiled = template(target)
        return words.compactMap { word in
            guard let code = Self.number(word.bytes[...]), code >= 300, code <= 599, code != 499 else {
                error(
                    "invalid-code",
                    word.text == "499"
                        ? "\"error_page\" cannot handle 499"
                        : "an error code is a number from 300 to 599, not \(word.shownText)",
                    at: word,
                    suggestion: "write a status such as 404"
                )
                return nil
            }
            let status = overwrite < 0 && [494, 495, 496, 497].contains(code) ? 400 : overwrite
            return ErrorPage(
                code: Int32(code),
                overwrite: status,
                target: compiled,
                position: directive.name.position
            )
        }
    }

    private mutating func header(_ directive: Directive) -> HeaderRule? {
        let words = directive.arguments
        guard words.count >= 2 else { return nil }
        let always = words.count == 3
        if always, words[2].text != "always" {
            error(
                "invalid-parameter",
                "invalid parameter \"\(words[2].text)\"",
                at: words[2],
                suggestion: "write \"always\", or put quotes around a value with spaces"
            )
        }
        for byte in words[0].bytes where byte <= 0x20 || byte >= 0x7f || byte == UInt8(ascii: ":") {
            error("invalid-header-name", "a header's name has no spaces, colons or control characters", at: words[0])
            return nil
        }
        let isSingle = ["etag", "last-modified"].contains(words[0].text.lowercased())
        return HeaderRule(name: words[0].bytes, value: template(words[1]), always: always, isSingle: isSingle)
    }

    private mutating func accessRule(_ directive: Directive, allows: Bool) -> AccessRule? {
        scope(directive).map { AccessRule(scope: $0, allows: allows, position: directive.name.position) }
    }

    private mutating func scope(_ directive: Directive) -> AccessRule.Scope? {
        guard let word = directive.arguments.first else { return nil }
        return addressScope(word, allowsAll: Self.keyword(directive) != .setRealIPFrom)
    }

    /// The addresses that a word names; nil after an error.
    mutating func addressScope(_ word: Word, allowsAll: Bool, allowsUnix: Bool = true) -> AccessRule.Scope? {
        if allowsAll, word.text == "all" { return .all }
        if allowsUnix, word.text == "unix:" { return .unix }
        guard let (network, hadHostBits) = AddressNetwork.parse(word.bytes.span) else {
            error(
                "invalid-address",
                "\"\(word.text)\" is no address and no network",
                at: word,
                suggestion: "write an address such as 192.0.2.1, or a network such as 192.0.2.0/24"
            )
            return nil
        }
        if hadHostBits {
            warning("low-address-bits", "the low bits of \(word.text) are meaningless", at: word)
        }
        return .network(network)
    }

    // MARK: Files

    private mutating func indexNames(_ directive: Directive) -> [Int32] {
        for (index, word) in directive.arguments.enumerated() {
            if word.bytes.isEmpty {
                error("invalid-index", "an index needs a name", at: word, suggestion: "take the \"\" out")
            } else if word.bytes.first == UInt8(ascii: "/"), index + 1 < directive.arguments.count {
                warning(
                    "absolute-index",
                    "what follows the absolute index \(word.shownText) is never looked for",
                    at: word,
                    suggestion: "put it last"
                )
            }
        }
        return directive.arguments.map { template($0) }
    }

    private mutating func tryFiles(_ directive: Directive) -> Int32 {
        var words = directive.arguments
        guard words.count >= 2 else { return -1 }
        let last = words.removeLast()
        let candidates = words.map { word in
            let isDirectory = word.bytes.last == UInt8(ascii: "/") && word.bytes.count > 1
            let bytes = isDirectory ? Array(word.bytes.dropLast()) : word.bytes
            return TryFiles.Candidate(name: template(bytes, of: word, offset: 0), isDirectory: isDirectory)
        }
        var code: Int32 = 0
        var fallback: Int32 = -1
        if last.bytes.first == UInt8(ascii: "=") {
            if let number = Self.number(last.bytes.dropFirst()), number <= 999 {
                code = Int32(number)
            } else {
                error(
                    "invalid-code",
                    "invalid code \(last.shownText)",
                    at: last,
                    suggestion: "write = and a status up to 999, such as =404"
                )
            }
        } else {
            fallback = template(last)
        }
        return tables.tryFiles.adding(
            TryFiles(candidates: candidates, fallback: fallback, code: code, position: directive.name.position)
        )
    }

    /// `types { TYPE EXTENSION... }`; a block of its own replaces the inherited one.
    private mutating func types(_ directive: Directive) -> Int32 {
        var builder = ByteTableBuilder(caseless: true)
        for entry in directive.block ?? [] {
            if entry.block != nil {
                error(
                    "unexpected-block",
                    "an entry of \"types\" has no block",
                    at: entry.name,
                    suggestion: "end it with \";\""
                )
                continue
            }
            if entry.name.text == "include" {
                error("argument-count", "\"include\" takes 1 argument, not \(entry.arguments.count)", at: entry.name)
                continue
            }
            let value = constant(entry.name.bytes)
            for extensionWord in entry.arguments {
                let inserted = builder.add(extensionWord.bytes.span, value: Int32(tables.typeValues.count))
                if case .duplicate = inserted {
                    warning(
                        "duplicate-extension",
                        "the extension \"\(extensionWord.text)\" has a type already",
                        at: extensionWord
                    )
                }
            }
            tables.typeValues.append(value)
        }
        return tables.types.adding(builder.build())
    }

    // MARK: Proxies

    private mutating func passToProxy(_ word: Word, settings: inout Settings) {
        settings.handler = .proxy
        settings.namesHandler = true
        let pieces = pieces(of: word.bytes, word: word)
        let hasVariables = !pieces.allSatisfy { if case .literal = $0 { true } else { false } }
        var target = ProxyTarget(
            template: template(pieces, of: word, offset: 0),
            base: .empty,
            path: .empty,
            hasVariables: hasVariables,
            locationLength: 0,
            position: word.position
        )
        if !hasVariables {
            let text = word.text.lowercased()
            guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
                return error(
                    "invalid-url-prefix",
                    "\"proxy_pass\" needs a URL that begins with \"http://\" or \"https://\"",
                    at: word,
                    suggestion: "write \"http://\(word.text)\""
                )
            }
            let start = text.hasPrefix("https") ? 8 : 7
            let end = Self.pathStart(of: word.bytes, from: start)
            guard checkUpstream(word, bytes: start..<end) else { return }
            target.base = constant(word.bytes[..<end])
            target.path = constant(word.bytes[end...])
        }
        settings.proxy = tables.proxies.adding(target)
    }

    /// The number that decimal digits stand for; nil for anything else, and above six digits.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return nil }
        var value = 0
        for byte in bytes {
            guard byte.isASCIIDigit, value < 100_000_000 else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }
}
