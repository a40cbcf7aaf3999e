import ShuntCore

/// `split_clients`: shares of the clients, with a value for each.
enum SplitCompiler {
    static func define(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard directive.arguments.count == 2 else { return }
        var split = SplitClients(
            source: context.template(directive.arguments[0]),
            shares: [],
            isComplete: false,
            position: directive.name.position
        )
        var total = 0
        var bound: UInt64 = 0
        for entry in directive.entries {
            guard entry.arguments.count == 1, entry.block == nil else {
                let message = "an entry of \"split_clients\" is a percentage and a value"
                context.error(.invalidShare, message, at: entry.name, suggestion: "write: 10% VALUE; or * VALUE;")
                continue
            }
            if split.isComplete {
                let message = "\"*\" matches the rest, so it must be the last entry"
                let advice = entry.name.text == "*" ? "remove one of them" : "put it before the \"*\""
                context.error(.invalidShare, message, at: entry.name, suggestion: advice)
                continue
            }
            let value = context.constant(entry.arguments[0].bytes)
            if entry.name.text == "*" {
                split.isComplete = true
                split.shares.append(SplitClients.Share(bound: .max, value: value, position: entry.name.position))
                continue
            }
            guard let hundredths = hundredths(entry.name.bytes), hundredths > 0 else {
                let message = "invalid percent value \"\(entry.name.text)\""
                let advice = "write a percentage above 0 with at most two decimals, such as 0.5%, or * for the rest"
                context.error(.invalidPercent, message, at: entry.name, suggestion: advice)
                continue
            }
            total += hundredths
            guard total <= 10_000 else {
                let message = "the percentages add up to more than 100%"
                context.error(.percentTotal, message, at: entry.name, suggestion: "write * for what is left")
                continue
            }
            bound += UInt64(hundredths) * UInt64(UInt32.max) / 10_000
            split.shares.append(
                SplitClients.Share(
                    bound: UInt32(truncatingIfNeeded: bound),
                    value: value,
                    position: entry.name.position
                )
            )
        }
        if total == 10_000 { split.isComplete = true }
        context.define(directive.arguments[1], source: .split, index: context.tables.splits.append(split).number)
    }

    /// The hundredths of a percentage such as `12.34%`; nil if it is invalid.
    private static func hundredths(_ bytes: [UInt8]) -> Int? {
        guard bytes.last == UInt8(ascii: "%"), bytes.count > 1 else { return nil }
        let parts = bytes.dropLast().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, bytes.count > 2 || parts.count == 1 else { return nil }
        guard let whole = parts[0].isEmpty ? 0 : parts[0].decimalNumber, whole <= 100 else { return nil }
        // nginx takes `.5%` and `5.%` too.
        guard parts.count == 2, !parts[1].isEmpty else { return whole * 100 }
        guard parts[1].count <= 2, let fraction = parts[1].decimalNumber else { return nil }
        return whole * 100 + (parts[1].count == 1 ? fraction * 10 : fraction)
    }
}
