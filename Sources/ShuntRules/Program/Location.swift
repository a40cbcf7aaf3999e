import ShuntCore
import ShuntPatterns

package enum LocationModifier: String, Sendable, Hashable, CaseIterable {
    /// `= PATH`: the whole path.
    case exact = "="
    /// `^~ PREFIX`: a prefix that keeps regular expressions from being tried.
    case prefixBeforeRegex = "^~"
    /// `~ REGEX`.
    case regex = "~"
    /// `~* REGEX`, whatever the case.
    case caselessRegex = "~*"
    /// `PREFIX`.
    case prefix = ""
    /// `@NAME`: reached only by name.
    case named = "@"

    /// True if it is one of the two regular expressions.
    package var isRegex: Bool { self == .regex || self == .caselessRegex }
    /// True if it is one of the two prefixes, which share one set of names.
    package var isPrefix: Bool { self == .prefix || self == .prefixBeforeRegex }
}

struct Location: Sendable {
    var modifier: LocationModifier
    /// The literal, the pattern or the name as written, without the modifier.
    var name: [UInt8]
    var settings: SettingsIndex
    /// The level of its nested locations; none without any.
    var level: LevelIndex
    var position: SourcePosition

    /// The modifier and the pattern as written, for people.
    var text: String {
        let written = String(decoding: name, as: UTF8.self)
        return modifier == .prefix || modifier == .named ? written : modifier.rawValue + " " + written
    }
}

/// The locations of one level, ready for look-up.
struct LocationLevel: Sendable {
    /// All of them, in the order of the rule files.
    var locations: [LocationIndex]
    /// The exact locations; nil where there are none, so that most requests need not look.
    var exact: ByteTable?
    /// The prefix locations, plain and `^~`.
    var prefixes: PrefixTable
    /// Locations with a proxying handler whose name ends in a slash, keyed by the name without it.
    ///
    /// Nil where there are none.
    var redirects: ByteTable?
    /// The regular expressions, in order.
    var patterns: PatternIndex
    /// The number of each regular expression in the program.
    var patternNumbers: [ExpressionIndex]
    /// The location of each regular expression.
    var patternLocations: [LocationIndex]
}

struct Server: Sendable {
    /// The first name as written, the leading dot of `.name` removed; for a nameless server empty.
    var name: [UInt8]
    var settings: SettingsIndex
    var level: LevelIndex
    var named: ByteTable
    /// True if nothing after its rewrites has anything to do: it has no locations, and none of its settings decides
    /// what happens to a request that its rewrites let through.
    var endsWithRewrites: Bool
    var position: SourcePosition
}

/// The options of a listening socket that change where it listens.
package struct ListenSocketOptions: Sendable, Hashable {
    /// True if a socket for every IPv6 address takes IPv4 as well (`ipv6only=off`).
    package var takesIPv4 = false
    /// The most connections that may wait to be accepted; nil for the usual number.
    package var backlog: Int?
    /// True if clients are to speak QUIC there, and nothing else.
    package var isForQUIC = false
}

/// An address and port that servers listen on.
struct ListenGroup: Sendable {
    /// The address, or every one.
    var host: SocketName.Host
    var port: Int32
    var isSecure: Bool
    /// True if each connection begins with the address of its client.
    var takesProxyProtocol: Bool
    var socket: ListenSocketOptions
    var position: SourcePosition
    var defaultServer: ServerIndex
    /// The server for requests without a host; none for the default server.
    var emptyNameServer: ServerIndex
    /// True if every name stands for the default server, so that none needs to be looked up.
    var hasOneServer: Bool
    /// Exact and wildcard names.
    var names: HostTable
    /// Regular expressions in order of appearance, and the server of each.
    var patterns: PatternIndex
    var patternNumbers: [ExpressionIndex]
    var patternServers: [ServerIndex]
}
