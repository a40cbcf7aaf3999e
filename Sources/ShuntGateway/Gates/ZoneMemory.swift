#if Gateway
import ShuntRules
import Synchronization

/// The memory of a zone, which all event loops share.
final class ZoneMemory: Sendable {
    let name: String
    let table: Mutex<ZoneTable>

    /// - Parameters:
    ///   - kind: The kind of its counts.
    ///   - name: Its name.
    ///   - size: Its bytes.
    init(of kind: LimitZone.Kind, named name: String, size: Int) {
        self.name = name
        table = Mutex(ZoneTable(size: size, overhead: kind == .requests ? 80 : 36))
    }

    /// Counts a connection.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - most: The most connections with it.
    /// - Returns: The place to leave again; nil where there are so many already, or the zone is full.
    func enter(_ key: [UInt8], most: Int) -> Int? {
        table.withLock { table in
            guard let place = table.place(of: key) ?? table.add(key), table[place].holders < most else { return nil }
            table[place].holders += 1
            return place
        }
    }

    /// Counts a connection no more.
    func leave(_ place: Int) {
        table.withLock { table in
            table[place].holders -= 1
            if table[place].holders == 0 { table.remove(place) }
        }
    }
}

/// The states of keys, as many as nginx has room for in as many bytes.
///
/// Memory is counted in nginx's pages of 4,096 bytes, which are cut into slots of a power of two, and a state is as large as on
/// nginx's 64-bit machines; here it takes about as much.
struct ZoneTable: ~Copyable {
    /// The state of a key.
    struct Entry {
        let key: [UInt8]
        /// The time of the excess, in milliseconds.
        var last: Int64 = 0
        /// The thousandths of requests beyond the rate.
        var excess = 0
        /// The number of requests that the state must stay for.
        var holders = 0
        fileprivate var older = none
        fileprivate var newer = none
    }

    /// No place.
    static let none = -1
    private static let page = 4_096

    private var entries: [Entry] = []
    private var places: [[UInt8]: Int] = [:]
    private var unused: [Int] = []
    private var newest = none
    /// The place of the state that was read the longest time ago.
    private(set) var oldest = none
    private var freePages: Int
    /// The number of slots in use by their size.
    private var slots: [Int: Int] = [:]
    private let overhead: Int

    /// - Parameters:
    ///   - size: The bytes of the zone.
    ///   - overhead: The bytes of a state without its key.
    init(size: Int, overhead: Int) {
        self.overhead = overhead
        // The head of nginx's pool, a record for each page, and one page for the name in its log.
        let pages = (size - 704) / (Self.page + 24)
        let head = (704 + pages * 24 + Self.page - 1) / Self.page
        freePages = min(pages, size / Self.page - head) - 1
        // The state of the zone itself.
        _ = takeRoom(overhead)
    }

    /// The number of keys.
    var count: Int { places.count }

    subscript(place: Int) -> Entry {
        get { entries[place] }
        _modify { yield &entries[place] }
    }

    /// The place of a key; nil for one that is not known.
    func place(of key: [UInt8]) -> Int? { places[key] }

    /// Marks a key as the last that was read.
    mutating func touch(_ place: Int) {
        guard newest != place else { return }
        unlink(place)
        link(place)
    }

    /// Adds a key; nil where there is no room.
    mutating func add(_ key: [UInt8]) -> Int? {
        guard takeRoom(overhead + key.count) else { return nil }
        let place = unused.popLast() ?? entries.count
        if place == entries.count { entries.append(Entry(key: key)) } else { entries[place] = Entry(key: key) }
        places[key] = place
        link(place)
        return place
    }

    /// Forgets a key.
    mutating func remove(_ place: Int) {
        unlink(place)
        let key = entries[place].key
        places[key] = nil
        entries[place] = Entry(key: [])
        unused.append(place)
        giveRoom(overhead + key.count)
    }

    private mutating func link(_ place: Int) {
        entries[place].older = newest
        entries[place].newer = Self.none
        if newest != Self.none { entries[newest].newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (entries[place].older, entries[place].newer)
        if older != Self.none { entries[older].newer = newer } else { oldest = newer }
        if newer != Self.none { entries[newer].older = older } else { newest = older }
    }

    // MARK: Room

    /// The size of the slot for so many bytes, and the number of slots of a page; 0 for whole pages.
    private static func slot(_ bytes: Int) -> (size: Int, perPage: Int) {
        guard bytes <= page / 2 else { return ((bytes + page - 1) / page, 0) }
        var size = 64
        while size < bytes { size *= 2 }
        return (size, page / size)
    }

    private mutating func takeRoom(_ bytes: Int) -> Bool {
        let (size, perPage) = Self.slot(bytes)
        let used = slots[size, default: 0]
        let pages = perPage == 0 ? size : used % perPage == 0 ? 1 : 0
        guard pages <= freePages else { return false }
        freePages -= pages
        if perPage > 0 { slots[size] = used + 1 }
        return true
    }

    private mutating func giveRoom(_ bytes: Int) {
        let (size, perPage) = Self.slot(bytes)
        guard perPage > 0 else {
            freePages += size
            return
        }
        let used = slots[size, default: 1] - 1
        slots[size] = used
        if used % perPage == 0 { freePages += 1 }
    }
}
#endif
