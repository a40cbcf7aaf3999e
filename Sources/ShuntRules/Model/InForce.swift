package import ShuntCore

extension RuleModel {
    /// The settings in force in a server, a location, the body of an `if` or of a `limit_except`: inheritance is resolved.
    package struct Settings: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        private var tables: ProgramTables { model.program.tables }
        var record: ShuntRules.Settings { model.program.tables.settings[order] }

        /// The text of `root` or `alias`; nil without one.
        package var root: Template? { Template(model, optional: record.root) }
        /// The place of `root` or `alias`; nil without one.
        package var rootPosition: SourcePosition? { tables.rootPositions[record.root] }
        /// True if `root` holds an `alias`.
        package var isAlias: Bool { record.isAlias }
        package var tryFiles: TriedFiles? { TriedFiles(model, optional: record.tryFiles) }
        package var errorPages: ErrorPages? { ErrorPages(model, optional: record.errorPages) }
        /// The headers of `add_header`; nil without any.
        package var headers: AddedHeaders? { AddedHeaders(model, optional: record.headers) }
        /// The rules of `allow` and `deny`; nil without any.
        package var accessRules: AccessRules? { AccessRules(model, optional: record.accessRules) }
        package var proxy: Proxying? { Proxying(model, optional: record.proxy) }
        package var handler: ContentHandler { record.handler }
        /// True if the block itself names the handler.
        package var namesHandler: Bool { record.namesHandler }
        package var isInternal: Bool { record.isInternal }
        /// True if `auth_basic` or `auth_request` holds.
        package var asksForLogin: Bool {
            if !record.consent.isNone, !tables.consents[record.consent].target.isEmpty { return true }
            guard !record.gates.isNone else { return false }
            return Template(model, optional: tables.gates[record.gates].realm)
                .map { $0.constant != Array("off".utf8) } ?? false
        }
        package var mergesSlashes: Bool { record.mergesSlashes }
        package var absoluteRedirect: Bool { record.absoluteRedirect }
        /// The methods of `limit_except`, and the settings for all others; nil without it.
        package var methodLimit: (methods: [[UInt8]], others: Settings)? {
            guard !record.methodLimit.isNone else { return nil }
            let limit = tables.methodLimits[record.methodLimit]
            return (limit.methods, Settings(model, limit.settings))
        }
        /// The steps of the level; nil without any.
        package var sequence: Sequence? {
            record.sequence.isNone ? nil : model.step(record.sequence.position).sequence
        }
    }

    /// `try_files`.
    package struct TriedFiles: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: TryFiles { model.program.tables.tryFiles[order] }

        package var position: SourcePosition { record.position }
        package var candidates: [(name: Template, isDirectory: Bool)] {
            record.candidates.map { (Template(model, $0.name), $0.isDirectory) }
        }
        /// The last resort; nil for `=CODE`.
        package var fallback: Template? { Template(model, optional: record.fallback) }
        /// The code of `=CODE`, else 0.
        package var code: Int { Int(record.code) }
    }

    /// The pages of `error_page` at a level.
    package struct ErrorPages: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: [ErrorPage] { model.program.tables.errorPages[order] }

        package struct Page: Sendable {
            package let code: Int
            package let target: Template
            package let position: SourcePosition
        }

        package var pages: [Page] {
            record.map { Page(code: Int($0.code), target: Template(model, $0.target), position: $0.position) }
        }
    }

    /// The rules of `allow` and `deny` at a level.
    package struct AccessRules: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: [AccessRule] { model.program.tables.accessRules[order] }
        package var rules: [AccessRule] { record }
    }

    /// `proxy_pass`.
    package struct Proxying: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: ProxyTarget { model.program.tables.proxies[order] }

        package var position: SourcePosition { record.position }
        package var target: Template { Template(model, record.template) }
        package var hasVariables: Bool { record.hasVariables }
        /// The URI part as written; empty without one.
        package var path: [UInt8] { Array(model.program.tables.constants[record.path.indices]) }
    }

    /// The headers of `add_header` at a level.
    package struct AddedHeaders: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: [HeaderRule] { model.program.tables.headers[order] }

        package var headers: [(name: [UInt8], value: Template)] {
            record.map { ($0.name, Template(model, $0.value)) }
        }
    }

    package var triedFiles: some RandomAccessCollection<TriedFiles> { parts(of: program.tables.tryFiles) }
    package var errorPages: some RandomAccessCollection<ErrorPages> { parts(of: program.tables.errorPages) }
    package var accessRules: some RandomAccessCollection<AccessRules> { parts(of: program.tables.accessRules) }
    package var proxies: some RandomAccessCollection<Proxying> { parts(of: program.tables.proxies) }
    /// All settings that are in force somewhere.
    package var settings: some RandomAccessCollection<Settings> { parts(of: program.tables.settings) }
}
