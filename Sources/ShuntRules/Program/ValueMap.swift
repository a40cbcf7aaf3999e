package import ShuntCore
package import ShuntPatterns

/// `map SOURCE $variable { … }`.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_map_module.html
package struct ValueMap: Sendable {
    package var source: Int32
    /// Literal keys, folded to lower case; used unless `hostnames` was given.
    package var literals: ByteTable
    /// The same keys and the wildcards, for a map with `hostnames`.
    package var hosts: HostTable?
    package var patterns: PatternIndex
    /// The number of each regular expression in the program.
    package var patternNumbers: [Int32]
    /// The template of each regular expression.
    package var patternValues: [Int32]
    /// Where each regular expression stands.
    package var patternPositions: [SourcePosition]
    /// The template of `default`; -1 without one.
    package var defaultValue: Int32
    package var position: SourcePosition
}

/// `split_clients STRING $variable { … }`.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_split_clients_module.html
package struct SplitClients: Sendable {
    /// A share of the clients.
    package struct Share: Sendable {
        /// The hash from which on the next share begins; the last share takes everything left.
        package var bound: UInt32
        /// A constant.
        package var value: ByteRange
    }

    package var source: Int32
    package var shares: [Share]
    /// Whether the last share takes every hash that is left: `*`, or percentages that add up to 100.
    package var isComplete: Bool
    package var position: SourcePosition
}
