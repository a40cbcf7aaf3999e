import SeededRandom

/// Changes an input here and there, mostly into one that is read as far as the one before.
struct InputMutation {
    /// The most bytes of an input, as libFuzzer has it where no input is longer.
    static let longest = 4096

    private static let telling: [UInt8] =
        Array("\0\t\n \"#$%&'()*+,-./0:;<=>?@AZ[\\]^_`az{|}~".utf8) + [0x7f, 0x80, 0xc3, 0xff]

    /// The inputs that parts are taken from; at least one.
    let corpus: [[UInt8]]

    /// Makes one to five changes.
    func change(_ input: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0..<(1 + random.below(5)) { changeOnce(&input, &random) }
        if input.count > Self.longest { input.removeLast(input.count - Self.longest) }
    }

    private func changeOnce(_ input: inout [UInt8], _ random: inout SeededGenerator) {
        let place = random.below(input.count + 1)
        let part = place..<min(input.count, place + 1 + random.below(random.chance(80) ? 8 : 256))
        switch random.below(10) {
        case 0: if place < input.count { input[place] ^= 1 << UInt8(random.below(8)) }
        case 1: if place < input.count { input[place] = UInt8(truncatingIfNeeded: random.next()) }
        case 2: if place < input.count { input[place] = random.pick(Self.telling) }
        case 3: input.insert(random.pick(Self.telling), at: place)
        case 4: input.removeSubrange(part)
        case 5: input.insert(contentsOf: input[part], at: random.below(input.count + 1))
        case 6: input.insert(contentsOf: piece(&random), at: place)
        case 7: input.replaceSubrange(part, with: piece(&random))
        case 8:
            let other = random.pick(corpus)
            input.replaceSubrange(place..., with: other[random.below(other.count + 1)...])
        default: changeNumber(&input, from: place, &random)
        }
    }

    /// A piece of one of the inputs.
    private func piece(_ random: inout SeededGenerator) -> ArraySlice<UInt8> {
        let other = random.pick(corpus)
        let start = random.below(other.count + 1)
        return other[start..<min(other.count, start + 1 + random.below(64))]
    }

    /// Writes another number where the next one is.
    private func changeNumber(_ input: inout [UInt8], from place: Int, _ random: inout SeededGenerator) {
        func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
        guard let start = input[place...].firstIndex(where: isDigit) else { return }
        let end = input[start...].firstIndex { !isDigit($0) } ?? input.count
        let limits: [UInt64] = [0, 1, 9, 255, 256, 65_535, 65_536, 1 << 31, 1 << 32, 1 << 63, .max]
        let number =
            random.chance(50)
            ? random.pick(limits) &+ UInt64(random.below(3)) &- 1 : random.next() >> random.next() % 64
        input.replaceSubrange(start..<end, with: String(number).utf8)
    }
}
