import ShuntCore
import ShuntPatterns

/// Which server and which location a request belongs to.
extension Evaluator {
    /// Chooses the server.
    ///
    /// False after a failure. Source: http://nginx.org/en/docs/http/server_names.html
    func selectServer() -> Bool {
        let group = Int(listen)
        server = program.listens[group].defaultServer
        if program.listens[group].hasOneServer {
            recorder?.record(server: server, in: self)
            return true
        }
        if host.isEmpty, program.listens[group].emptyNameServer >= 0 { server = program.listens[group].emptyNameServer }
        let found = host.isEmpty ? -1 : arena.withBytes(host) { program.listens[group].names.value(of: $0) } ?? -1
        if found >= 0 {
            server = found
        } else if !host.isEmpty, program.listens[group].patterns.count > 0 {
            let patterns = program.listens[group].patterns
            let outcome = arena.withBytes(host) {
                patterns.firstMatch($0, from: 0, to: patterns.count, scratch: scratch, mode: mode)
            }
            switch outcome {
            case .none: break
            case .match(let index):
                takeCaptures(of: program.listens[group].patternNumbers[index], on: host)
                server = program.listens[group].patternServers[index]
            case .limitExceeded:
                fail(.patternLimit, status: 500)
                return false
            }
        }
        recorder?.record(server: server, in: self)
        return true
    }

    /// How a search among the locations of one level ended.
    private enum Search {
        /// Nothing, or a prefix that a regular expression of an outer level may still override.
        case open
        /// A location that nothing overrides.
        case final
        /// A prefix location that only lacks the slash at its end.
        case redirect
        case failed
    }

    /// The find-location phase.
    func findLocation() -> Step {
        uriChanged = false
        contentHandler = .none
        currentLocation = -1
        let found = search(level: program.servers[Int(server)].level)
        if found == .failed { return special(500) }
        guard currentLocation >= 0 else {
            recorder?.record(location: -1, in: self)
            return .locationRewrite
        }
        let location = program.locations[Int(currentLocation)]
        recorder?.record(location: currentLocation, in: self)
        currentSettings = location.settings
        if program.settings[Int(currentSettings)].isInternal, !isInternal {
            position = location.position
            return special(404)
        }
        if found == .redirect {
            position = location.position
            redirectToSlash(location)
            return special(301)
        }
        enter(settings: location.settings)
        return .locationRewrite
    }

    private func search(level index: Int32) -> Search {
        guard index >= 0 else { return .open }
        let level = Int(index)
        let exact = arena.withBytes(uri) { program.levels[level].exact.value($0) } ?? -1
        if exact >= 0 {
            currentLocation = exact
            return .final
        }
        var triesPatterns = true
        let prefix = arena.withBytes(uri) { program.levels[level].prefixes.longestPrefix(of: $0) }
        if prefix == nil || prefix?.length != uri.count {
            let redirect = arena.withBytes(uri) { program.levels[level].redirects.value($0) } ?? -1
            if redirect >= 0 {
                currentLocation = redirect
                return .redirect
            }
        }
        if let prefix {
            currentLocation = prefix.value
            let location = Int(prefix.value)
            triesPatterns = program.locations[location].modifier != .prefixBeforeRegex
            let nested = search(level: program.locations[location].level)
            if nested != .open { return nested }
        }
        guard triesPatterns, program.levels[level].patterns.count > 0 else { return .open }
        let patterns = program.levels[level].patterns
        let outcome = arena.withBytes(uri) {
            patterns.firstMatch($0, from: 0, to: patterns.count, scratch: scratch, mode: mode)
        }
        switch outcome {
        case .none:
            return .open
        case .limitExceeded:
            fail(.patternLimit, status: 500)
            return .failed
        case .match(let match):
            takeCaptures(of: program.levels[level].patternNumbers[match], on: uri)
            currentLocation = program.levels[level].patternLocations[match]
            let nested = search(level: program.locations[Int(currentLocation)].level)
            return nested == .failed ? .failed : .final
        }
    }

    /// The Location of a request that lacks the slash at the end of a proxying location.
    private func redirectToSlash(_ location: Location) {
        let name = append(location.name)
        let mark = arena.mark
        PercentCoding.appendEscapedURI(name, to: arena)
        if !arguments.isEmpty {
            arena.append(UInt8(ascii: "?"))
            arena.append(copyOf: arguments)
        }
        pendingLocation = arena.range(from: mark)
        hasPendingLocation = true
    }
}
