/// One `proxy_redirect`: what takes the place of the beginning of a Location, or of all of one that an expression matches.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_redirect
struct RedirectRule: Sendable {
    /// The beginning of a Location; none if an expression has to match.
    var prefix = TemplateIndex.none
    var expression = ExpressionIndex.none
    var replacement: TemplateIndex
    /// Its first value among those of the list that are computed when a request is passed on; -1 where it has none.
    ///
    /// A prefix and its replacement are two values. Of the replacement for an expression each variable is one that is
    /// not a group of the expression.
    var firstValue: Int32 = -1
    /// True if the prefix is a domain: all of it counts, without a dot at its beginning, whatever its case.
    var isDomain = false
}

extension ProgramTables {
    /// The group of an expression that a variable is named after; nil for every other variable.
    func group(named variable: VariableIndex, of expression: ExpressionIndex) -> Int? {
        patternVariables[expression.position].first { $0.variable == variable }.map { Int($0.group) }
    }
}
