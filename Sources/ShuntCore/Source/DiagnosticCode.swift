/// The kinds of problems in rule files, lists, routes, files of app links, and modules: the names that stand in brackets after a message.
///
/// `docs/diagnostics.md` has a line for each.
package enum DiagnosticCode: String, Sendable, CaseIterable {
    // MARK: Files and text

    case unreadableFile = "unreadable-file"
    case notAFile = "not-a-file"
    case outsideRuleDirectory = "outside-rule-directory"
    case includeLoop = "include-loop"
    case includeTooDeep = "include-too-deep"
    case noRuleFiles = "no-rule-files"
    case skippedFile = "skipped-file"
    case tooManyFiles = "too-many-files"
    case tooMuchText = "too-much-text"
    case tooManyWords = "too-many-words"
    case moreErrors = "more-errors"
    case related
    case byteOrderMark = "byte-order-mark"
    case invalidUTF8 = "invalid-utf-8"
    case controlByte = "control-byte"
    case bidirectionalControl = "bidirectional-control"
    case unseenCharacter = "unseen-character"
    case unusualQuote = "unusual-quote"
    case mixedAlphabets = "mixed-alphabets"

    // MARK: Structure

    case missingSemicolon = "missing-semicolon"
    case unexpectedSemicolon = "unexpected-semicolon"
    case unclosedQuote = "unclosed-quote"
    case unexpectedCharacter = "unexpected-character"
    case unquotedBrace = "unquoted-brace"
    case wordTooLong = "word-too-long"
    case unclosedBlock = "unclosed-block"
    case unexpectedBrace = "unexpected-brace"
    case nestingTooDeep = "nesting-too-deep"
    case missingBlock = "missing-block"
    case unexpectedBlock = "unexpected-block"
    case unknownDirective = "unknown-directive"
    case misplacedDirective = "misplaced-directive"
    case unsupportedDirective = "unsupported-directive"
    case ignoredDirective = "ignored-directive"
    case ignoredDirectives = "ignored-directives"
    case ignoredDecision = "ignored-decision"
    case notServed = "not-served"
    case onlyServed = "only-served"
    case argumentCount = "argument-count"
    case unexpectedArgument = "unexpected-argument"
    case duplicateDirective = "duplicate-directive"
    case invalidFlag = "invalid-flag"
    case invalidNumber = "invalid-number"
    case invalidValue = "invalid-value"
    case invalidParameter = "invalid-parameter"
    case invalidNote = "invalid-note"

    // MARK: Conditions, matchers and expressions

    case invalidRegex = "invalid-regex"
    case slowRegex = "slow-regex"
    case emptyRegex = "empty-regex"
    case missingCapture = "missing-capture"
    case unclosedVariable = "unclosed-variable"
    case invalidVariableName = "invalid-variable-name"
    case unknownVariable = "unknown-variable"
    case externalVariable = "external-variable"
    case duplicateVariable = "duplicate-variable"
    case invalidCondition = "invalid-condition"
    case nestingLimit = "nesting-limit"
    case elseWithoutIf = "else-without-if"
    case unexpectedElse = "unexpected-else"
    case invalidVersion = "invalid-version"
    case invalidDate = "invalid-date"
    case invalidZone = "invalid-zone"
    case neverADate = "never-a-date"
    case neverBetween = "never-between"
    case neverEqual = "never-equal"
    case neverMatches = "never-matches"
    case neverReached = "never-reached"
    case unreachableRule = "unreachable-rule"
    case missingMatcher = "missing-matcher"
    case unknownMatcher = "unknown-matcher"
    case emptyReplacement = "empty-replacement"
    case missingTarget = "missing-target"
    case invalidURL = "invalid-url"
    case invalidCode = "invalid-code"

    // MARK: Servers, locations and upstreams

    case invalidAddress = "invalid-address"
    case unknownAddress = "unknown-address"
    case duplicateListen = "duplicate-listen"
    case duplicateListenOptions = "duplicate-listen-options"
    case tooManyListens = "too-many-listens"
    case tooManyNames = "too-many-names"
    case conflictingName = "conflicting-name"
    case suspiciousName = "suspicious-name"
    case invalidHost = "invalid-host"
    case impossibleHost = "impossible-host"
    case duplicateLocation = "duplicate-location"
    case locationModifier = "location-modifier"
    case locationNesting = "location-nesting"
    case invalidMethod = "invalid-method"
    case misplacedAlias = "misplaced-alias"
    case recursiveRoot = "recursive-root"
    case invalidIndex = "invalid-index"
    case absoluteIndex = "absolute-index"
    case duplicateExtension = "duplicate-extension"
    case missingCode = "missing-code"
    case invalidHeaderName = "invalid-header-name"
    case invalidURLPrefix = "invalid-url-prefix"
    case misplacedURIPart = "misplaced-uri-part"
    case misplacedDefault = "misplaced-default"
    case upstreamPort = "upstream-port"
    case unknownHost = "unknown-host"
    case duplicateUpstream = "duplicate-upstream"
    case emptyUpstream = "empty-upstream"
    case unsupportedBackup = "unsupported-backup"
    case unusedBalancing = "unused-balancing"
    case missingZone = "missing-zone"
    case unknownZone = "unknown-zone"
    case duplicateZone = "duplicate-zone"
    case duplicateLimit = "duplicate-limit"
    case mixedSecureLink = "mixed-secure-link"
    case invalidReferer = "invalid-referer"
    case duplicateReferer = "duplicate-referer"
    case missingReferers = "missing-referers"
    case unknownLogFormat = "unknown-log-format"
    case duplicateLogFormat = "duplicate-log-format"
    case unloggedVariable = "unlogged-variable"
    case unwrittenLog = "unwritten-log"
    case uncompressedLog = "uncompressed-log"

    // MARK: Tables and lists

    case invalidMapEntry = "invalid-map-entry"
    case duplicateKey = "duplicate-key"
    case duplicateDefault = "duplicate-default"
    case tooManyKeys = "too-many-keys"
    case invalidGeoEntry = "invalid-geo-entry"
    case lowAddressBits = "low-address-bits"
    case duplicateNetwork = "duplicate-network"
    case unknownNetwork = "unknown-network"
    case misplacedRanges = "misplaced-ranges"
    case invalidRange = "invalid-range"
    case overlappingRange = "overlapping-range"
    case unknownRange = "unknown-range"
    case invalidShare = "invalid-share"
    case invalidPercent = "invalid-percent"
    case percentTotal = "percent-total"
    case constantShare = "constant-share"
    case invalidArgumentName = "invalid-argument-name"
    case duplicateArgument = "duplicate-argument"
    case constantSource = "constant-source"
    case invalidOption = "invalid-option"
    case invalidList = "invalid-list"
    case invalidRows = "invalid-rows"
    case redirectChain = "redirect-chain"
    case emptyList = "empty-list"
    case everyoneListed = "everyone-listed"
    case deniedInAllowList = "denied-in-allow-list"

    // MARK: Tests in rules

    case missingDecision = "missing-decision"
    case unknownDecision = "unknown-decision"
    case extraArgument = "extra-argument"
    case missingRoute = "missing-route"
    case invalidStatus = "invalid-status"
    case invalidRequest = "invalid-request"
    case unknownEntry = "unknown-entry"
    case unknownInput = "unknown-input"
    case unknownRule = "unknown-rule"
    case tooManyEntries = "too-many-entries"
    case tooManyExpectations = "too-many-expectations"
    case slowExpectations = "slow-expectations"
    case unmetExpectation = "unmet-expectation"
    case invalidTest = "invalid-test"

    // MARK: Routes

    case invalidRoute = "invalid-route"
    case routePattern = "route-pattern"
    case routeMethod = "route-method"
    case invalidPriority = "invalid-priority"
    case invalidDefault = "invalid-default"
    case routeDefault = "route-default"
    case unusedDefault = "unused-default"
    case invalidRouting = "invalid-routing"
    case routingTwice = "routing-twice"
    case aliasValues = "alias-values"
    case foreignSyntax = "foreign-syntax"
    case duplicateRoute = "duplicate-route"
    case ambiguousRoute = "ambiguous-route"
    case unorderedConstraints = "unordered-constraints"
    case shadowedRoute = "shadowed-route"
    case tableTooComplex = "table-too-complex"
    case tooManyRoutes = "too-many-routes"
    case routeWithoutHandler = "route-without-handler"
    case routeGeneration = "route-generation"
    case routeList = "route-list"
    case noRoutes = "no-routes"
    case noRules = "no-rules"

    // MARK: Files of app links

    case json
    case wrongType = "type"
    case missing
    case unknownMember = "unknown-member"
    case empty
    case tooLarge = "too-large"
    case apps
    case appIdentifier = "app-identifier"
    case oldestForm = "oldest-form"
    case variable
    case unusedVariable = "unused-variable"
    case queryValue = "query-value"
    case unreachable
    case opensNothing = "opens-nothing"
    case otherSyntax = "other-syntax"
    case include
    case relation
    case namespace
    case package
    case fingerprint
    case site
    case componentsTwice = "components-twice"
    case rulesDiscarded = "rules-discarded"
    case xml
    case path
    case placeholder
    case pattern
    case proof
    case unreadable

    // MARK: Modules and links

    case duplicateModule = "duplicate-module"
    case duplicateService = "duplicate-service"
    case duplicateAction = "duplicate-action"
    case missingService = "missing-service"
    case missingAction = "missing-action"
    case remoteBase = "remote-base"
    case remoteAction = "remote-action"
    case dependencyCycle = "dependency-cycle"
    case unusedService = "unused-service"
    case level
    case contractConflict = "contract-conflict"
    case notEncodable = "not-encodable"
    case slotsTooDeep = "slots-too-deep"
    case listInSlot = "list-in-slot"
    case slotInput = "slot-input"
    case openProxy = "open-proxy"
    case closedSlot = "closed-slot"
    case unknownContract = "unknown-contract"
    case unreachableAddress = "unreachable-address"
    case first
    case catalog
    case deadLink = "dead-link"
    case formatDiffers = "format-differs"
}
