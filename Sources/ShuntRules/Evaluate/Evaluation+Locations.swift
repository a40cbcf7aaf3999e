import ShuntCore
import ShuntPatterns

/// Which server and which location a request belongs to.
extension Evaluation {
    /// Chooses the server.
    ///
    /// Source: http://nginx.org/en/docs/http/server_names.html
    @inline(__always)
    mutating func selectServer() throws(EvaluationFailure) {
        let group = Int(server.listen)
        server.index = program.listens[group].defaultServer
        if program.listens[group].hasOneServer {
            recorder?.record(server: server.index, in: self)
        } else {
            try selectServerByName(group)
        }
    }

    @inline(never)
    private mutating func selectServerByName(_ group: Int) throws(EvaluationFailure) {
        if server.host.isEmpty, program.listens[group].emptyNameServer >= 0 {
            server.index = program.listens[group].emptyNameServer
        }
        let found =
            server.host.isEmpty ? -1 : arena.withBytes(server.host) { program.listens[group].names.value(of: $0) } ?? -1
        if found >= 0 {
            server.index = found
        } else if !server.host.isEmpty, program.listens[group].patterns.count > 0 {
            let patterns = program.listens[group].patterns
            let outcome = arena.withBytes(server.host) {
                patterns.firstMatch($0, from: 0, to: patterns.count, scratch: memory.scratch, mode: mode)
            }
            switch outcome {
            case .none: break
            case .match(let index):
                takeCaptures(of: program.listens[group].patternNumbers[index], on: server.host)
                server.index = program.listens[group].patternServers[index]
            case .limitExceeded(let index):
                position = program.servers[Int(program.listens[group].patternServers[index])].position
                throw failure(.patternLimit)
            }
        }
        recorder?.record(server: server.index, in: self)
    }

    /// How a search among the locations of one level ended.
    private enum Search {
        /// Nothing, or a prefix that a regular expression of an outer level may still override.
        case open
        /// A location that nothing overrides.
        case final
        /// A prefix location that only lacks the slash at its end.
        case redirect
    }

    /// The find-location phase.
    mutating func findLocation() throws(EvaluationFailure) -> Step {
        server.uriChanged = false
        server.contentHandler = .none
        server.location = -1
        let found = try search(level: program.servers[Int(server.index)].level)
        guard server.location >= 0 else {
            recorder?.record(location: -1, in: self)
            return .locationRewrite
        }
        let location = program.locations[Int(server.location)]
        recorder?.record(location: server.location, in: self)
        server.settings = location.settings
        if program.settings[Int(server.settings)].isInternal, !server.isInternal {
            position = location.position
            return .status(404)
        }
        if found == .redirect {
            position = location.position
            try redirectToSlash(location)
            return .status(301)
        }
        enter(settings: location.settings)
        return .locationRewrite
    }

    private mutating func search(level index: Int32) throws(EvaluationFailure) -> Search {
        guard index >= 0 else { return .open }
        let level = Int(index)
        let exact = arena.withBytes(server.uri) { program.levels[level].exact.value($0) } ?? -1
        if exact >= 0 {
            server.location = exact
            return .final
        }
        var triesPatterns = true
        let prefix = arena.withBytes(server.uri) { program.levels[level].prefixes.longestPrefix(of: $0) }
        if prefix == nil || prefix?.length != server.uri.count {
            let redirect = arena.withBytes(server.uri) { program.levels[level].redirects.value($0) } ?? -1
            if redirect >= 0 {
                server.location = redirect
                return .redirect
            }
        }
        if let prefix {
            server.location = prefix.value
            let location = Int(prefix.value)
            triesPatterns = program.locations[location].modifier != .prefixBeforeRegex
            let nested = try search(level: program.locations[location].level)
            if nested != .open { return nested }
        }
        guard triesPatterns, program.levels[level].patterns.count > 0 else { return .open }
        let patterns = program.levels[level].patterns
        let outcome = arena.withBytes(server.uri) {
            patterns.firstMatch($0, from: 0, to: patterns.count, scratch: memory.scratch, mode: mode)
        }
        switch outcome {
        case .none:
            return .open
        case .limitExceeded(let match):
            position = program.locations[Int(program.levels[level].patternLocations[match])].position
            throw failure(.patternLimit)
        case .match(let match):
            takeCaptures(of: program.levels[level].patternNumbers[match], on: server.uri)
            server.location = program.levels[level].patternLocations[match]
            _ = try search(level: program.locations[Int(server.location)].level)
            return .final
        }
    }

    /// The Location of a request that lacks the slash at the end of a proxying location.
    private mutating func redirectToSlash(_ location: Location) throws(EvaluationFailure) {
        let name = try append(location.name)
        let mark = arena.mark
        PercentCoding.appendEscapedURI(name, to: arena)
        if !server.arguments.isEmpty {
            arena.append(UInt8(ascii: "?"))
            arena.append(copyOf: server.arguments)
        }
        answer.location = try made(from: mark)
        answer.hasLocation = true
    }
}
