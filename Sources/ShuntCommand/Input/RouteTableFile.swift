import Shunt
import ShuntAppLinks

struct RouteTableFile {
    /// The largest table as JSON, in bytes.
    static let limit = 1 << 28

    /// The table; nil when the file has errors.
    private(set) var table: RouteTable?
    private(set) var diagnostics: [Diagnostic] = []
    /// The conditions of which one must hold for a route of an Android app, by its name.
    private(set) var conditions: [String: [ManifestCondition]] = [:]

    /// Reads a rule file, a directory of them, a JSON list, a catalogue of modules, or the manifest of an Android app.
    ///
    /// A file is JSON if its name ends in `.json` or it begins with a bracket, and XML if it begins with `<`: no rule file does.
    /// Of a catalogue the addresses count that are exposed to `exposure`; nil is whomever.
    init(_ path: String, options: RoutingOptions, exposedTo exposure: String? = nil) {
        if let bytes = Self.data(path) {
            if bytes.first(where: { $0 > 0x20 && $0 < 0x7f }) == UInt8(ascii: "<") {
                let manifest = AndroidManifest(bytes, named: path)
                table = manifest.table
                conditions = manifest.conditions
                diagnostics = manifest.diagnostics
                return
            }
            if CatalogFile.isCatalog(bytes) {
                read(CatalogFile(bytes, named: path), options: options, exposure: exposure)
                return
            }
            let list = RouteList(bytes, named: path, options: options)
            table = list.table
            diagnostics = list.diagnostics
            return
        }
        do throws(RuleSetError) {
            let ruleSet = try RuleSet(path: path, routing: options)
            table = ruleSet.routes
            // Warnings about other rules do not concern the table.
            let codes = Set((table?.warnings ?? []).map(\.code) + [DiagnosticCode.routingTwice.name])
            diagnostics = ruleSet.diagnostics.filter { codes.contains($0.code) }
            if table == nil {
                let message = "there is no route in \(RequestFields.quoted(path))"
                let advice = "declare one, such as route /item/:id item;"
                diagnostics.append(Diagnostic(.error(.noRoutes), message, at: .whole(path), suggestion: advice))
            }
        } catch {
            diagnostics = error.diagnostics
        }
    }

    /// Looks a URL up in the table; a route whose conditions do not hold declines it.
    func resolve(_ url: [UInt8], method: String? = nil) -> RouteResolution? {
        guard let table else { return nil }
        let first = table.resolve(bytes: url, method: method)
        guard !conditions.isEmpty, let match = first.match,
            let subject = try? AppLinkSubject(String(decoding: url, as: UTF8.self))
        else { return first }
        let isTaken: (RouteMatch) -> Bool = { match in
            conditions[match.route.displayName]?.contains { $0.holds(subject) } ?? true
        }
        if isTaken(match) { return first }
        let next = table.candidates(after: match).first(where: isTaken)
        return next.map { .matched($0) } ?? .missed(RouteMiss(reason: .noSuchPath))
    }

    private mutating func read(_ catalog: CatalogFile, options: RoutingOptions, exposure: String?) {
        diagnostics = catalog.diagnostics
        var builder = RouteTableBuilder(options: options)
        // An event of several modules has one address: everybody hears it.
        var events: Set<String> = []
        for answer in catalog.addresses where exposure.map({ answer.exposure.contains($0) }) ?? true {
            if answer.kind == "event", !events.insert(answer.name).inserted { continue }
            builder.add(
                answer.address ?? "",
                name: answer.name,
                methods: answer.method.map { [$0] } ?? [],
                origin: catalog.location(answer.place)
            )
        }
        guard diagnostics.isEmpty else { return }
        do throws(RouteTableError) {
            table = try builder.build()
            diagnostics = table?.warnings ?? []
        } catch {
            diagnostics = error.diagnostics
        }
    }

    /// The content of a JSON or XML file; nil for anything else, also for what cannot be read, which loading rules reports.
    private static func data(_ path: String) -> [UInt8]? {
        guard let bytes = try? InputFile.read(path, limit: limit) else { return nil }
        if path.hasSuffix(".json") { return bytes }
        // A mark of the encoding may be before XML.
        let first = bytes.first { $0 > 0x20 && $0 < 0x7f }
        return first.map { "[{<".utf8.contains($0) } ?? false ? bytes : nil
    }

    /// A diagnostic about a route, with the line that declares it.
    static func diagnostic(_ message: String, about route: Route, suggestion: String? = nil) -> Diagnostic {
        var line = ""
        if let bytes = try? InputFile.read(route.origin.file, limit: limit) {
            let file = RuleFile(name: route.origin.file, bytes: bytes)
            line = String(decoding: file.line(Int32(clamping: route.origin.line)), as: UTF8.self)
        }
        return Diagnostic(
            .error(.routeGeneration),
            message,
            at: route.origin,
            length: route.pattern.utf8.count,
            sourceLine: line,
            suggestion: suggestion
        )
    }
}
