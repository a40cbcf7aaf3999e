import ShuntCore

/// The handler of a request that no rule decided: `try_files`, an upstream, or files.
extension Evaluation {
    /// The phases after access.
    mutating func findContent() throws(EvaluationFailure) -> Step {
        let settings = program.tables.settings[server.settings]
        if !settings.tryFiles.isNone {
            let rule = program.tables.tryFiles[settings.tryFiles]
            position = rule.position
            if let step = try tryFiles(rule, settings) { return step }
        }
        // The handler stays that of an earlier `if` where a later one has none; but its address does not stay.
        if server.contentHandler != settings.handler { return .status(500) }
        switch settings.handler {
        case .proxy:
            return try passOn(to: program.tables.proxies[settings.proxy])
        case .other:
            try forwardCurrent()
            return .done
        case .none:
            guard servesFiles, !settings.root.isNone || options.documentRoot != nil else {
                if let path = try absoluteIndex(settings) {
                    return try redirectInternally(to: path, arguments: server.arguments)
                }
                let missing: Int32 = server.methodKind.isReading ? 404 : 405
                // The status that an `error_page` names is not that of a page which is missing.
                if isAlone, hasErrorPage(for: missing, settings) || answer.errorStatus != 0 { return .status(missing) }
                try forwardCurrent()
                return .done
            }
            return try serveFile(settings)
        }
    }

    /// Tries the candidates in turn: http://nginx.org/en/docs/http/ngx_http_core_module.html#try_files
    /// Nil when a file was found and content continues with it.
    private mutating func tryFiles(_ rule: TryFiles, _ settings: Settings) throws(EvaluationFailure) -> Step? {
        for candidate in rule.candidates {
            let written = try evaluate(template: candidate.name)
            let name = withoutAliasPrefix(written, of: candidate.name, settings)
            guard let path = try filePath(of: name, settings) else { return .status(500) }
            let found = try lookUp(path)
            let kind = try? found.get().kind
            let isFound = kind != nil && (kind == .directory) == candidate.isDirectory
            recorder?.record(file: path, found: isFound, in: self)
            guard isFound else { continue }
            changePosition = rule.position
            try adopt(name, settings, isDirectory: candidate.isDirectory)
            return nil
        }
        if rule.code != 0 { return .status(rule.code) }
        let target = try evaluate(template: rule.fallback)
        let stripped = withoutAliasPrefix(target, of: rule.fallback, settings)
        if !stripped.isEmpty, arena[stripped.start] == UInt8(ascii: "@") { return try goTo(named: stripped) }
        let (path, newArguments) = split(stripped)
        return try redirectInternally(to: path, arguments: newArguments)
    }

    /// Makes the path of a found candidate the path of the request.
    private mutating func adopt(_ name: ByteRange, _ settings: Settings, isDirectory: Bool) throws(EvaluationFailure) {
        guard settings.isAlias else {
            server.uri = name
            return
        }
        if settings.aliasLength < 0 {
            if !isDirectory {
                server.uri = name
                server.addsURIToAlias = true
            }
            return
        }
        let kept = min(settings.aliasLength, Int32(server.uri.count))
        server.uri = try join(ByteRange(start: server.uri.start, end: server.uri.start + kept), name)
    }

    /// The name without the part of the path that an `alias` replaces, if it begins with that part.
    ///
    /// As in nginx a name without variables is taken as it is written.
    private func withoutAliasPrefix(_ name: ByteRange, of template: TemplateIndex, _ settings: Settings) -> ByteRange {
        guard settings.isAlias, settings.aliasLength >= 0, !program.tables.parts[template].isConstant else {
            return name
        }
        let length = settings.aliasLength
        guard name.count >= Int(length), server.uri.count >= Int(length) else { return name }
        for offset in 0..<length where arena[name.start + offset] != arena[server.uri.start + offset] { return name }
        return ByteRange(start: name.start + length, end: name.end)
    }

    /// The file that a name of `try_files` stands for; nil when an `alias` cannot be applied.
    private mutating func filePath(of name: ByteRange, _ settings: Settings) throws(EvaluationFailure) -> ByteRange? {
        guard let root = try documentRoot(settings) else { return nil }
        return try join(root, name)
    }

    /// The root or alias in force; nil when an alias cannot be applied because the path was rewritten.
    mutating func documentRoot(_ settings: Settings) throws(EvaluationFailure) -> ByteRange? {
        if settings.isAlias, !server.locationIsValid { return nil }
        if !settings.root.isNone { return try evaluate(template: settings.root) }
        return if let root = options.documentRoot { try append(root) } else { try text("html") }
    }

    /// `$realpath_root`: the root without links; as in nginx empty where there is no such folder.
    mutating func realRoot(_ settings: Settings) throws(EvaluationFailure) -> ByteRange {
        guard let root = try documentRoot(settings) else { return .empty }
        guard let files = options.fileSystem else { return root }
        guard let real = try? files.realPath(String(decoding: arena.array(root), as: UTF8.self)) else { return .empty }
        return try append(Array(real.utf8))
    }

    /// The file that the path of the request stands for.
    mutating func requestFile(_ settings: Settings) throws(EvaluationFailure) -> ByteRange? {
        guard let root = try documentRoot(settings) else { return nil }
        let mark = arena.mark
        arena.append(copyOf: root)
        if !settings.isAlias {
            arena.append(copyOf: server.uri)
        } else if settings.aliasLength < 0 {
            if server.addsURIToAlias { arena.append(copyOf: server.uri) }
        } else {
            let skipped = min(settings.aliasLength, Int32(server.uri.count))
            arena.append(copyOf: ByteRange(start: server.uri.start + skipped, end: server.uri.end))
        }
        return try made(from: mark)
    }

    /// nginx's index and static modules, as far as they decide: a file is forwarded, a directory redirected to.
    private mutating func serveFile(_ settings: Settings) throws(EvaluationFailure) -> Step {
        position = .none
        let endsInSlash = !server.uri.isEmpty && arena[server.uri.end - 1] == UInt8(ascii: "/")
        let isReading = server.methodKind.isReading
        if endsInSlash, isReading, let step = try findIndex(settings) { return step }
        guard isReading else { return .status(405) }
        if endsInSlash {
            guard settings.listsDirectories, server.methodKind != .post else { return missing(403, settings) }
            try forwardCurrent()
            return .done
        }
        guard let path = try requestFile(settings) else { throw failure(.aliasAfterRewrite) }
        let found = try lookUp(path)
        let kind = (try? found.get())?.kind
        recorder?.record(file: path, found: kind != nil, in: self)
        switch kind {
        case .regular:
            guard server.methodKind == .post else { return try answer(with: path, settings) }
            return openingStatus(path).map { missing($0, settings) } ?? .status(405)
        case .directory:
            if let status = openingStatus(path) { return missing(status, settings) }
            let mark = arena.mark
            PercentCoding.appendEscapedURI(server.uri, to: arena)
            arena.append(UInt8(ascii: "/"))
            try endLocation(from: mark)
            return .status(301)
        default:
            guard case .failure(let error) = found else { return missing(404, settings) }
            return missing(Self.status(of: error), settings)
        }
    }

    /// A status that is caused by the `root` or `alias` under which nothing was found.
    private mutating func missing(_ status: Int32, _ settings: Settings) -> Step {
        position = program.tables.rootPositions[settings.root] ?? .none
        return .status(status)
    }

    /// The first name of an `index` that is a path and needs no file to be looked for.
    private mutating func absoluteIndex(_ settings: Settings) throws(EvaluationFailure) -> ByteRange? {
        guard !settings.index.isNone, !server.uri.isEmpty, arena[server.uri.end - 1] == UInt8(ascii: "/") else {
            return nil
        }
        guard server.methodKind.isReading else { return nil }
        for template in program.tables.indexes[settings.index] {
            let name = try evaluate(template: template)
            if !name.isEmpty, arena[name.start] == UInt8(ascii: "/") { return name }
        }
        return nil
    }

    /// http://nginx.org/en/docs/http/ngx_http_index_module.html; nil when no index file exists in a directory that does.
    private mutating func findIndex(_ settings: Settings) throws(EvaluationFailure) -> Step? {
        var hasSeenDirectory = false
        let names = !settings.index.isNone ? program.tables.indexes[settings.index] : [.none]
        for template in names {
            // Without an `index` there is nginx's default.
            let name = template.isNone ? try text("index.html") : try evaluate(template: template)
            if !name.isEmpty, arena[name.start] == UInt8(ascii: "/") {
                return try redirectInternally(to: name, arguments: server.arguments)
            }
            guard let directory = try requestFile(settings) else { throw failure(.aliasAfterRewrite) }
            let path = try join(directory, name)
            switch try lookUp(path) {
            case .success:
                recorder?.record(file: path, found: true, in: self)
                return try redirectInternally(to: try join(server.uri, name), arguments: server.arguments)
            case .failure(let error) where error.reason != .notFound:
                return missing(Self.status(of: error), settings)
            case .failure: break
            }
            if !hasSeenDirectory {
                switch try lookUp(directory) {
                case .success(let found) where found.kind == .directory: hasSeenDirectory = true
                // An `alias` to a file; as in nginx no page for 404 takes it.
                case .success: return missing(500, settings)
                case .failure(let error): return missing(Self.status(of: error), settings)
                }
            }
        }
        return nil
    }
}
