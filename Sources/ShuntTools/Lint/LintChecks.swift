extension LintCheck {
    /// All checks, by their groups.
    package static let all: [LintCheck] = [
        unreachableRule, duplicateRule, conflictingRule, neverMatches, queryInPath, impossibleText, deadBranch,
        deadMapEntry, matchesEverything,
        unreachableLocation, unreachableServer, deadAccessRule, unusedDefinition, tooWide,
        shadowedPart,

        redirectLoop, redirectToSelf, growingRedirect, redirectChain, rewriteCycle, valueGrowth, variableCycle,
        renameCycle, errorPageCycle,

        otherSpelling, openRedirect, authorityNotClosed, openRedirectSlashes, hostSpoofing, httpsDowngrade,
        httpSplitting,
        unescapedCaptureInQuery, unescapedCaptureInPath, ssrf, aliasTraversal, filesystemRootExposure, unsafeOrigin,
        unanchoredCheck, unescapedDot, dotStopsAtNewline, prefixWithoutSlash, exactGuard, caseBypass, blockBeforeRename,
        blocksOwnHost, returnBypassesAccess, allowWithoutDeny, weakRefererCheck, splitKeyClientControlled,
        splitKeyMissing,
        permanentInCondition, secretInRules, mixedScriptHost, proxyPassNormalized, originReflection,
        publicSuffixBlock,

        slowExpression, regexRedos, vacuousLookaround, redundantAlternative, suspiciousClass, couldBeExact,
        couldBePrefix, unusedGroup, missingGroup, clobberedCapture, leadingDotstar, trailingDotstar,
        overlappingCaptures, unnamedGroups, unescapedQuestionMark,

        ifIsEvil, addHeaderRedefinition, addHeaderContentType, addHeaderMultiline, hashWithoutDefault, implicitRedirect,
        softError, mixedCaseVariable, defaultServerMissing, rewriteAppendsQuery, doubledSlash,
        missingSlash, lostPath, impossibleScheme, internalPort, proxyAddressRule,
        regexBeforePrefix, tryFilesWithAlias, limitExceptBypass, aliasWithoutSlash, joinedUpstreamPath,

        pastWindow, futureWindow, expiredNote, unusedAllow, unknownNote,
        neverHit, untestedRule, duplicateTest, testOfDeadRule, listOverlap,

        weakTLS, proxySetHeaderRedefinition, hstsHeader, proxyHostHeader,
    ]

    package static func named(_ id: String) -> LintCheck? { all.first { $0.id == id } }
}
