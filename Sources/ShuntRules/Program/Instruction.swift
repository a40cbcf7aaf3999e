package import ShuntCore

/// The operation of one instruction of a program.
///
/// The operands are indices into the program's tables.
package enum Operation: UInt8, Sendable {
    /// Ends the sequence.
    case end
    /// `rewrite`: `a` is a `RewriteRule`.
    case rewrite
    /// `return`: `a` is a `ReturnRule`.
    case finish
    /// `set`: `a` is a variable, `b` a template.
    case set
    /// `decode`: `a` is a variable, `b` a template.
    case decode
    /// `encode`: `a` is a variable, `b` a template.
    case encode
    /// `remove_args`: `a` is an `ArgumentList`.
    case removeArguments
    /// `break`.
    case stop
    /// Tests condition `a` and goes to `b` when it is false.
    case test
    /// Tests condition `a` and goes to `b` when it is true.
    case testNot
    /// Goes to `b`.
    case jump
    /// Makes settings `a` current: the body of an `if` in a location.
    case enter
    /// `match`: tests matcher `a` on the URL and goes to `b` when it does not hold.
    case match
    /// `rename_host`: `a` is a `HostRename`.
    case renameHost
    /// `rewrite_url`: `a` is a `URLRewrite`.
    case rewriteURL
    /// `degrade`: `a` is a matcher, `b` the template of the URL.
    case degrade
    /// `block`: `a` is a `BlockRule`.
    case block
    /// `last` in the URL phase: ends the phase.
    case last
    /// `block` and `allow` with a list: `a` is a `ListRule`.
    case listed
    /// `redirects`: `a` is a `RedirectList`, whose rows are the rules.
    case redirects

    /// The table of the first operand of an instruction that reads a URL or a variable, and changes nothing where that
    /// does not hold.
    enum Searched {
        case matchers
        case renames
        case rewrites
        case blocks
        case conditions
        /// None: it only continues elsewhere.
        case nothing
    }

    /// The table of the first operand; nil for an instruction that always does something.
    var searched: Searched? {
        switch self {
        case .match, .degrade: .matchers
        case .renameHost: .renames
        case .rewriteURL: .rewrites
        case .block: .blocks
        case .test, .testNot: .conditions
        case .jump: .nothing
        default: nil
        }
    }

    /// The role of an instruction in lists and counts of rules.
    package enum Role: Sendable {
        /// A rule, which a decision may name as its rule.
        case decides
        /// A rule, which changes what the rules after it see.
        case prepares
        /// No rule: a part of one, or of the order in which they are gone through.
        case controls
    }

    package var role: Role {
        switch self {
        case .rewrite, .removeArguments, .finish, .stop, .renameHost, .rewriteURL, .degrade, .block, .listed:
            .decides
        case .set, .decode, .encode, .match: .prepares
        case .end, .test, .testNot, .jump, .enter, .last, .redirects: .controls
        }
    }
}

/// One step of a sequence: thirty-two bytes, trivial to copy.
struct Instruction: Sendable {
    var operation: Operation
    var a: Operand
    var b: Operand
    /// The chain of like instructions that an index covers; none where there is no such chain.
    var chain = TableIndex<Chain>.none
    /// The place of this instruction in its chain.
    var link: Int32 = 0
    var position = SourcePosition.none

    init(_ operation: Operation, _ a: Operand = .unused, _ b: Operand = .unused) {
        self.operation = operation
        self.a = a
        self.b = b
    }

    init<First>(_ operation: Operation, _ a: TableIndex<First>) { self.init(operation, Operand(a)) }

    init<First, Second>(_ operation: Operation, _ a: TableIndex<First>, _ b: TableIndex<Second>) {
        self.init(operation, Operand(a), Operand(b))
    }

    /// The instruction that one with a jump goes to.
    var target: InstructionIndex { InstructionIndex(b) }
}

/// `rewrite REGEX REPLACEMENT [flag]`, taken apart as nginx does when it loads.
package struct RewriteRule: Sendable {
    /// The place where the sequence continues after a match.
    package enum Flow: UInt8, Sendable {
        /// With the next directive.
        case next
        /// The sequence ends and the location is searched again.
        case last
        /// The sequence ends and the location stays.
        case stop
    }

    var pattern: ExpressionIndex
    /// The place where it is in the rule files; the instruction has it, too, but of a rewrite that an index finds
    /// it is not read.
    var position: SourcePosition
    /// The new path, or for a redirect the whole replacement.
    var target: TemplateIndex
    /// The new arguments: what follows the first literal `?`; none without one or for a redirect.
    var arguments = TemplateIndex.none
    /// 301 or 302 for a redirect, 0 for an internal rewrite.
    var status: Int32 = 0
    /// True if the old arguments are appended.
    var keepsArguments = true
    /// True if the replacement has a literal `?`, so that old arguments follow an `&`.
    var hasQuestionMark = false
    var flow = Flow.next
}

/// `return`, in one of its forms.
package struct ReturnRule: Sendable {
    /// The form of the response.
    package enum Form: UInt8, Sendable {
        /// 301, 302, 303, 307 and 308: the text is the Location.
        case redirect
        /// A status with a body, sent at once.
        case send
        /// A status of 400 and above without a text: `error_page` may take it.
        case error
    }

    var status: Int32
    /// The text; none where there is no text.
    var text: TemplateIndex
    var form: Form
}

/// One test of an `if`.
package struct Condition: Sendable {
    package enum Kind: UInt8, Sendable {
        /// The variable is neither empty nor `0`.
        case truthy
        /// The variable equals the template, byte by byte.
        case equal
        /// The variable matches the pattern.
        case matches
        /// `-f`: the template names a regular file.
        case isFile
        /// `-d`.
        case isDirectory
        /// `-e`.
        case exists
        /// `-x`.
        case isExecutable
        /// `<`, as versions.
        case less
        /// `<=`, as versions.
        case lessOrEqual
        /// `>`, as versions.
        case greater
        /// `>=`, as versions.
        case greaterOrEqual
    }

    /// The kind of values that `<`, `<=`, `>` and `>=` compare.
    package enum Comparison: Sendable {
        /// Versions: the variable and the template.
        case version
        /// Moments: the variable and this one.
        case moment(Timestamp)
        /// Times of day: the variable and this one, in seconds.
        case timeOfDay(Int64)
    }

    var kind: Kind
    /// True if the outcome is turned round (`!=`, `!~`, `!-f`).
    var isNegated = false
    /// The variable on the left; none for file tests.
    var variable = VariableIndex.none
    /// The template on the right; none for `truthy` and `matches`.
    var template = TemplateIndex.none
    /// The regular expression; none for all but `matches`.
    var pattern = ExpressionIndex.none
    /// The kind of values that `<`, `<=`, `>` and `>=` compare.
    var comparison = Comparison.version
    /// The nanoseconds that the variable rounds the clock down to, where it is the clock; 0 for any other variable.
    var clockUnit: Int32 = 0
    /// The version on the right, where it is a constant and short.
    var version: ShortVersion?
}
