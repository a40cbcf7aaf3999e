import ShuntCore

/// `error_page`: http://nginx.org/en/docs/http/ngx_http_core_module.html#error_page
extension Evaluation {
    /// Ends with a status that `error_page` may take over.
    mutating func special(_ code: Int32) throws(EvaluationFailure) -> Step {
        if code == 444 || code == 499 || code == 408 {
            close()
            return .done
        }
        if let next = try errorPage(for: code) { return next }
        try conclude(status: answer.errorStatus)
        return .done
    }

    /// Has the server before the Host is known answer what is refused before any rule has run.
    ///
    /// - Parameter readsLine: Whether the line of the request may be readable, and is not read yet.
    @inline(never)
    mutating func useFirstServer(readsLine: Bool = false) {
        let slashes = defaultSettings.mergesSlashes
        if readsLine, let target = try? RequestTarget.parse(request.line.subject, in: arena, mergeSlashes: slashes) {
            adopt(target)
        }
        phase = .server
        values.forgetComputed()
        server.index = firstServer
        useServerSettings()
    }

    /// The place where an `error_page` for the status leads; nil without one.
    mutating func errorPage(for code: Int32) throws(EvaluationFailure) -> Step? {
        answer.errorStatus = code
        answer.keptType = nil
        if Decision.endsConnection(after: Int(code)) { answer.endsConnection = true }
        let settings = program.tables.settings[server.settings]
        if !answer.errorPageUsed, !settings.errorPages.isNone, server.changesLeft > 0 {
            if !settings.recursiveErrorPages { answer.errorPageUsed = true }
            for page in program.tables.errorPages[settings.errorPages] where page.code == code {
                return try send(page)
            }
        }
        if (494...497).contains(code) { answer.errorStatus = 400 }
        return nil
    }

    func hasErrorPage(for code: Int32, _ settings: Settings) -> Bool {
        !settings.errorPages.isNone && program.tables.errorPages[settings.errorPages].contains { $0.code == code }
    }

    private mutating func send(_ page: ErrorPage) throws(EvaluationFailure) -> Step {
        if page.overwrite >= 0 { answer.errorStatus = page.overwrite }
        // The body of a request is read and dropped before a `return` redirects it.
        if answer.dropsBody, answer.hasLocation, !server.isBodyRefused {
            (server.isBodyRefused, server.isBodyDropped) = (true, true)
        }
        let target = try evaluate(template: page.target)
        answer.outcome = Outcome()
        position = page.position
        recorder?.record(note: "error_page", at: page.position, in: self)
        let first = target.isEmpty ? 0 : arena[target.start]
        if first == UInt8(ascii: "/") {
            let (path, newArguments) = split(target)
            if server.methodKind != .head {
                server.method = EvaluationMemory.get
                server.methodKind = .get
            }
            return try redirectInternally(to: path, arguments: newArguments)
        }
        if first == UInt8(ascii: "@") { return try goTo(named: target) }
        if ![301, 302, 303, 307, 308].contains(page.overwrite) { answer.errorStatus = 302 }
        answer.location = target
        answer.hasLocation = true
        try conclude(status: answer.errorStatus)
        return .done
    }
}
