#if Gateway
import NIOSSL
import ShuntCore

/// The files of certificates and keys that rules name.
struct TLSFiles: Sendable {
    /// The directory that paths are relative to.
    let directory: String
    let files: any FileSystem

    /// The content of a file.
    ///
    /// - Parameters:
    ///   - bytes: Its path, as the rules have it.
    ///   - place: The place where they name it.
    /// - Returns: Its bytes.
    /// - Throws: The reason why it cannot be read.
    func read(_ bytes: [UInt8], at place: String) throws(TLSError) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard !text.contains("$") else { throw .unsupported(place, "the path \(text) has a variable") }
        let path = text.hasPrefix("/") ? text : directory + "/" + text
        do throws(FileError) {
            return try files.read(try files.realPath(path), limit: 1 << 20)
        } catch {
            throw .unreadable(place, path, "\(error)")
        }
    }

    /// A key, opened with the first of the passwords that fits.
    static func key(_ bytes: [UInt8], passwords: [UInt8]?) throws -> NIOSSLPrivateKey {
        guard let passwords else { return try NIOSSLPrivateKey(bytes: bytes, format: .pem) }
        var failure: (any Error)?
        for password in passwords.split(separator: UInt8(ascii: "\n")) {
            do {
                return try NIOSSLPrivateKey(bytes: bytes, format: .pem) { $0(Array(password)) }
            } catch {
                failure = error
            }
        }
        throw failure ?? TLSError.noCertificate
    }
}
#endif
