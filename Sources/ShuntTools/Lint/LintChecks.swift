import ShuntCore

extension LintCheck {
    /// All checks, by their groups.
    package static let all = [order, cycles, security, expressions, nginx, upkeep, server].flatMap { $0 }

    package static func named(_ id: String) -> LintCheck? { all.first { $0.id == id } }

    private static let order: [LintCheck] = [
        LintCheck("unreachable-rule", .order, severity: .warning, basis: .proof) {
            $0.dead.findings(.unreachable) + $0.handlersAfterReturn() + $0.takenRows()
        },
        LintCheck("duplicate-rule", .order, severity: .warning, basis: .proof) { $0.dead.findings(.duplicate) },
        LintCheck("conflicting-rule", .order, severity: .warning, basis: .proof) { $0.dead.findings(.conflict) },
        LintCheck("never-matches", .order, severity: .warning, basis: .proof) { $0.neverMatches() },
        LintCheck("query-in-path", .order, severity: .warning, basis: .witness) { $0.queryInPath() },
        LintCheck("impossible-text", .order, severity: .warning, basis: .structure) { $0.impossibleText() },
        LintCheck("dead-branch", .order, severity: .warning, basis: .proof) { $0.deadBranch() },
        LintCheck("dead-map-entry", .order, severity: .warning, basis: .proof) { $0.deadMapEntry() },
        LintCheck("matches-everything", .order, severity: .warning, basis: .proof) { $0.matchesEverything() },
        LintCheck("unreachable-location", .order, severity: .warning, basis: .proof) { $0.unreachableLocation() },
        LintCheck("unreachable-server", .order, severity: .warning, basis: .proof) { $0.unreachableServer() },
        LintCheck("dead-access-rule", .order, severity: .warning, basis: .proof) { $0.deadAccessRule() },
        LintCheck("unused-definition", .order, severity: .note, basis: .structure) { $0.unusedDefinition() },
        LintCheck("too-wide", .order, severity: .warning, basis: .proof) { $0.tooWide() },
        LintCheck("shadowed-part", .order, severity: .note, basis: .witness, isUsual: false) { $0.shadowedPart() },
    ]

    private static let cycles: [LintCheck] = [
        LintCheck("redirect-loop", .cycles, severity: .error, basis: .witness) { $0.redirectLoop() },
        LintCheck("redirect-to-self", .cycles, severity: .error, basis: .witness) { $0.redirectToSelf() },
        LintCheck("growing-redirect", .cycles, severity: .error, basis: .witness) { $0.growingRedirect() },
        LintCheck("redirect-chain", .cycles, severity: .warning, basis: .witness) { $0.redirectChain() },
        LintCheck("rewrite-cycle", .cycles, severity: .error, basis: .witness) { $0.rewriteCycle() },
        LintCheck("value-growth", .cycles, severity: .error, basis: .witness) { $0.valueGrowth() },
        LintCheck("variable-cycle", .cycles, severity: .error, basis: .proof) { $0.variableCycle() },
        LintCheck("rename-cycle", .cycles, severity: .warning, basis: .witness) { $0.renameCycle() },
        LintCheck("error-page-cycle", .cycles, severity: .error, basis: .witness) { $0.errorPageCycle() },
    ]

    private static let security: [LintCheck] = [
        LintCheck("other-spelling", .security, severity: .warning, basis: .witness) { $0.otherSpelling() },
        LintCheck("open-redirect", .security, severity: .error, basis: .witness) { $0.openRedirect() },
        LintCheck("authority-not-closed", .security, severity: .error, basis: .witness) { $0.authorityNotClosed() },
        LintCheck("open-redirect-slashes", .security, severity: .note, basis: .witness) { $0.openRedirectSlashes() },
        LintCheck("host-spoofing", .security, severity: .warning, basis: .witness) { $0.hostSpoofing() },
        LintCheck("https-downgrade", .security, severity: .warning, basis: .witness) { $0.httpsDowngrade() },
        LintCheck("http-splitting", .security, severity: .note, basis: .witness) { $0.httpSplitting() },
        LintCheck("unescaped-capture-in-query", .security, severity: .warning, basis: .witness) {
            $0.unescapedCaptureInQuery()
        },
        LintCheck("unescaped-capture-in-path", .security, severity: .warning, basis: .witness) {
            $0.unescapedCaptureInPath()
        },
        LintCheck("ssrf", .security, severity: .error, basis: .witness) { $0.ssrf() },
        LintCheck("alias-traversal", .security, severity: .error, basis: .witness) { $0.aliasTraversal() },
        LintCheck("filesystem-root-exposure", .security, severity: .error, basis: .structure) {
            $0.filesystemRootExposure()
        },
        LintCheck("unsafe-origin", .security, severity: .error, basis: .witness) { $0.unsafeOrigin() },
        LintCheck("unanchored-check", .security, severity: .warning, basis: .witness) { $0.unanchoredCheck() },
        LintCheck("unescaped-dot", .security, severity: .warning, basis: .witness) { $0.unescapedDot() },
        LintCheck("dot-stops-at-newline", .security, severity: .warning, basis: .witness) { $0.dotStopsAtNewline() },
        LintCheck("prefix-without-slash", .security, severity: .warning, basis: .witness) { $0.prefixWithoutSlash() },
        LintCheck("exact-guard", .security, severity: .warning, basis: .witness) { $0.exactGuard() },
        LintCheck("case-bypass", .security, severity: .note, basis: .witness) { $0.caseBypass() },
        LintCheck("block-before-rename", .security, severity: .warning, basis: .witness) { $0.blockBeforeRename() },
        LintCheck("blocks-own-host", .security, severity: .error, basis: .witness) { $0.blocksOwnHost() },
        LintCheck("return-bypasses-access", .security, severity: .error, basis: .witness) { $0.returnBypassesAccess() },
        LintCheck("allow-without-deny", .security, severity: .warning, basis: .witness) { $0.allowWithoutDeny() },
        LintCheck("login-never-asked", .security, severity: .warning, basis: .structure) { $0.loginNeverAsked() },
        LintCheck("trusted-client-header", .security, severity: .warning, basis: .witness) {
            $0.trustedClientHeader()
        },
        LintCheck("weak-referer-check", .security, severity: .warning, basis: .structure) { $0.weakRefererCheck() },
        LintCheck("split-key-client-controlled", .security, severity: .warning, basis: .proof) {
            $0.splitKeyClientControlled()
        },
        LintCheck("split-key-missing", .security, severity: .warning, basis: .structure) { $0.splitKeyMissing() },
        LintCheck("permanent-in-condition", .security, severity: .warning, basis: .proof) { $0.permanentInCondition() },
        LintCheck("secret-in-rules", .security, severity: .note, basis: .structure) { $0.secretInRules() },
        LintCheck("mixed-script-host", .security, severity: .warning, basis: .structure) { $0.mixedScriptHost() },
        LintCheck("proxy-pass-normalized", .security, severity: .note, basis: .witness) { $0.proxyPassNormalized() },
        LintCheck("origin-reflection", .security, severity: .error, basis: .witness) { $0.originReflection() },
        LintCheck("public-suffix-block", .security, severity: .warning, basis: .structure) { $0.publicSuffixBlock() },
    ]

    private static let expressions: [LintCheck] = [
        LintCheck("slow-expression", .expressions, severity: .warning, basis: .structure) { $0.slowExpression() },
        LintCheck("regex-redos", .expressions, severity: .error, basis: .witness) { $0.regexRedos() },
        LintCheck("vacuous-lookaround", .expressions, severity: .warning, basis: .proof) { $0.vacuousLookaround() },
        LintCheck("redundant-alternative", .expressions, severity: .note, basis: .proof) { $0.redundantAlternative() },
        LintCheck("suspicious-class", .expressions, severity: .warning, basis: .proof) { $0.suspiciousClass() },
        LintCheck("could-be-exact", .expressions, severity: .note, basis: .proof) { $0.couldBeExact() },
        LintCheck("could-be-prefix", .expressions, severity: .note, basis: .proof) { $0.couldBePrefix() },
        LintCheck("unused-group", .expressions, severity: .note, basis: .structure) { $0.unusedGroup() },
        LintCheck("missing-group", .expressions, severity: .warning, basis: .structure) { $0.missingGroup() },
        LintCheck("clobbered-capture", .expressions, severity: .warning, basis: .witness) { $0.clobberedCapture() },
        LintCheck("leading-dotstar", .expressions, severity: .note, basis: .proof) { $0.leadingDotstar() },
        LintCheck("trailing-dotstar", .expressions, severity: .note, basis: .proof) { $0.trailingDotstar() },
        LintCheck("overlapping-captures", .expressions, severity: .note, basis: .structure, onlyFor: .nginx) {
            $0.overlappingCaptures()
        },
        LintCheck("unnamed-groups", .expressions, severity: .note, basis: .structure, onlyFor: .nginx) {
            $0.unnamedGroups()
        },
        LintCheck("unescaped-question-mark", .expressions, severity: .warning, basis: .structure) {
            $0.unescapedQuestionMark()
        },
    ]

    private static let nginx: [LintCheck] = [
        LintCheck("if-is-evil", .nginx, severity: .warning, basis: .structure) { $0.ifIsEvil() },
        LintCheck("add-header-redefinition", .nginx, severity: .note, basis: .structure) {
            $0.redefined("add_header") + $0.redefined("add_trailer")
        },
        LintCheck("error-page-redefinition", .nginx, severity: .note, basis: .structure) { $0.redefinedErrorPages() },
        LintCheck("add-header-content-type", .nginx, severity: .note, basis: .structure) { $0.addHeaderContentType() },
        LintCheck("add-header-multiline", .nginx, severity: .note, basis: .structure) { $0.addHeaderMultiline() },
        LintCheck("hash-without-default", .nginx, severity: .warning, basis: .structure) { $0.hashWithoutDefault() },
        LintCheck("implicit-redirect", .nginx, severity: .note, basis: .structure) { $0.implicitRedirect() },
        LintCheck("soft-error", .nginx, severity: .note, basis: .structure) { $0.softError() },
        LintCheck("mixed-case-variable", .nginx, severity: .note, basis: .structure) { $0.mixedCaseVariable() },
        LintCheck("default-server-missing", .nginx, severity: .warning, basis: .witness) { $0.defaultServerMissing() },
        LintCheck("rewrite-appends-query", .nginx, severity: .note, basis: .witness) { $0.rewriteAppendsQuery() },
        LintCheck("doubled-slash", .nginx, severity: .warning, basis: .structure) { $0.doubledSlash() },
        LintCheck("missing-slash", .nginx, severity: .warning, basis: .structure) { $0.missingSlash() },
        LintCheck("lost-path", .nginx, severity: .warning, basis: .structure) { $0.lostPath() },
        LintCheck("impossible-scheme", .nginx, severity: .warning, basis: .structure) { $0.impossibleScheme() },
        LintCheck("internal-port", .nginx, severity: .note, basis: .structure) { $0.internalPort() },
        LintCheck("proxy-address-rule", .nginx, severity: .note, basis: .structure) { $0.proxyAddressRule() },
        LintCheck("regex-before-prefix", .nginx, severity: .note, basis: .witness, isUsual: false) {
            $0.regexBeforePrefix()
        },
        LintCheck("try-files-with-alias", .nginx, severity: .warning, basis: .witness) { $0.tryFilesWithAlias() },
        LintCheck("limit-except-bypass", .nginx, severity: .warning, basis: .witness) { $0.limitExceptBypass() },
        LintCheck("alias-without-slash", .nginx, severity: .warning, basis: .witness) { $0.aliasWithoutSlash() },
        LintCheck("joined-upstream-path", .nginx, severity: .warning, basis: .witness) { $0.joinedUpstreamPath() },
    ]

    private static let upkeep: [LintCheck] = [
        LintCheck("past-window", .upkeep, severity: .warning, basis: .proof) { $0.pastWindow() },
        LintCheck("future-window", .upkeep, severity: .note, basis: .proof) { $0.futureWindow() },
        LintCheck("expired-note", .upkeep, severity: .warning, basis: .structure) { $0.expiredNote() },
        LintCheck("unused-allow", .upkeep, severity: .warning, basis: .structure) { _ in [] },
        LintCheck("unknown-note", .upkeep, severity: .warning, basis: .structure) { _ in [] },
        LintCheck("never-hit", .upkeep, severity: .warning, basis: .structure) { $0.neverHit() },
        LintCheck("untested-rule", .upkeep, severity: .note, basis: .structure, isUsual: false) { $0.untestedRule() },
        LintCheck("duplicate-test", .upkeep, severity: .note, basis: .structure) { $0.duplicateTest() },
        LintCheck("test-of-dead-rule", .upkeep, severity: .note, basis: .proof) { $0.testOfDeadRule() },
        LintCheck("list-overlap", .upkeep, severity: .note, basis: .proof) { $0.listOverlap() },
    ]

    private static let server: [LintCheck] = [
        LintCheck("weak-ssl-tls", .server, severity: .error, basis: .structure) { $0.weakTLS() },
        LintCheck("proxy-set-header-redefinition", .server, severity: .warning, basis: .structure) {
            $0.redefined("proxy_set_header")
        },
        LintCheck("hsts-header", .server, severity: .note, basis: .structure) { $0.hstsHeader() },
        LintCheck("proxy-host-header", .server, severity: .warning, basis: .structure) { $0.proxyHostHeader() },
    ]
}
