package import ShuntCore

extension RuleStoreStatus {
    /// The status for programs; the last failure is left to the caller, who has a form for places.
    package var json: JSONObject {
        [
            "version": version,
            "hash": contentHash,
            "rules": ruleCount,
            "loaded": loadedAt.iso8601(),
            "age_seconds": age.components.seconds,
            "origin": origin,
            "last_known_good": isLastKnownGood,
            "stale": isStale,
            "source": source,
            "source_condition": sourceCondition,
            "last_attempt": lastAttempt.iso8601(),
            "last_trigger": lastTrigger.rawValue,
            "loads": loadCount,
            "unchanged": unchangedCount,
            "failures": failureCount,
            "consecutive_failures": consecutiveFailures,
            "held_seconds": heldFor?.components.seconds,
            "copy_failure": copyFailure,
        ]
    }
}
