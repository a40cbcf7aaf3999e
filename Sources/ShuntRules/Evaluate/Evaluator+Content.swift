import ShuntCore

/// What serves a request that no rule decided: `try_files`, an upstream, or files.
extension Evaluator {
    /// The phases after access.
    func findContent() -> Step {
        let settings = program.settings[Int(currentSettings)]
        if settings.tryFiles >= 0 {
            let rule = program.tryFiles[Int(settings.tryFiles)]
            position = rule.position
            if let step = tryFiles(rule, settings) { return step }
        }
        // The handler stays that of an earlier `if` where a later one has none; but its address does not stay.
        if contentHandler != settings.handler { return special(500) }
        switch settings.handler {
        case .proxy:
            guard let target = proxyTarget(program.proxies[Int(settings.proxy)]) else { return .done }
            forward(to: target)
            return .done
        case .other:
            forwardCurrent()
            return .done
        case .none:
            guard servesFiles, settings.root >= 0 || options.documentRoot != nil else {
                if let path = absoluteIndex(settings) { return redirectInternally(to: path, arguments: arguments) }
                forwardCurrent()
                return .done
            }
            return serveFile(settings)
        }
    }

    /// Tries the candidates in turn: http://nginx.org/en/docs/http/ngx_http_core_module.html#try_files
    /// Nil when a file was found and content goes on with it.
    private func tryFiles(_ rule: TryFiles, _ settings: Settings) -> Step? {
        for candidate in rule.candidates {
            guard let written = evaluate(template: candidate.name) else { return .done }
            let name = withoutAliasPrefix(written, of: candidate.name, settings)
            guard let path = filePath(of: name, settings) else { return special(500) }
            let kind = fileKind(path)
            let isFound = kind != nil && (kind == .directory) == candidate.isDirectory
            recorder?.record(file: path, found: isFound, in: self)
            guard isFound else { continue }
            changePosition = rule.position
            adopt(name, settings, isDirectory: candidate.isDirectory)
            return nil
        }
        if rule.code != 0 { return special(rule.code) }
        guard let target = evaluate(template: rule.fallback) else { return .done }
        let stripped = withoutAliasPrefix(target, of: rule.fallback, settings)
        if !stripped.isEmpty, arena[stripped.start] == UInt8(ascii: "@") { return goTo(named: stripped) }
        let (path, newArguments) = split(stripped)
        return redirectInternally(to: path, arguments: newArguments)
    }

    /// Makes the path of a found candidate the path of the request.
    private func adopt(_ name: ByteRange, _ settings: Settings, isDirectory: Bool) {
        guard settings.isAlias else {
            uri = name
            return
        }
        if settings.aliasLength < 0 {
            if !isDirectory {
                uri = name
                addsURIToAlias = true
            }
            return
        }
        let kept = min(settings.aliasLength, Int32(uri.count))
        let mark = arena.mark
        arena.append(copyOf: ByteRange(start: uri.start, end: uri.start + kept))
        arena.append(copyOf: name)
        uri = arena.range(from: mark)
    }

    /// The name without the part of the path that an `alias` replaces, if it begins with that part.
    ///
    /// As in nginx a name without variables is taken as it is written.
    private func withoutAliasPrefix(_ name: ByteRange, of template: Int32, _ settings: Settings) -> ByteRange {
        guard settings.isAlias, settings.aliasLength >= 0, !program.parts[Int(template)].isConstant else {
            return name
        }
        let length = settings.aliasLength
        guard name.count >= Int(length), uri.count >= Int(length) else { return name }
        for offset in 0..<length where arena[name.start + offset] != arena[uri.start + offset] { return name }
        return ByteRange(start: name.start + length, end: name.end)
    }

    /// The file that a name of `try_files` stands for; nil when an `alias` cannot be applied.
    private func filePath(of name: ByteRange, _ settings: Settings) -> ByteRange? {
        guard let root = documentRoot(settings) else { return nil }
        let mark = arena.mark
        arena.append(copyOf: root)
        arena.append(copyOf: name)
        return arena.range(from: mark)
    }

    /// The root or alias in force; nil when an alias cannot be applied because the path was rewritten.
    func documentRoot(_ settings: Settings) -> ByteRange? {
        if settings.isAlias, !locationIsValid { return nil }
        if settings.root >= 0 { return evaluate(template: settings.root) }
        return append(options.documentRoot ?? Array("html".utf8))
    }

    /// The file that the path of the request stands for.
    func requestFile(_ settings: Settings) -> ByteRange? {
        guard let root = documentRoot(settings) else { return nil }
        let mark = arena.mark
        arena.append(copyOf: root)
        if !settings.isAlias {
            arena.append(copyOf: uri)
        } else if settings.aliasLength < 0 {
            if addsURIToAlias { arena.append(copyOf: uri) }
        } else {
            let skipped = min(settings.aliasLength, Int32(uri.count))
            arena.append(copyOf: ByteRange(start: uri.start + skipped, end: uri.end))
        }
        return arena.range(from: mark)
    }

    /// nginx's index and static modules, as far as they decide: a file is forwarded, a directory redirected to.
    private func serveFile(_ settings: Settings) -> Step {
        position = .none
        let endsInSlash = !uri.isEmpty && arena[uri.end - 1] == UInt8(ascii: "/")
        let isReading = methodKind.isReading
        if endsInSlash, isReading, let step = findIndex(settings) { return step }
        guard isReading else { return special(405) }
        if endsInSlash {
            guard settings.listsDirectories, methodKind != .post else { return special(403) }
            forward(to: currentURL())
            return .done
        }
        guard let path = requestFile(settings) else {
            fail(.aliasAfterRewrite, status: 500)
            return special(500)
        }
        let kind = fileKind(path)
        recorder?.record(file: path, found: kind != nil, in: self)
        switch kind {
        case .regular:
            if methodKind == .post { return special(405) }
            forwardCurrent()
            return .done
        case .directory:
            let mark = arena.mark
            PercentCoding.appendEscapedURI(uri, to: arena)
            arena.append(UInt8(ascii: "/"))
            if !arguments.isEmpty {
                arena.append(UInt8(ascii: "?"))
                arena.append(copyOf: arguments)
            }
            pendingLocation = arena.range(from: mark)
            hasPendingLocation = true
            return special(301)
        default:
            return special(404)
        }
    }

    /// The first name of an `index` that is a path and needs no file to be looked for.
    private func absoluteIndex(_ settings: Settings) -> ByteRange? {
        guard settings.index >= 0, !uri.isEmpty, arena[uri.end - 1] == UInt8(ascii: "/") else { return nil }
        guard methodKind.isReading else { return nil }
        for template in program.indexes[Int(settings.index)] {
            if let name = evaluate(template: template), !name.isEmpty, arena[name.start] == UInt8(ascii: "/") {
                return name
            }
        }
        return nil
    }

    /// http://nginx.org/en/docs/http/ngx_http_index_module.html; nil when no index file exists in a directory that does.
    private func findIndex(_ settings: Settings) -> Step? {
        var hasSeenDirectory = false
        let names = settings.index >= 0 ? program.indexes[Int(settings.index)] : [-1]
        for template in names {
            // Without an `index` there is nginx's default.
            guard let name = template < 0 ? text("index.html") : evaluate(template: template) else { return .done }
            if !name.isEmpty, arena[name.start] == UInt8(ascii: "/") {
                return redirectInternally(to: name, arguments: arguments)
            }
            guard let directory = requestFile(settings) else {
                fail(.aliasAfterRewrite, status: 500)
                return special(500)
            }
            let mark = arena.mark
            arena.append(copyOf: directory)
            arena.append(copyOf: name)
            let path = arena.range(from: mark)
            if fileKind(path) != nil {
                recorder?.record(file: path, found: true, in: self)
                let mark = arena.mark
                arena.append(copyOf: uri)
                arena.append(copyOf: name)
                return redirectInternally(to: arena.range(from: mark), arguments: arguments)
            }
            if !hasSeenDirectory {
                guard fileKind(directory) == .directory else { return special(404) }
                hasSeenDirectory = true
            }
        }
        return nil
    }
}
