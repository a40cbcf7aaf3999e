package import ShuntCore

extension RuleModel {
    /// The settings in force in a server, a location, the body of an `if` or of a `limit_except`: inheritance is resolved.
    package struct Settings: RulePart {
        package let model: RuleModel
        package let order: Int

        init(_ model: RuleModel, _ index: SettingsIndex) {
            self.model = model
            order = index.position
        }

        private var tables: ProgramTables { model.program.tables }
        private var settings: ShuntRules.Settings { model.program.tables.settings[order] }

        /// The text of `root` or `alias`; nil without one.
        package var root: Template? { Template(model, optional: settings.root) }
        /// The place of `root` or `alias`; nil without one.
        package var rootPosition: SourcePosition? { tables.rootPositions[settings.root] }
        /// True if `root` holds an `alias`.
        package var isAlias: Bool { settings.isAlias }
        package var tryFiles: TriedFiles? { settings.tryFiles.isNone ? nil : TriedFiles(model, settings.tryFiles) }
        package var errorPages: ErrorPages? {
            settings.errorPages.isNone ? nil : ErrorPages(model, settings.errorPages)
        }
        /// The headers of `add_header`; nil without any.
        package var headers: AddedHeaders? { settings.headers.isNone ? nil : AddedHeaders(model, settings.headers) }
        /// The rules of `allow` and `deny`; nil without any.
        package var accessRules: AccessRules? {
            settings.accessRules.isNone ? nil : AccessRules(model, settings.accessRules)
        }
        package var proxy: Proxying? { settings.proxy.isNone ? nil : Proxying(model, settings.proxy) }
        package var handler: ContentHandler { settings.handler }
        /// True if the block itself names the handler.
        package var namesHandler: Bool { settings.namesHandler }
        package var isInternal: Bool { settings.isInternal }
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
    package struct TriedFiles: RulePart {
        package let model: RuleModel
        package let order: Int
        package let position: SourcePosition
        package let candidates: [(name: Template, isDirectory: Bool)]
        /// The last resort; nil for `=CODE`.
        package let fallback: Template?
        /// The code of `=CODE`, else 0.
        package let code: Int

        init(_ model: RuleModel, _ index: TableIndex<TryFiles>) {
            let rule = model.program.tables.tryFiles[index]
            self.model = model
            order = index.position
            position = rule.position
            candidates = rule.candidates.map { (Template(model, $0.name), $0.isDirectory) }
            fallback = Template(model, optional: rule.fallback)
            code = Int(rule.code)
        }
    }

    /// The pages of `error_page` at a level.
    package struct ErrorPages: RulePart {
        package let model: RuleModel
        package let order: Int

        init(_ model: RuleModel, _ index: TableIndex<[ErrorPage]>) {
            self.model = model
            order = index.position
        }

        /// One page for one code.
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
    package struct AccessRules: RulePart {
        package let model: RuleModel
        package let order: Int

        init(_ model: RuleModel, _ index: TableIndex<[AccessRule]>) {
            self.model = model
            order = index.position
        }

        package var rules: [AccessRule] { model.program.tables.accessRules[order] }
    }

    /// `proxy_pass`.
    package struct Proxying: RulePart {
        package let model: RuleModel
        package let order: Int
        package let position: SourcePosition
        /// The whole URL.
        package let target: Template
        /// True if the target has variables.
        package let hasVariables: Bool
        /// The URI part as written; empty without one.
        package let path: [UInt8]

        init(_ model: RuleModel, _ index: TableIndex<ProxyTarget>) {
            let proxy = model.program.tables.proxies[index]
            self.model = model
            order = index.position
            position = proxy.position
            target = Template(model, proxy.template)
            hasVariables = proxy.hasVariables
            path = Array(model.program.tables.constants[proxy.path.indices])
        }
    }

    /// The headers of `add_header` at a level.
    package struct AddedHeaders: RulePart {
        package let model: RuleModel
        package let order: Int

        init(_ model: RuleModel, _ index: TableIndex<[HeaderRule]>) {
            self.model = model
            order = index.position
        }

        package var headers: [(name: [UInt8], value: Template)] {
            model.program.tables.headers[order].map { ($0.name, Template(model, $0.value)) }
        }
    }

    /// The `try_files` of the rules.
    package var triedFiles: [TriedFiles] {
        program.tables.tryFiles.indices.map { TriedFiles(self, TableIndex($0)) }
    }
    /// The lists of `error_page`.
    package var errorPages: [ErrorPages] {
        program.tables.errorPages.indices.map { ErrorPages(self, TableIndex($0)) }
    }
    /// The lists of `allow` and `deny`.
    package var accessRules: [AccessRules] {
        program.tables.accessRules.indices.map { AccessRules(self, TableIndex($0)) }
    }
    package var proxies: [Proxying] { program.tables.proxies.indices.map { Proxying(self, TableIndex($0)) } }
    /// All settings that are in force somewhere.
    package var settings: some RandomAccessCollection<Settings> {
        program.tables.settings.indices.lazy.map { [self] in Settings(self, SettingsIndex($0)) }
    }
}
