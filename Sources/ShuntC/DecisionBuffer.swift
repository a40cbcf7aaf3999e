#if compiler(>=6.3)
import CShunt
import Shunt

/// The buffer of a caller, which is filled from its beginning; what does not fit is counted.
///
/// Sound: nothing is written outside of the capacity, which the caller states.
struct DecisionBuffer {
    private let base: UnsafeMutableRawPointer?
    private let capacity: Int
    private(set) var needed = 0

    init(_ base: UnsafeMutableRawPointer?, capacity: Int) {
        self.base = base
        self.capacity = base == nil ? 0 : capacity
    }

    var fits: Bool { needed <= capacity }

    private mutating func take(_ count: Int, alignment: Int = 1) -> UnsafeMutableRawPointer? {
        let start = needed
        // Another buffer may be aligned in another way.
        needed += count + alignment - 1
        guard needed <= capacity, let base = base else { return nil }
        let place = base + start
        return place.alignedUp(toMultipleOf: alignment)
    }

    mutating func text(_ bytes: Span<UInt8>) -> shunt_text {
        guard let place = take(bytes.count + 1) else { return shunt_text() }
        bytes.withUnsafeBytes { source in
            if let start = source.baseAddress { place.copyMemory(from: start, byteCount: source.count) }
        }
        place.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
        return shunt_text(bytes: place.assumingMemoryBound(to: CChar.self), length: bytes.count)
    }

    mutating func text(_ text: String?) -> shunt_text {
        guard let text else { return shunt_text() }
        return self.text(text.utf8Span.span)
    }

    /// Writes fields, and returns the place of the first, nil where none fits, and their number; `body` runs twice.
    mutating func fields(
        _ body: ((Span<UInt8>, Span<UInt8>) -> Void) -> Void
    ) -> (place: UnsafePointer<shunt_field>?, count: Int) {
        var count = 0
        body { _, _ in count += 1 }
        guard count > 0 else { return (nil, 0) }
        let place = take(MemoryLayout<shunt_field>.stride * count, alignment: MemoryLayout<shunt_field>.alignment)
        let fields = place?.bindMemory(to: shunt_field.self, capacity: count)
        var index = 0
        body { name, value in
            let field = shunt_field(name: text(name), value: text(value))
            if let fields = fields { fields[index] = field }
            index += 1
        }
        return (UnsafePointer(fields), count)
    }
}
#endif
