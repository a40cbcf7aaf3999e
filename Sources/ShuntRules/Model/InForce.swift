package import ShuntCore

extension RuleModel {
    /// The settings in force in a server, a location, the body of an `if` or of a `limit_except`: inheritance is resolved.
    package struct Settings: RulePart, TablePart {
        typealias Record = ShuntRules.Settings

        package let model: RuleModel
        package let order: Int

        private var tables: ProgramTables { model.program.tables }
        private var settings: ShuntRules.Settings { model.program.tables.settings[order] }

        /// The text of `root` or `alias`; nil without one.
        package var root: Template? { Template(model, optional: settings.root) }
        /// The place of `root` or `alias`; nil without one.
        package var rootPosition: SourcePosition? { tables.rootPositions[settings.root] }
        /// True if `root` holds an `alias`.
        package var isAlias: Bool { settings.isAlias }
        package var tryFiles: TriedFiles? { TriedFiles(model, optional: settings.tryFiles) }
        package var errorPages: ErrorPages? { ErrorPages(model, optional: settings.errorPages) }
        /// The headers of `add_header`; nil without any.
        package var headers: AddedHeaders? { AddedHeaders(model, optional: settings.headers) }
        /// The rules of `allow` and `deny`; nil without any.
        package var accessRules: AccessRules? { AccessRules(model, optional: settings.accessRules) }
        package var proxy: Proxying? { Proxying(model, optional: settings.proxy) }
        package var handler: ContentHandler { settings.handler }
        /// True if the block itself names the handler.
        package var namesHandler: Bool { settings.namesHandler }
        package var isInternal: Bool { settings.isInternal }
        /// True if `auth_basic` or `auth_request` holds.
        package var asksForLogin: Bool {
            if !settings.consent.isNone, !tables.consents[settings.consent].target.isEmpty { return true }
            guard !settings.gates.isNone else { return false }
            return Template(model, optional: tables.gates[settings.gates].realm)
                .map { $0.constant != Array("off".utf8) } ?? false
        }
        package var mergesSlashes: Bool { settings.mergesSlashes }
        package var absoluteRedirect: Bool { settings.absoluteRedirect }
        /// The methods of `limit_except`, and the settings for all others; nil without it.
        package var methodLimit: (methods: [[UInt8]], others: Settings)? {
            guard !settings.methodLimit.isNone else { return nil }
            let limit = tables.methodLimits[settings.methodLimit]
            return (limit.methods, Settings(model, limit.settings))
        }
        /// The steps of the level; nil without any.
        package var sequence: Sequence? {
            settings.sequence.isNone ? nil : model.step(settings.sequence.position).sequence
        }
    }

    /// `try_files`.
    package struct TriedFiles: RulePart, TablePart {
        typealias Record = TryFiles

        package let model: RuleModel
        package let order: Int

        private var rule: TryFiles { model.program.tables.tryFiles[order] }

        package var position: SourcePosition { rule.position }
        package var candidates: [(name: Template, isDirectory: Bool)] {
            rule.candidates.map { (Template(model, $0.name), $0.isDirectory) }
        }
        /// The last resort; nil for `=CODE`.
        package var fallback: Template? { Template(model, optional: rule.fallback) }
        /// The code of `=CODE`, else 0.
        package var code: Int { Int(rule.code) }
    }

    /// The pages of `error_page` at a level.
    package struct ErrorPages: RulePart, TablePart {
        typealias Record = [ErrorPage]

        package let model: RuleModel
        package let order: Int

        package struct Page: Sendable {
            package let code: Int
            package let target: Template
            package let position: SourcePosition
        }

        package var pages: [Page] {
            model.program.tables.errorPages[order]
                .map {
                    Page(code: Int($0.code), target: Template(model, $0.target), position: $0.position)
                }
        }
    }

    /// The rules of `allow` and `deny` at a level.
    package struct AccessRules: RulePart, TablePart {
        typealias Record = [AccessRule]

        package let model: RuleModel
        package let order: Int

        package var rules: [AccessRule] { model.program.tables.accessRules[order] }
    }

    /// `proxy_pass`.
    package struct Proxying: RulePart, TablePart {
        typealias Record = ProxyTarget

        package let model: RuleModel
        package let order: Int

        private var proxy: ProxyTarget { model.program.tables.proxies[order] }

        package var position: SourcePosition { proxy.position }
        package var target: Template { Template(model, proxy.template) }
        package var hasVariables: Bool { proxy.hasVariables }
        /// The URI part as written; empty without one.
        package var path: [UInt8] { Array(model.program.tables.constants[proxy.path.indices]) }
    }

    /// The headers of `add_header` at a level.
    package struct AddedHeaders: RulePart, TablePart {
        typealias Record = [HeaderRule]

        package let model: RuleModel
        package let order: Int

        package var headers: [(name: [UInt8], value: Template)] {
            model.program.tables.headers[order].map { ($0.name, Template(model, $0.value)) }
        }
    }

    package var triedFiles: some RandomAccessCollection<TriedFiles> { parts(of: program.tables.tryFiles) }
    package var errorPages: some RandomAccessCollection<ErrorPages> { parts(of: program.tables.errorPages) }
    package var accessRules: some RandomAccessCollection<AccessRules> { parts(of: program.tables.accessRules) }
    package var proxies: some RandomAccessCollection<Proxying> { parts(of: program.tables.proxies) }
    /// All settings that are in force somewhere.
    package var settings: some RandomAccessCollection<Settings> { parts(of: program.tables.settings) }
}
