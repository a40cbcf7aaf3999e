#if Fleet
package struct EtcdEntry: Sendable, Hashable {
    package let key: String
    package let value: [UInt8]
    /// The revision that changed it last.
    package let revision: Int64

    init(_ fields: EtcdFields) throws(EtcdError) {
        key = String(decoding: try fields.bytes("key"), as: UTF8.self)
        value = try fields.bytes("value")
        revision = try fields.integer("mod_revision")
    }
}

package struct EtcdRangeAnswer: Sendable, Hashable {
    /// The revision of the whole store that this is about.
    package internal(set) var revision: Int64
    package internal(set) var entries: [EtcdEntry]
    package internal(set) var hasMore: Bool
    /// The number of keys in the range, including those that are left out.
    package internal(set) var count: Int64

    package init(_ fields: EtcdFields) throws(EtcdError) {
        revision = try fields.object("header")?.integer("revision") ?? 0
        entries = try fields.objects("kvs").map { item throws(EtcdError) in try EtcdEntry(item) }
        hasMore = try fields.flag("more")
        count = try fields.integer("count")
    }
}

package struct EtcdTransactionAnswer: Sendable, Hashable {
    /// True if what had to hold did.
    package let succeeded: Bool
    /// The revision of the whole store afterwards.
    package let revision: Int64
    /// The results of the ranges among the operations, in order.
    package let ranges: [EtcdRangeAnswer]

    init(_ fields: EtcdFields) throws(EtcdError) {
        succeeded = try fields.flag("succeeded")
        revision = try fields.object("header")?.integer("revision") ?? 0
        var ranges: [EtcdRangeAnswer] = []
        for item in try fields.objects("responses") {
            if let range = try item.object("response_range") { ranges.append(try EtcdRangeAnswer(range)) }
        }
        self.ranges = ranges
    }
}

package struct EtcdChange: Sendable, Hashable {
    package let key: String
    /// The new value; nil where the key was deleted.
    package let value: [UInt8]?
    package let revision: Int64

    package init(key: String, value: [UInt8]?, revision: Int64) {
        self.key = key
        self.value = value
        self.revision = revision
    }

    init(_ fields: EtcdFields, at endpoint: String) throws(EtcdError) {
        guard let entry = try fields.object("kv") else {
            throw EtcdError(.malformed, "\(endpoint): an event has no key")
        }
        key = String(decoding: try entry.bytes("key"), as: UTF8.self)
        revision = try entry.integer("mod_revision")
        let type = try fields.text("type")
        guard ["", "PUT", "DELETE"].contains(type) else {
            throw EtcdError(.malformed, "\(endpoint): \"\(type)\" is not a kind of event")
        }
        value = type == "DELETE" ? nil : try entry.bytes("value")
    }
}

package enum EtcdWatchLine: Sendable, Hashable {
    /// The watch is there.
    case created
    /// Keys have changed, in this order.
    case changes([EtcdChange])
    /// Nothing has changed. It proves nothing: a member without a majority reports it, too.
    case progress
    /// The watch is over, though the connection stays open.
    case over(EtcdError)

    package init(_ line: [UInt8], at endpoint: String) throws(EtcdError) {
        let fields = try EtcdFields(line, at: endpoint)
        guard let result = try fields.object("result") else {
            self = .over(EtcdError(fields, status: nil, at: endpoint))
            return
        }
        if try result.flag("canceled") {
            let oldest = try result.integer("compact_revision")
            let reason = try result.text("cancel_reason")
            self = .over(
                oldest > 0
                    ? EtcdError(.compacted, "\(endpoint): revisions before \(oldest) are not kept any more")
                    : EtcdError(cancelled: reason, at: endpoint)
            )
            return
        }
        if try result.flag("created") {
            self = .created
            return
        }
        let changes = try result.objects("events")
            .map { item throws(EtcdError) in try EtcdChange(item, at: endpoint) }
        self = changes.isEmpty ? .progress : .changes(changes)
    }
}
#endif
