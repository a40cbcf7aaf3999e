import ShuntCore
import ShuntPatterns

/// The server and the location of a request.
extension Evaluation {
    /// Chooses the server.
    ///
    /// Source: http://nginx.org/en/docs/http/server_names.html
    @inline(__always)
    mutating func selectServer() throws(EvaluationFailure) {
        let group = server.listen
        server.index = program.tables.listens[group].defaultServer
        if program.tables.listens[group].hasOneServer {
            recorder?.record(server: server.index, in: self)
        } else {
            try selectServerByName(group)
        }
    }

    @inline(never)
    private mutating func selectServerByName(_ group: TableIndex<ListenGroup>)
        throws(EvaluationFailure)
    {
        if server.host.isEmpty, !program.tables.listens[group].emptyNameServer.isNone {
            server.index = program.tables.listens[group].emptyNameServer
        }
        let tables = program.listenTables[group.position]
        let found =
            server.host.isEmpty
            ? nil : tables.names.with { names in arena.withBytes(server.host) { names.value(of: $0) } }
        if let found {
            server.index = ServerIndex(found)
        } else if !server.host.isEmpty, let patterns = tables.patterns {
            switch firstMatch(of: patterns, on: server.host, from: 0, to: nil) {
            case .none: break
            case .match(let index):
                takeCaptures(of: program.tables.listens[group].patternNumbers[index], on: server.host)
                server.index = program.tables.listens[group].patternServers[index]
            case .limitExceeded(let index):
                position =
                    program.tables.servers[program.tables.listens[group].patternServers[index]].position
                throw failure(.patternLimit)
            }
        }
        recorder?.record(server: server.index, in: self)
    }

    /// The end of a search among the locations of one level.
    private enum Search {
        /// Nothing, or a prefix that a regular expression of an outer level may still override.
        case open
        /// A location that nothing overrides.
        case final
        /// A prefix location that only lacks the slash at its end.
        case redirect
    }

    private static let lengthName = Array("content-length".utf8)

    /// Refuses a longer body than `client_max_body_size` allows, and one whose length no number can hold.
    private mutating func refusesBody() -> Bool {
        guard request.hasMore, !server.isBodyRefused, isTooLong(for: upstreamSettings?.maximumBody) else {
            return false
        }
        // One that an upstream has got before is still there.
        server.isBodyRefused = earlier.current.isEmpty
        return true
    }

    private func isTooLong(for limit: Int?) -> Bool {
        guard let limit else { return isLong }
        guard limit > 0 else { return false }
        if let length = earlier.current.last?.requestLength { return length > limit }
        let header = request.headers.first { $0.nameBytes.lazy.map(\.asciiLowercased).elementsEqual(Self.lengthName) }
        guard let header else { return false }
        return header.valueBytes.decimalInteger.map { $0 > limit } ?? true
    }

    mutating func findLocation() throws(EvaluationFailure) -> Step {
        server.uriChanged = false
        server.contentHandler = .none
        server.location = .none
        let found = try search(level: program.tables.servers[server.index].level)
        guard !server.location.isNone else {
            recorder?.record(location: .none, in: self)
            return refusesBody() ? .status(413) : .locationRewrite
        }
        // Field by field: a location that is taken out of its table is copied.
        let location = server.location
        recorder?.record(location: location, in: self)
        server.settings = program.tables.locations[location].settings
        if program.tables.settings[server.settings].isInternal, !server.isInternal {
            position = program.tables.locations[location].position
            return .status(404)
        }
        if refusesBody() {
            position = program.tables.locations[location].position
            return .status(413)
        }
        if found == .redirect {
            position = program.tables.locations[location].position
            try redirectToSlash(program.tables.locations[location].name)
            return .status(301)
        }
        enter(settings: server.settings)
        return .locationRewrite
    }

    private mutating func search(level: LevelIndex) throws(EvaluationFailure) -> Search {
        guard !level.isNone else { return .open }
        let tables = program.levelTables[level.position]
        if let exact = tables.exact,
            let found = exact.with({ exact in arena.withBytes(server.uri) { exact.value($0) } })
        {
            server.location = LocationIndex(found)
            return .final
        }
        var triesPatterns = true
        let prefix = tables.prefixes.with { prefixes in
            arena.withBytes(server.uri) { prefixes.longestPrefix(of: $0) }
        }
        if prefix == nil || prefix?.length != server.uri.count {
            if let redirects = tables.redirects,
                let found = redirects.with({ redirects in
                    arena.withBytes(server.uri) { redirects.value($0) }
                })
            {
                server.location = LocationIndex(found)
                return .redirect
            }
        }
        if let prefix {
            let location = LocationIndex(prefix.value)
            server.location = location
            triesPatterns = program.tables.locations[location].modifier != .prefixBeforeRegex
            let nested = try search(level: program.tables.locations[location].level)
            if nested != .open { return nested }
        }
        guard triesPatterns, let patterns = tables.patterns else { return .open }
        switch firstMatch(of: patterns, on: server.uri, from: 0, to: nil) {
        case .none:
            return .open
        case .limitExceeded(let match):
            position =
                program.tables.locations[program.tables.levels[level].patternLocations[match]].position
            throw failure(.patternLimit)
        case .match(let match):
            takeCaptures(of: program.tables.levels[level].patternNumbers[match], on: server.uri)
            server.location = program.tables.levels[level].patternLocations[match]
            _ = try search(level: program.tables.locations[server.location].level)
            return .final
        }
    }

    /// The Location of a request that lacks the slash at the end of a proxying location.
    private mutating func redirectToSlash(_ path: [UInt8]) throws(EvaluationFailure) {
        let name = try append(path)
        let mark = arena.mark
        PercentCoding.appendEscapedURI(name, to: arena)
        try endLocation(from: mark)
    }

    /// Adds the arguments to the Location that begins at `mark`.
    mutating func endLocation(from mark: Int) throws(EvaluationFailure) {
        if !server.arguments.isEmpty {
            arena.append(UInt8(ascii: "?"))
            arena.append(copyOf: server.arguments)
        }
        answer.location = try made(from: mark)
        answer.hasLocation = true
    }
}
