import ShuntPatterns

/// The matcher of a rule of the URL phase: the one grammar of `block`, `degrade` and `match`.
package struct Matcher: Sendable {
    package enum Kind: UInt8, Sendable {
        /// `host NAME…`: the host is one of the names, or matches one of the expressions.
        case host
        /// `= URL`, `^~ PREFIX`, `~ REGEX`, `~* REGEX`: the whole URL matches the pattern.
        case url
    }

    /// The spellings of a URL that the expression of `.url` is matched with.
    package enum Spelling: UInt8, Sendable {
        /// The URL as it is written.
        case written
        /// The URL as it is written, and its normal form.
        case both
        /// The normal form.
        case normal
    }

    var kind: Kind
    /// For `.url`.
    var spelling = Spelling.written
    /// The host names, as a range of the program's `hostNames`.
    var names: Range<Int>
    /// The regular expressions for hosts, as a range of the program's `hostPatterns`.
    var hostPatterns: Range<Int>
    /// The regular expression for the URL; none for hosts.
    var pattern: ExpressionIndex
}

/// `rename_host FROM TO`.
struct HostRename: Sendable {
    var matcher: MatcherIndex
    /// The name that is replaced, an entry of the program's `hostNames`; none for a regular expression.
    var name: TableIndex<HostNamePattern>
    /// The new host, without the `*` of a wildcard.
    var target: TemplateIndex
}

/// `rewrite_url REGEX REPLACEMENT [flag]`.
struct URLRewrite: Sendable {
    var pattern: ExpressionIndex
    var target: TemplateIndex
    /// The beginning, if the target only replaces the beginning of the URL; nil for other targets.
    var beginning: URLBeginning?
    /// A redirect's status, else 0.
    var status: Int32
    var flow: RewriteRule.Flow
}

/// `block MATCHER [STATUS]` and `blocklist FILE [STATUS]`.
struct BlockRule: Sendable {
    /// The matcher; none for a list.
    var matcher: MatcherIndex
    /// The list; none for a matcher.
    var list: TableIndex<HostTable>
    var status: Int32
}

/// `block` or `allow` with a list.
struct ListRule: Sendable {
    var entries: TableIndex<EntryList>
    /// The status; 0 if what is listed passes the lists after it.
    var status: Int32
}

/// Consecutive rules that one index covers: the first of them that can apply is found without trying those before.
///
/// The rules are siblings, so a rule that does not apply is followed by the next link, and the last by `end`.
struct Chain: Sendable {
    /// The subject of the links.
    enum Subject: UInt8, Sendable {
        /// `rewrite`: the path.
        case path
        /// Rules of the URL phase: the URL and its host.
        case url
        /// `if` on one variable.
        case variable
        /// Tests of one variable that all go to one place when their expressions match, as in `$url !~ a && $url !~ b`.
        case exclusion
    }

    var subject: Subject
    /// The variable of `.variable` and `.exclusion`.
    var variable = VariableIndex.none
    /// The instruction of each link.
    var links: [InstructionIndex]
    /// The instruction after the last link.
    var end: InstructionIndex
    /// Host names, each with its link.
    var hosts: HostTable?
    /// Expressions on the host and the link of each.
    var hostPatterns: PatternIndex?
    var hostPatternLinks: [Int32] = []
    /// Expressions on the URL, the path or the variable.
    var patterns: PatternIndex?
    /// For the URL, the link of each expression: only some of the links have one.
    var patternLinks: [Int32] = []
    /// For the variable, where each link has one, the number of each expression in the program.
    var patternNumbers: [ExpressionIndex] = []
    /// True if some of the expressions are matched with the normal form of the URL, too.
    var seesNormalForm = false
    /// Values that a variable is compared with.
    var values: ByteTable?
    /// For each value of `values`, its links in order.
    var valueLinks: [[Int32]] = []
}
