import ShuntCore
import ShuntRouting

/// A decision with all of its values in one object: making it is one allocation at most, and passing it on counts one reference.
///
/// Why the unsafe code is sound: the object is made with room for `capacity` bytes after its parts, which a
/// `ByteWriter` keeps to; `byteCount` of the parts is the number of bytes that were written. No one else has the object
/// before all of it is written. It changes only in `rewrite`, and there only while no one else has it, as its count of
/// references shows: what others read of it happened before they released it, as with an array that is changed in
/// place. So any number of threads may read it.
@safe
struct DecisionStorage: @unchecked Sendable {
    private final class Object: ManagedBuffer<DecisionParts, UInt8> {}

    private var object: ManagedBuffer<DecisionParts, UInt8>

    /// Makes the storage of a decision, of whose values `write` writes at most `capacity` bytes and notes the places.
    @inline(__always)
    init(capacity: Int, write: (inout ByteWriter, inout DecisionPlaces) -> Void, parts: () -> DecisionParts) {
        object = Object.create(minimumCapacity: capacity) { object in
            unsafe object.withUnsafeMutablePointerToElements { bytes in
                var writer = unsafe ByteWriter(base: bytes, capacity: capacity)
                var parts = parts()
                write(&writer, &parts.places)
                parts.byteCount = writer.count
                parts.capacity = capacity
                return parts
            }
        }
    }

    /// Overwrites the values; false if someone else has the object, or it has no room for them.
    @inline(__always)
    mutating func rewrite(
        capacity: Int,
        write: (inout ByteWriter, inout DecisionPlaces) -> Void,
        change: (inout DecisionParts) -> Void
    ) -> Bool {
        guard isKnownUniquelyReferenced(&object) else { return false }
        return unsafe object.withUnsafeMutablePointers { parts, bytes in
            guard unsafe capacity <= parts.pointee.capacity else { return false }
            var writer = unsafe ByteWriter(base: bytes, capacity: parts.pointee.capacity)
            unsafe parts.pointee.places = DecisionPlaces()
            unsafe write(&writer, &parts.pointee.places)
            unsafe parts.pointee.byteCount = writer.count
            unsafe change(&parts.pointee)
            return true
        }
    }

    /// Makes the object one for decisions by other rules, with nothing of these; false if someone else has it.
    mutating func empty(for names: ProgramNames) -> Bool {
        rewrite(
            capacity: 0,
            write: { _, _ in },
            change: { parts in
                parts.names = names
                parts.found = nil
            }
        )
    }

    /// The name of the route, or its pattern; the parts of the route are read where they are, for a copy of it is
    /// large.
    var routeName: String? {
        unsafe object.withUnsafeMutablePointerToHeader { parts in
            guard let table = unsafe parts.pointee.found?.table, let lookup = unsafe parts.pointee.found?.lookup else {
                return nil
            }
            return table.displayName(of: lookup)
        }
    }

    var byteCount: Int { with { $0.byteCount } }

    /// Calls `body` with what comes with the values, in its place: taken out, it would be a copy of all of it.
    @inline(__always)
    func with<Result>(_ body: (borrowing DecisionParts) -> Result) -> Result {
        unsafe object.withUnsafeMutablePointerToHeader { unsafe body($0.pointee) }
    }

    /// Calls `body` with a view of a value; nil for one that is missing.
    @inline(__always)
    func withBytes<Result>(_ place: ByteRange, _ body: (Span<UInt8>) -> Result) -> Result? {
        guard place.start >= 0 else { return nil }
        return unsafe object.withUnsafeMutablePointers { parts, bytes in
            unsafe precondition(Int(place.end) <= parts.pointee.byteCount, "place past the bytes")
            return unsafe body(UnsafeBufferPointer(start: bytes + Int(place.start), count: place.count).span)
        }
    }

    /// The place where a value is, for as long as there is the decision; nil for one that is missing.
    @unsafe
    @inline(__always)
    func pointer(to place: ByteRange) -> UnsafeBufferPointer<UInt8>? {
        unsafe withBytes(place) { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe $0 } }
    }
}

/// The parts of a decision except for the bytes of its values.
struct DecisionParts {
    var kind: Decision.Kind
    var isUpstream = false
    var status: Int?
    var position = SourcePosition.none
    var server = ServerIndex.none
    var location = LocationIndex.none
    /// The names of the rules that decided; nil where no rules were evaluated.
    var names: ProgramNames?
    /// The route of a forwarded request; nil where none matches.
    var found: DecisionRoute?
    var places = DecisionPlaces()
    var byteCount = 0
    /// The number of bytes of the buffer.
    var capacity = 0
}

/// The place where the values of a decision are among its bytes; one that it does not have is `missing`.
struct DecisionPlaces {
    var url = Self.missing
    var target = Self.missing
    var authority = Self.missing
    var uri = Self.missing
    var arguments = Self.missing
    var body = Self.missing
    var reason = Self.missing
    // A header is the lengths of its name and its value, and then these.
    var headers = ByteRange.empty
    var successHeaders = ByteRange.empty
    var upstreamHeaders = ByteRange.empty
    /// The place where the parameters of the route have their values in the URL, two numbers each.
    var routeValues = ByteRange.empty
    /// The places of the entries of tables that supplied values, three numbers each.
    var entries = ByteRange.empty

    var all: [ByteRange] {
        [
            url, target, authority, uri, arguments, body, reason, headers, successHeaders, upstreamHeaders, routeValues,
            entries,
        ]
    }

    static var missing: ByteRange {
        @inline(__always)
        get { ByteRange(start: -1, end: -1) }
    }
}
