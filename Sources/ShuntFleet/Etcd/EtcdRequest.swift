#if Fleet
import ShuntCore

/// A question for keys: linearizable, so that it is about what a majority has.
package struct EtcdRange: Sendable, Hashable {
    /// The first key.
    package var key: [UInt8]
    /// The key after the last one; nil where it is about one key.
    package var end: [UInt8]?
    /// The most keys; 0 for all.
    package var limit = 0
    /// True if values are left out.
    package var keysOnly = false
    /// True if the key that was made last comes first.
    package var isNewestFirst = false
    /// The revision that it is about; 0 for the newest.
    package var revision: Int64 = 0
    /// Keys that were changed last before this revision are left out, but counted.
    package var changedSince: Int64 = 0

    package init(_ key: String) { self.key = Array(key.utf8) }

    /// All keys with a prefix, which is not empty.
    package init(prefix: String) {
        key = Array(prefix.utf8)
        end = Self.end(of: key)
    }

    /// The key after all that begin with these bytes.
    package static func end(of prefix: [UInt8]) -> [UInt8] {
        var end = prefix
        while let last = end.popLast() {
            if last < 0xff { return end + [last + 1] }
        }
        // After it comes everything.
        return [0]
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("key", Base64.encode(key))
            if let end { writer.member("range_end", Base64.encode(end)) }
            if limit > 0 { writer.member("limit", String(limit)) }
            if keysOnly { writer.member("keys_only", true) }
            if revision > 0 { writer.member("revision", String(revision)) }
            if changedSince > 0 { writer.member("min_mod_revision", String(changedSince)) }
            if isNewestFirst {
                writer.member("sort_order", "DESCEND")
                writer.member("sort_target", "CREATE")
            }
        }
    }
}

/// A condition of a transaction.
///
/// Each says what it compares: one that does not compares the version with 0, and etcd says nothing of it.
package enum EtcdCompare: Sendable, Hashable {
    /// The key was changed in exactly this revision the last time.
    case unchanged(String, since: Int64)
    /// There is no such key.
    case absent(String)
    /// The key has this value.
    case value(String, [UInt8])

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("result", "EQUAL")
            switch self {
            case .unchanged(let key, let revision):
                writer.member("key", Base64.encode(Array(key.utf8)))
                writer.member("target", "MOD")
                writer.member("mod_revision", String(revision))
            case .absent(let key):
                writer.member("key", Base64.encode(Array(key.utf8)))
                writer.member("target", "CREATE")
                writer.member("create_revision", "0")
            case .value(let key, let value):
                writer.member("key", Base64.encode(Array(key.utf8)))
                writer.member("target", "VALUE")
                writer.member("value", Base64.encode(value))
            }
        }
    }
}

/// An operation of a transaction.
package enum EtcdOperation: Sendable, Hashable {
    /// Writes a key; with a lease it goes away with that.
    case put(String, [UInt8], lease: Int64 = 0)
    /// Asks for keys.
    case range(EtcdRange)
    /// Removes a key.
    case delete(String)
    /// Removes all keys with a prefix, which is not empty.
    case deletePrefix(String)
    /// Removes all keys from one on, up to and without another one.
    case deleteRange(String, upTo: String)

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .put(let key, let value, let lease):
                writer.name("request_put")
                writer.object { writer in
                    writer.member("key", Base64.encode(Array(key.utf8)))
                    writer.member("value", Base64.encode(value))
                    if lease != 0 { writer.member("lease", String(lease)) }
                }
            case .range(let range):
                writer.name("request_range")
                range.write(to: &writer)
            case .delete(let key): Self.delete(Array(key.utf8), nil, &writer)
            case .deletePrefix(let prefix):
                let key = Array(prefix.utf8)
                Self.delete(key, EtcdRange.end(of: key), &writer)
            case .deleteRange(let first, let end): Self.delete(Array(first.utf8), Array(end.utf8), &writer)
            }
        }
    }

    private static func delete(_ key: [UInt8], _ end: [UInt8]?, _ writer: inout JSONWriter) {
        writer.name("request_delete_range")
        writer.object { writer in
            writer.member("key", Base64.encode(key))
            if let end { writer.member("range_end", Base64.encode(end)) }
        }
    }
}

/// Several things that are done at once, where something holds, or others where it does not.
package struct EtcdTransaction: Sendable, Hashable {
    package var comparisons: [EtcdCompare] = []
    package var success: [EtcdOperation] = []
    package var failure: [EtcdOperation] = []

    package init(
        _ comparisons: [EtcdCompare] = [],
        success: [EtcdOperation],
        failure: [EtcdOperation] = []
    ) {
        self.comparisons = comparisons
        self.success = success
        self.failure = failure
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("compare")
            writer.array { writer in for item in comparisons { item.write(to: &writer) } }
            writer.name("success")
            writer.array { writer in for item in success { item.write(to: &writer) } }
            writer.name("failure")
            writer.array { writer in for item in failure { item.write(to: &writer) } }
        }
    }
}
#endif
