#if Fleet
import ShuntCore
import ShuntFleet
import Testing

@Suite("Signatures")
struct Ed25519Tests {
    /// RFC 8032, section 7.1, test 2.
    static let seed = bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    static let publicKey = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    static let signature = bytes(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )

    static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    @Test("The example of the standard")
    func standard() throws {
        let key = try #require(Ed25519.SigningKey(seed: Self.seed))
        #expect(key.publicKey == Self.publicKey)
        #expect(key.seed == Self.seed)
        #expect(Ed25519().isValid(Self.signature, of: [0x72], by: Self.publicKey))
        #expect(!Ed25519().isValid(Self.signature, of: [0x73], by: Self.publicKey))
    }

    @Test("Bytes of another length are neither a key nor a signature")
    func lengths() {
        #expect(Ed25519.SigningKey(seed: [1, 2, 3]) == nil)
        #expect(!Ed25519().isValid([], of: [0x72], by: Self.publicKey))
        #expect(!Ed25519().isValid(Self.signature, of: [0x72], by: []))
        #expect(!Ed25519().isValid(Self.signature + [0], of: [0x72], by: Self.publicKey))
    }

    @Test("One flipped bit of signature, message or key is refused")
    func everyBit() throws {
        let key = try #require(Ed25519.SigningKey(seed: Self.seed))
        let message = Array("DSSEv1 4 text 2 41".utf8)
        let signature = try key.sign(message)
        #expect(Ed25519().isValid(signature, of: message, by: Self.publicKey))
        func flipped(_ bit: Int, _ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            return bytes
        }
        for bit in 0..<(8 * signature.count) {
            #expect(!Ed25519().isValid(flipped(bit, signature), of: message, by: Self.publicKey))
        }
        for bit in 0..<(8 * message.count) {
            #expect(!Ed25519().isValid(signature, of: flipped(bit, message), by: Self.publicKey))
        }
        for bit in 0..<256 {
            #expect(!Ed25519().isValid(signature, of: message, by: flipped(bit, Self.publicKey)))
        }
    }
}
#endif
