package import ShuntPatterns

extension RuleModel {
    /// `rewrite REGEX REPLACEMENT [flag]`.
    package struct PathRewrite: Sendable {
        package let expression: Expression
        /// The new path, or for a redirect the whole replacement.
        package let target: Template
        /// The new arguments; nil without any, and for a redirect.
        package let arguments: Template?
        /// 301 or 302 for a redirect, 0 for an internal rewrite.
        package let status: Int
        /// True if the old arguments are appended.
        package let keepsArguments: Bool
        package let flow: RewriteRule.Flow

        init(_ model: RuleModel, _ rule: RewriteRule) {
            expression = Expression(model, rule.pattern)
            target = Template(model, rule.target)
            arguments = Template(model, optional: rule.arguments)
            status = Int(rule.status)
            keepsArguments = rule.keepsArguments
            flow = rule.flow
        }
    }

    /// `rewrite_url REGEX REPLACEMENT [flag]`.
    package struct URLRewriting: Sendable {
        package let expression: Expression
        package let target: Template
        /// A redirect's status, else 0.
        package let status: Int
        package let flow: RewriteRule.Flow

        init(_ model: RuleModel, _ rule: URLRewrite) {
            expression = Expression(model, rule.pattern)
            target = Template(model, rule.target)
            status = Int(rule.status)
            flow = rule.flow
        }
    }

    /// `return`.
    package struct FixedAnswer: Sendable {
        package let status: Int
        package let text: Template?
        package let form: ReturnRule.Form

        init(_ model: RuleModel, _ rule: ReturnRule) {
            status = Int(rule.status)
            text = Template(model, optional: rule.text)
            form = rule.form
        }
    }

    /// `rename_host FROM TO`.
    package struct HostRenaming: Sendable {
        package let matcher: URLMatcher
        /// The name that is replaced; nil for an expression.
        package let name: HostNamePattern?
        /// The new host, without the `*` of a wildcard.
        package let target: Template

        init(_ model: RuleModel, _ rule: HostRename) {
            matcher = URLMatcher(model, rule.matcher)
            name = rule.name.isNone ? nil : model.program.tables.hostNames[rule.name]
            target = Template(model, rule.target)
        }
    }

    /// `block MATCHER [STATUS]` and `blocklist FILE [STATUS]`.
    package struct Blocking: Sendable {
        /// The matcher; nil for a list.
        package let matcher: URLMatcher?
        /// The hosts of the list; nil for a matcher.
        package let hosts: HostTable?
        package let status: Int

        init(_ model: RuleModel, _ rule: BlockRule) {
            matcher = URLMatcher(model, optional: rule.matcher)
            hosts = rule.list.isNone ? nil : model.program.tables.lists[rule.list]
            status = Int(rule.status)
        }

        /// Returns true if the rule names a host, or a name that has it below it; `host` is in lower case.
        package func names(_ host: Span<UInt8>) -> Bool {
            if let hosts { return hosts.contains(host) }
            return matcher?.names(host) ?? false
        }
    }

    /// The matcher of a rule on whole URLs.
    package struct URLMatcher: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: Matcher { model.program.tables.matchers[order] }

        package var kind: Matcher.Kind { record.kind }
        package var spelling: Matcher.Spelling { record.spelling }
        /// The expression for the URL; nil for hosts.
        package var expression: Expression? { Expression(model, optional: record.pattern) }
        package var hostNames: some RandomAccessCollection<HostNamePattern> {
            record.names.lazy.map { model.program.tables.hostNames[$0] }
        }
        package var hostExpressions: some RandomAccessCollection<Expression> {
            record.hostPatterns.lazy.map { Expression(model, model.program.tables.hostPatterns[$0]) }
        }

        /// Returns true if a host, in lower case, is one of the names; expressions are not tried.
        package func names(_ host: Span<UInt8>) -> Bool {
            record.names.contains { model.program.tables.hostNames[$0].matches(host) }
        }
    }

    /// `block` or `allow` with a list.
    package struct ListedEntries: Sendable {
        package let entries: EntryList
        /// The status; 0 if what is listed passes the lists after it.
        package let status: Int

        init(_ tables: ProgramTables, _ rule: ListRule) {
            entries = tables.entryLists[rule.entries]
            status = Int(rule.status)
        }
    }
}
