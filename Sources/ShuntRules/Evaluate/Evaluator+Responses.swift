import ShuntCore
import ShuntPatterns

/// How a request ends: error pages, statuses, headers and the Location.
extension Evaluator {
    /// Ends with a status that `error_page` may take over.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_core_module.html#error_page
    func special(_ code: Int32) -> Step {
        if code == 444 || code == 499 || code == 408 {
            close()
            return .done
        }
        errorStatus = code
        let settings = program.settings[Int(currentSettings)]
        if !errorPageUsed, settings.errorPages >= 0, changesLeft > 0 {
            if !settings.recursiveErrorPages { errorPageUsed = true }
            for page in program.errorPages[Int(settings.errorPages)] where page.code == code {
                return send(page)
            }
        }
        if (494...497).contains(code) { errorStatus = 400 }
        guard outcome.action != .fail else {
            finishRequest()
            return .done
        }
        conclude(status: errorStatus)
        return .done
    }

    private func send(_ page: ErrorPage) -> Step {
        if page.overwrite >= 0 { errorStatus = page.overwrite }
        guard let target = evaluate(template: page.target) else { return .done }
        outcome = Outcome()
        position = page.position
        recorder?.record(note: "error_page", at: page.position, in: self)
        let first = target.isEmpty ? 0 : arena[target.start]
        if first == UInt8(ascii: "/") {
            let (path, newArguments) = split(target)
            if methodKind != .head {
                method = text("GET")
                methodKind = .get
            }
            return redirectInternally(to: path, arguments: newArguments)
        }
        if first == UInt8(ascii: "@") { return goTo(named: target) }
        if ![301, 302, 303, 307, 308].contains(page.overwrite) { errorStatus = 302 }
        pendingLocation = target
        hasPendingLocation = true
        conclude(status: errorStatus)
        return .done
    }

    /// Cuts a path and its arguments at the first `?`.
    func split(_ target: ByteRange) -> (path: ByteRange, arguments: ByteRange) {
        for offset in target.start..<target.end where arena[offset] == UInt8(ascii: "?") {
            return (ByteRange(start: target.start, end: offset), ByteRange(start: offset + 1, end: target.end))
        }
        return (target, .empty)
    }

    /// Sends a body with a status, unless an error page has already fixed the status.
    func respond(status: Int32, body: ByteRange) {
        let final = errorStatus != 0 ? errorStatus : status
        let isBodyless = final == 204 || final == 304
        if !isBodyless {
            if methodKind != .head {
                outcome.body = body
                outcome.hasBody = true
            }
            addContentType()
        }
        conclude(status: final)
    }

    /// Closes the connection without an answer.
    private func close() {
        outcome.action = .respond
        outcome.status = 444
        finishRequest()
    }

    /// Fixes the status, the Location and the headers of the response.
    func conclude(status: Int32) {
        responseStatus = status
        outcome.status = status
        outcome.action = .respond
        if hasPendingLocation {
            outcome.url = absoluteLocation()
            outcome.hasURL = true
            if [301, 302, 303, 307, 308].contains(status) { outcome.action = .redirect }
        }
        addHeaders(status: status)
        finishRequest()
    }

    private func finishRequest() {
        outcome.position = position
        outcome.server = server
        outcome.location = currentLocation
        outcome.uri = uri
        outcome.arguments = arguments
        outcome.hasURI = true
    }

    /// The Location with scheme, host and port in front of a path, where `absolute_redirect` asks for it.
    private func absoluteLocation() -> ByteRange {
        let settings = program.settings[Int(currentSettings)]
        guard settings.absoluteRedirect, !pendingLocation.isEmpty,
            arena[pendingLocation.start] == UInt8(ascii: "/")
        else {
            return safeHeaderValue(pendingLocation)
        }
        let mark = arena.mark
        _ = isSecure ? text("https://") : text("http://")
        let group = program.listens[Int(listen)]
        if settings.serverNameInRedirect {
            arena.append(program.servers[Int(server)].name)
        } else if !host.isEmpty {
            arena.append(copyOf: host)
        } else {
            arena.append(localAddress)
        }
        let port = localPort
        if settings.portInRedirect, port != (isSecure && group.isSecure ? 443 : 80) {
            arena.append(UInt8(ascii: ":"))
            appendNumber(port)
        }
        arena.append(copyOf: pendingLocation)
        return safeHeaderValue(arena.range(from: mark))
    }

    /// The address the request arrived at.
    var localAddress: [UInt8] {
        if let endpoint = requestListen, endpoint.address != "*" { return Array(endpoint.address.utf8) }
        guard listen >= 0 else { return Array("127.0.0.1".utf8) }
        return switch program.listens[Int(listen)].host {
        case .anyV4: Array("127.0.0.1".utf8)
        case .anyV6: Array("::1".utf8)
        case .address(let address): Array(address.description.utf8)
        case .name(let name): name
        case .path(let path): Array("unix:".utf8) + path
        }
    }

    /// The port the request arrived at.
    var localPort: Int {
        if let endpoint = requestListen { return endpoint.port }
        return listen >= 0 ? Int(program.listens[Int(listen)].port) : 80
    }

    /// The value with its control bytes encoded: a header that rules make can never be split.
    ///
    /// nginx sends them as they are.
    func safeHeaderValue(_ range: ByteRange) -> ByteRange {
        PercentCoding.escapingControls(range, in: arena)
    }

    private func addHeaders(status: Int32) {
        let settings = program.settings[Int(currentSettings)]
        guard settings.headers >= 0 else { return }
        let isUsual = [200, 201, 204, 206, 301, 302, 303, 304, 307, 308].contains(status)
        for header in program.headers[Int(settings.headers)] where header.always || isUsual {
            guard let value = evaluate(template: header.value) else { return }
            if header.isSingle { responseHeaders.removeAll { $0.name == header.name } }
            if !value.isEmpty { responseHeaders.append((header.name, safeHeaderValue(value))) }
        }
    }

    /// Collects the headers for whatever the handler answers: which of them count is known only with its status.
    private func addForwardHeaders() {
        if errorStatus != 0 { return addHeaders(status: errorStatus) }
        let settings = program.settings[Int(currentSettings)]
        guard settings.headers >= 0 else { return }
        for header in program.headers[Int(settings.headers)] {
            guard let value = evaluate(template: header.value) else { return }
            guard !value.isEmpty else { continue }
            if header.always {
                responseHeaders.append((header.name, safeHeaderValue(value)))
            } else {
                successHeaders.append((header.name, safeHeaderValue(value)))
            }
        }
    }

    /// Adds the type of a body by the extension of the path.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_core_module.html#types
    private func addContentType() {
        let settings = program.settings[Int(currentSettings)]
        var type = settings.defaultType.map { append(constant: $0) } ?? text("text/plain")
        var dot = uri.end
        var offset = uri.end
        while offset > uri.start, arena[offset - 1] != UInt8(ascii: "/") {
            offset -= 1
            // A dot right behind a slash begins a hidden name, not an extension.
            if arena[offset] == UInt8(ascii: "."), offset > uri.start + 1, arena[offset - 1] != UInt8(ascii: "/") {
                dot = offset
                break
            }
        }
        if dot < uri.end - 1, settings.types < 0 {
            type = usualType(of: ByteRange(start: dot + 1, end: uri.end)) ?? type
        } else if dot < uri.end - 1 {
            let found =
                arena.withBytes(ByteRange(start: dot + 1, end: uri.end)) {
                    program.types[Int(settings.types)].value($0)
                } ?? -1
            if found >= 0 { type = append(constant: program.typeValues[Int(found)]) }
        }
        if !type.isEmpty { responseHeaders.append((Self.contentTypeName, type)) }
    }

    /// The types that nginx knows without a `types` block.
    private func usualType(of pathExtension: ByteRange) -> ByteRange? {
        switch String(decoding: arena.array(lowercased(pathExtension)), as: UTF8.self) {
        case "html": text("text/html")
        case "gif": text("image/gif")
        case "jpg": text("image/jpeg")
        default: nil
        }
    }

    private static let contentTypeName = Array("Content-Type".utf8)

    /// Ends with the request handed on to whatever serves it.
    func forward(to target: ByteRange) {
        outcome.action = .forward
        outcome.url = target
        outcome.hasURL = true
        outcome.status = errorStatus
        responseStatus = errorStatus
        addForwardHeaders()
        // An upstream is chosen by its `proxy_pass`; anything else is owed to what last changed the path.
        if program.settings[Int(currentSettings)].handler != .proxy { position = changePosition }
        finishRequest()
    }

    func appendNumber(_ number: Int) {
        arena.append(Array(String(number).utf8))
    }
}
