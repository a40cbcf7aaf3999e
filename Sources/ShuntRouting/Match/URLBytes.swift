import ShuntCore

/// Decoding of the values that routes bind.
enum URLBytes {
    /// The bytes of `range` with escapes resolved once; what is not an escape stays.
    static func decoded(_ range: ByteRange, of url: [UInt8], plus: RoutingOptions.PlusDecoding) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var index = Int(range.start)
        let end = min(Int(range.end), url.count)
        while index < end {
            var byte = url[index]
            var isEscaped = false
            if byte == UInt8(ascii: "%"), end - index > 2, let high = url[index + 1].hexadecimalValue,
                let low = url[index + 2].hexadecimalValue
            {
                byte = high << 4 | low
                isEscaped = true
                index += 2
            }
            index += 1
            if byte == UInt8(ascii: "+"), plus == .plusAndEscapedPlus || plus == .plus && !isEscaped { byte = 0x20 }
            result.append(byte)
        }
        return result
    }
}
