#if Gateway
import ShuntCore

/// The parts of a file that a request asks for, read as nginx reads them.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-14.2
enum FileRanges: Equatable {
    /// The request is for all of it.
    case whole
    case parts([Range<Int>])
    /// The file has none of the parts, or the list is invalid.
    case unsatisfiable

    /// - Parameters:
    ///   - value: The header Range; nil without one.
    ///   - size: The size of the file.
    ///   - limit: The most parts of an answer.
    init(_ value: [UInt8]?, size: Int, limit: Int) {
        guard let value, value.count >= 7, value[..<6].map(\.asciiLowercased).elementsEqual("bytes=".utf8) else {
            self = .whole
            return
        }
        var list = RangeList(rest: value[6...])
        var parts: [Range<Int>] = []
        var total = 0
        repeat {
            guard let (start, wanted) = list.next(size: size) else {
                self = .unsatisfiable
                return
            }
            if start < wanted {
                let end = min(wanted, size)
                guard parts.count < limit, total <= Int.max - size else {
                    self = .whole
                    return
                }
                parts.append(start..<end)
                total += end - start
            } else if start == 0 {
                self = .whole
                return
            }
        } while list.takeComma()
        self = parts.isEmpty ? .unsatisfiable : total > size ? .whole : .parts(parts)
    }
}

/// The list of a header Range that is not read yet.
private struct RangeList {
    var rest: ArraySlice<UInt8>

    mutating func takeComma() -> Bool {
        guard rest.first == UInt8(ascii: ",") else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// The next part, which may be longer than the file, or empty; nil where there is something else.
    mutating func next(size: Int) -> (Int, Int)? {
        var start: Int?
        skipBlanks()
        if rest.first != UInt8(ascii: "-") {
            guard let number = number() else { return nil }
            start = number
            skipBlanks()
        }
        guard rest.first == UInt8(ascii: "-") else { return nil }
        rest = rest.dropFirst()
        if let start {
            skipBlanks()
            if isAtEnd { return (start, max(size, 0)) }
        }
        guard let end = number() else { return nil }
        skipBlanks()
        guard isAtEnd else { return nil }
        guard let start else { return (end < size ? size - end : 0, size) }
        return (start, end >= size ? size : end + 1)
    }

    private var isAtEnd: Bool { rest.isEmpty || rest.first == UInt8(ascii: ",") }

    private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 } }

    private mutating func number() -> Int? {
        let digits = rest.prefix(while: \.isASCIIDigit)
        rest = rest.dropFirst(digits.count)
        return digits.decimalInteger
    }
}
#endif
