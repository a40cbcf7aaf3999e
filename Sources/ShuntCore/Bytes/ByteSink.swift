/// A value that bytes are appended to: an array, or the arena of an evaluation.
protocol ByteSink {
    mutating func append(_ byte: UInt8)
}

extension [UInt8]: ByteSink {}

extension ByteArena: ByteSink {}

extension ByteSink {
    /// Appends a number in decimal, with at least so many digits.
    @inline(__always) mutating func append(_ number: Int64, digits: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var unit: UInt64 = 1
        var count = 1
        while count < digits || magnitude / unit >= 10 { (unit, count) = (unit * 10, count + 1) }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / unit % 10))
            unit /= 10
        }
    }
}

extension ByteArena {
    /// Appends a number in decimal, with at least so many digits.
    package func append(decimal number: Int, digits: Int = 1) {
        var arena = self
        arena.append(Int64(number), digits: digits)
    }

    package func append(text: String) {
        var text = text
        text.withUTF8 { unsafe append($0.span) }
    }

    package func append(_ address: InternetAddress) {
        var arena = self
        address.append(to: &arena)
    }

    /// Appends the four or sixteen bytes of an address in network order.
    package func append(bytesOf address: InternetAddress) {
        for index in 0..<address.bitCount / 8 { append(address.networkByte(index)) }
    }

    /// Appends a moment in a form, as a clock shows it that is `offset` minutes ahead of UTC.
    package func append(_ moment: Timestamp, as form: TimeForm, offset: Int = 0) {
        var arena = self
        moment.append(form, offset: offset, to: &arena)
    }
}
