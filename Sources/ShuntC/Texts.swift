#if compiler(>=6.3)
import CShunt

extension shunt_text {
    /// The bytes; nil if a length has no bytes, or is negative.
    var buffer: UnsafeRawBufferPointer? {
        guard length >= 0 else { return nil }
        guard let bytes = bytes else { return length == 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : nil }
        return UnsafeRawBufferPointer(start: bytes, count: length)
    }

    /// The text, repaired where it is not UTF-8; nil as for `buffer`.
    var string: String? {
        guard let buffer = buffer else { return nil }
        return String(decoding: buffer, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Replaces the bytes, and keeps the memory of those before; false if `text` is invalid.
    mutating func replace(with text: shunt_text) -> Bool {
        guard let buffer = text.buffer else { return false }
        removeAll(keepingCapacity: true)
        append(contentsOf: buffer)
        return true
    }
}

extension String {
    /// Replaces the text where there is another one; false if `text` is invalid.
    ///
    /// Mostly it is the same one, which then costs no memory.
    mutating func replace(with text: shunt_text, unlessEmpty usual: String) -> Bool {
        guard let buffer = text.buffer else { return false }
        if buffer.isEmpty {
            if self != usual { self = usual }
        } else if !(utf8.elementsEqual(buffer)) {
            self = String(decoding: buffer, as: UTF8.self)
        }
        return true
    }
}

/// Texts that a caller frees with `shunt_free`.
enum OwnedText {
    /// Passes a text to the caller; a NUL byte in it is left out, as it would end the text.
    static func give(_ bytes: [UInt8], to place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
        guard let place = place else { return }
        place.pointee = make(bytes)
    }

    static func give(_ text: String, to place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
        give(Array(text.utf8), to: place)
    }

    /// Sound: `shunt_free` frees what was allocated; all bytes are written.
    static func make(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
        let text = bytes.filter { $0 != 0 }
        let characters = UnsafeMutablePointer<CChar>.allocate(capacity: text.count + 1)
        for (index, byte) in text.enumerated() { characters[index] = CChar(bitPattern: byte) }
        characters[text.count] = 0
        return characters
    }
}

/// Frees what `OwnedText` passed to the caller.
@c @implementation
public func shunt_free(_ text: UnsafeMutablePointer<CChar>!) { text?.deallocate() }
#endif
