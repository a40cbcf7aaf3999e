package import ShuntCore

/// The gates of a level other than `allow` and `deny`, and the way in which all of them count.
package struct AccessGates: Sendable {
    /// True if one gate that lets a request in is enough: `satisfy any`.
    package var isOneEnough = false
    /// The template of `auth_basic`.
    var realm = TemplateIndex.none
    /// The place of `auth_basic`.
    package var realmPosition = SourcePosition.none
    /// The template of `auth_basic_user_file`.
    var passwordFile = TemplateIndex.none
    /// `limit_req` and its kin.
    package var requests = LimitSettings()
    /// `limit_conn` and its kin.
    package var connections = LimitSettings()

    package init() {}
}

/// The limits of one kind at a level.
package struct LimitSettings: Sendable {
    package enum LogLevel: String, Sendable, CaseIterable {
        case info, notice, warn, error
    }

    var limits = TableIndex<[ZoneLimit]>.none
    /// The status of refused requests.
    package var status: Int32 = 503
    /// True if nothing is refused or delayed: a dry run.
    package var isTrial = false
    /// The level of what is logged about refused requests.
    package var level = LogLevel.error
}

/// A `limit_req` or a `limit_conn`.
package struct ZoneLimit: Sendable {
    /// The number of zones before its own.
    package var zoneNumber: Int { zone.position }
    var zone: TableIndex<LimitZone>
    /// The most connections, or the most requests beyond the rate, in thousandths.
    package var most = 0
    /// The requests beyond the rate that are not delayed, in thousandths.
    package var free = 0
    package var position: SourcePosition
}

/// A `limit_req_zone` or a `limit_conn_zone`: memory for a state of each key.
package struct LimitZone: Sendable {
    package enum Kind: Sendable, Hashable {
        case requests
        case connections
    }

    package var kind: Kind
    package var name = ""
    var key: TemplateIndex
    /// The key as rules have it.
    package var keyText: [UInt8]
    /// In bytes.
    package var size = 0
    /// The thousandths of requests a second.
    package var rate = 0
}
