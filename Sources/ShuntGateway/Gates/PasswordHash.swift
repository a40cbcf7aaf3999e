#if Gateway
import Crypto
import Glibc
import ShuntCore

/// A stored password, in one of the forms that nginx knows.
struct PasswordHash {
    private let stored: [UInt8]

    /// - Parameter stored: The text after the user's name; it ends at a NUL byte, as in C.
    init(_ stored: some Collection<UInt8>) { self.stored = Array(stored.prefix { $0 != 0 }) }

    private static let plain = Array("{PLAIN}".utf8)
    private static let salted = Array("{SSHA}".utf8)
    private static let digest = Array("{SHA}".utf8)
    private static let apache = Array("$apr1$".utf8)

    /// True if a password is checked in microseconds; others are slow on purpose.
    var isQuick: Bool { [Self.plain, Self.salted, Self.digest].contains { stored.starts(with: $0) } }

    /// Returns true if a password is the right one; nil where the machine cannot check it.
    func fits(_ password: [UInt8]) -> Bool? {
        let password = Array(password.prefix { $0 != 0 })
        let hashed =
            if stored.starts(with: Self.apache) { apacheHash(password) } else if stored.starts(with: Self.plain) {
                Self.plain + password
            } else if stored.starts(with: Self.salted) { saltedHash(password) } else if stored.starts(with: Self.digest)
            {
                Self.digest + Array(Base64.encode(Self.sha1(password)).utf8)
            } else {
                SystemCrypt.hash(password, stored)
            }
        return hashed.map { Self.areEqual($0, stored) }
    }

    /// Compares in a time that does not reveal where they differ.
    private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: SHA-1

    private static func sha1(_ bytes: [UInt8]) -> [UInt8] { Array(Insecure.SHA1.hash(data: bytes)) }

    /// The hash with the salt that is after the digest.
    private func saltedHash(_ password: [UInt8]) -> [UInt8] {
        let text = Array(stored[Self.salted.count...])
        var decoded = Base64URL.decode(text.span, isForURL: false) ?? []
        if decoded.count < 20 { decoded = [UInt8](repeating: 0, count: 20) }
        let salt = decoded[20...]
        return Self.salted + Array(Base64.encode(Self.sha1(password + salt) + salt).utf8)
    }

    // MARK: MD5

    private static func md5(_ parts: [[UInt8]]) -> [UInt8] { Array(Insecure.MD5.hash(data: parts.flatMap { $0 })) }

    /// The hash of Apache's `htpasswd`.
    private func apacheHash(_ password: [UInt8]) -> [UInt8]? {
        let salt = Array(stored[Self.apache.count...].prefix(8).prefix { $0 != UInt8(ascii: "$") })
        var digest = Self.md5([password, salt, password])
        var first = [password, Self.apache, salt]
        for start in stride(from: 0, to: password.count, by: 16) {
            first.append(Array(digest[..<min(16, password.count - start)]))
        }
        var bits = password.count
        while bits > 0 {
            first.append(bits & 1 == 1 ? [0] : [password[0]])
            bits >>= 1
        }
        digest = Self.md5(first)
        for round in 0..<1_000 {
            let isOdd = round & 1 == 1
            digest = Self.md5([
                isOdd ? password : digest, round % 3 == 0 ? [] : salt, round % 7 == 0 ? [] : password,
                isOdd ? digest : password,
            ])
        }
        var text = Self.apache + salt + [UInt8(ascii: "$")]
        for (high, middle, low) in [(0, 6, 12), (1, 7, 13), (2, 8, 14), (3, 9, 15), (4, 10, 5)] {
            let group = UInt32(digest[high]) << 16 | UInt32(digest[middle]) << 8 | UInt32(digest[low])
            Self.append(group, digits: 4, to: &text)
        }
        Self.append(UInt32(digest[11]), digits: 2, to: &text)
        return text
    }

    private static let digits = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static func append(_ group: UInt32, digits count: Int, to text: inout [UInt8]) {
        for digit in 0..<count { text.append(digits[Int(group >> UInt32(6 * digit)) & 63]) }
    }
}

/// The `crypt_r` of the C library, which is looked for when a password first needs it: the program runs without.
private enum SystemCrypt {
    private typealias Function =
        @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> UnsafeMutablePointer<
            CChar
        >?

    private static let function: Function? = {
        for name in ["libcrypt.so.1", "libcrypt.so.2"] {
            guard let library = dlopen(name, RTLD_NOW), let symbol = dlsym(library, "crypt_r") else { continue }
            return unsafeBitCast(symbol, to: Function.self)
        }
        return nil
    }()

    /// As large as the memory that any version of the library needs.
    private static let memory = 256 << 10

    /// The hash of a password; nil where there is no such function, or it fails.
    static func hash(_ password: [UInt8], _ setting: [UInt8]) -> [UInt8]? {
        guard let function else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: memory, alignment: 16) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            return (password + [0])
                .withUnsafeBytes { password in
                    (setting + [0])
                        .withUnsafeBytes { setting in
                            let result = function(
                                password.bindMemory(to: CChar.self).baseAddress,
                                setting.bindMemory(to: CChar.self).baseAddress,
                                memory.baseAddress
                            )
                            guard let result else { return nil }
                            return Array(UnsafeRawBufferPointer(start: result, count: strlen(result)))
                        }
                }
        }
    }
}
#endif
