extension LintCheck {
    /// All checks, by their groups.
    package static let all: [LintCheck] = [
        unreachableRule, duplicateRule, conflictingRule, neverMatches, queryInPath, deadBranch, deadMapEntry,
        unreachableLocation, unreachableServer, unusedDefinition, tooWide,

        redirectLoop, redirectToSelf, growingRedirect, redirectChain, rewriteCycle, valueGrowth, variableCycle,
        renameCycle,

        otherSpelling, openRedirect, authorityNotClosed, openRedirectSlashes, hostSpoofing, httpsDowngrade,
        httpSplitting,
        unescapedCaptureInQuery, unescapedCaptureInPath, ssrf, aliasTraversal, filesystemRootExposure, unsafeOrigin,
        unanchoredCheck, unescapedDot, dotStopsAtNewline, prefixWithoutSlash, caseBypass, blockBeforeRename,
        blocksOwnHost, returnBypassesAccess, allowWithoutDeny, weakRefererCheck, splitKeyClientControlled,
        permanentInCondition, secretInRules, mixedScriptHost, proxyPassNormalized, originReflection,

        slowExpression, regexRedos, vacuousLookaround, couldBeExact, missingGroup, clobberedCapture,

        ifIsEvil, addHeaderRedefinition, addHeaderContentType, addHeaderMultiline, hashWithoutDefault, implicitRedirect,
        softError, mixedCaseVariable, defaultServerMissing, rewriteAppendsQuery,

        pastWindow, futureWindow, expiredNote, unusedAllow, unknownNote,

        errorLogOff, lowKeepaliveRequests, proxyBufferingOff, versionDisclosure, weakTLS, resolverExternal,
        statusPageExposed, proxySetHeaderRedefinition,
    ]

    /// The check of a name.
    package static func named(_ id: String) -> LintCheck? { all.first { $0.id == id } }
}
