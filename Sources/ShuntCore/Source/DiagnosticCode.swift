/// The kinds of problems in rule files, lists, routes, files of app links, and modules.
///
/// `docs/diagnostics.md` has a line for each, with the fix and an example.
package enum DiagnosticCode: String, Sendable, CaseIterable {
    // MARK: Files and text

    case unreadableFile, notAFile, outsideRuleDirectory, includeLoop, includeTooDeep, noRuleFiles, skippedFile
    case tooManyFiles, tooMuchText, tooManyWords, moreErrors, related, byteOrderMark
    case invalidUTF8 = "invalid-utf-8"
    case controlByte, bidirectionalControl, unseenCharacter, unusualQuote, mixedAlphabets

    // MARK: Structure

    case missingSemicolon, unexpectedSemicolon, unclosedQuote, unexpectedCharacter, unquotedBrace, wordTooLong
    case unclosedBlock, unexpectedBrace, nestingTooDeep, missingBlock, unexpectedBlock, unknownDirective
    case misplacedDirective, unsupportedDirective, ignoredDirective, ignoredDirectives, ignoredDecision
    case notServed, onlyServed, argumentCount, unexpectedArgument, duplicateDirective, invalidFlag
    case invalidNumber, invalidValue, invalidParameter, invalidNote

    // MARK: Conditions, matchers and expressions

    case invalidRegex, slowRegex, emptyRegex, missingCapture, unclosedVariable, invalidVariableName
    case unknownVariable, externalVariable, duplicateVariable, invalidCondition, nestingLimit, elseWithoutIf
    case unexpectedElse, invalidVersion, invalidDate, invalidZone, neverADate, neverBetween, neverEqual
    case neverMatches, neverReached, unreachableRule, missingMatcher, unknownMatcher, emptyReplacement
    case missingTarget, invalidURL, invalidCode

    // MARK: Servers, locations and upstreams

    case invalidAddress, unknownAddress, duplicateListen, duplicateListenOptions, tooManyListens, tooManyNames
    case conflictingName, suspiciousName, invalidHost, impossibleHost, duplicateLocation, locationModifier
    case locationNesting, invalidMethod, misplacedAlias, recursiveRoot, invalidIndex, absoluteIndex
    case duplicateExtension, missingCode, invalidHeaderName, invalidURLPrefix, misplacedURIPart
    case misplacedDefault, upstreamPort, unknownHost, duplicateUpstream, emptyUpstream, unsupportedBackup
    case unusedBalancing, missingZone, unknownZone, duplicateZone, duplicateLimit, mixedSecureLink
    case invalidReferer, duplicateReferer, missingReferers, unknownLogFormat, duplicateLogFormat
    case unloggedVariable, unwrittenLog, uncompressedLog

    // MARK: Tables and lists

    case invalidMapEntry, duplicateKey, duplicateDefault, tooManyKeys, invalidGeoEntry, lowAddressBits
    case duplicateNetwork, unknownNetwork, misplacedRanges, invalidRange, overlappingRange, unknownRange
    case invalidShare, invalidPercent, percentTotal, constantShare, invalidArgumentName, duplicateArgument
    case constantSource, invalidOption, invalidList, invalidRows, redirectChain, emptyList, everyoneListed
    case deniedInAllowList

    // MARK: Tests in rules

    case missingDecision, unknownDecision, extraArgument, missingRoute, invalidStatus, invalidRequest
    case unknownEntry, unknownInput, unknownRule, tooManyEntries, tooManyExpectations, slowExpectations
    case unmetExpectation, invalidTest

    // MARK: Routes

    case invalidRoute, routePattern, routeMethod, invalidPriority, invalidDefault, routeDefault, unusedDefault
    case invalidRouting, routingTwice, aliasValues, foreignSyntax, duplicateRoute, ambiguousRoute
    case unorderedConstraints, shadowedRoute, tableTooComplex, tooManyRoutes, routeWithoutHandler
    case routeGeneration, routeList, noRoutes, noRules

    // MARK: Files of app links

    case json
    case wrongType = "type"
    case missing, unknownMember, empty, tooLarge, apps, appIdentifier, oldestForm, variable, unusedVariable
    case queryValue, unreachable, opensNothing, otherSyntax, include, relation, namespace, package
    case fingerprint, site, componentsTwice, rulesDiscarded, xml, path, placeholder, pattern, proof
    case unreadable

    // MARK: Modules and links

    case duplicateModule, duplicateService, duplicateAction, missingService, missingAction, remoteBase
    case remoteAction, dependencyCycle, unusedService, level, contractConflict, notEncodable, slotsTooDeep
    case listInSlot, slotInput, openProxy, closedSlot, unknownContract, unreachableAddress, first, catalog
    case deadLink, formatDiffers

    /// The name: the words of the case in small letters, with dashes between them.
    package var name: String {
        let letters = Array(rawValue.utf8)
        var name: [UInt8] = []
        for (index, letter) in letters.enumerated() {
            // A capital begins a word, unless it continues an abbreviation as in `invalidURL`.
            let isLastOfCapitals = letters[(index + 1)...].first?.isASCIIUppercase == false
            if letter.isASCIIUppercase, !letters[index - 1].isASCIIUppercase || isLastOfCapitals {
                name.append(UInt8(ascii: "-"))
            }
            name.append(letter.asciiLowercased)
        }
        return String(decoding: name, as: UTF8.self)
    }
}
