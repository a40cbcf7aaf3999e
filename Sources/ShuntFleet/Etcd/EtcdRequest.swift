#if Fleet
import ShuntCore

/// A question for keys: linearizable, so that it is about what a majority has.
package struct EtcdRange: Sendable, Hashable {
    package var key: [UInt8]
    /// The key after the last one; nil where it is about one key.
    package var end: [UInt8]?
    /// The most keys; 0 for all.
    package var limit = 0
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

    var object: JSONObject {
        [
            "key": Base64.encode(key),
            "range_end": end.map { Base64.encode($0) },
            "limit": limit > 0 ? String(limit) : nil,
            "keys_only": keysOnly ? true : nil,
            "revision": revision > 0 ? String(revision) : nil,
            "min_mod_revision": changedSince > 0 ? String(changedSince) : nil,
            "sort_order": isNewestFirst ? "DESCEND" : nil,
            "sort_target": isNewestFirst ? "CREATE" : nil,
        ]
    }
}

/// A condition of a transaction.
///
/// Each names what it compares: one that does not compares the version with 0, and etcd does not report it.
package enum EtcdCompare: Sendable, Hashable {
    /// The key was changed in exactly this revision the last time.
    case unchanged(String, since: Int64)
    /// There is no such key.
    case absent(String)
    /// The key has this value.
    case value(String, [UInt8])

    var object: JSONObject {
        func equal(_ key: String, target: String, name: String, value: String) -> JSONObject {
            ["result": "EQUAL", "key": Base64.encode(Array(key.utf8)), "target": target, name: value]
        }
        return switch self {
        case .unchanged(let key, let revision): equal(key, target: "MOD", name: "mod_revision", value: String(revision))
        case .absent(let key): equal(key, target: "CREATE", name: "create_revision", value: "0")
        case .value(let key, let value): equal(key, target: "VALUE", name: "value", value: Base64.encode(value))
        }
    }
}

package enum EtcdOperation: Sendable, Hashable {
    /// Writes a key; with a lease it goes away with that.
    case put(String, [UInt8], lease: Int64 = 0)
    case range(EtcdRange)
    case delete(String)
    /// Removes all keys with a prefix, which is not empty.
    case deletePrefix(String)
    /// Removes all keys from one on, up to and without another one.
    case deleteRange(String, upTo: String)

    var object: JSONObject {
        switch self {
        case .put(let key, let value, let lease):
            let put: JSONObject = [
                "key": Base64.encode(Array(key.utf8)), "value": Base64.encode(value),
                "lease": lease == 0 ? nil : String(lease),
            ]
            return ["request_put": put]
        case .range(let range): return ["request_range": range.object]
        case .delete(let key): return Self.delete(Array(key.utf8), nil)
        case .deletePrefix(let prefix):
            let key = Array(prefix.utf8)
            return Self.delete(key, EtcdRange.end(of: key))
        case .deleteRange(let first, let end): return Self.delete(Array(first.utf8), Array(end.utf8))
        }
    }

    private static func delete(_ key: [UInt8], _ end: [UInt8]?) -> JSONObject {
        let range: JSONObject = ["key": Base64.encode(key), "range_end": end.map { Base64.encode($0) }]
        return ["request_delete_range": range]
    }
}

/// Several things that are done at once, where something holds, or others where it does not.
package struct EtcdTransaction: Sendable, Hashable {
    package var comparisons: [EtcdCompare] = []
    package var success: [EtcdOperation] = []
    package var failure: [EtcdOperation] = []

    package init(_ comparisons: [EtcdCompare] = [], success: [EtcdOperation], failure: [EtcdOperation] = []) {
        self.comparisons = comparisons
        self.success = success
        self.failure = failure
    }

    var object: JSONObject {
        ["compare": comparisons.map(\.object), "success": success.map(\.object), "failure": failure.map(\.object)]
    }
}
#endif
