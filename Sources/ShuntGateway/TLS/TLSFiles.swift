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

    /// A problem of a certificate or a key.
    private struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// A key, opened with the first of the passwords that fits.
    static func key(_ bytes: [UInt8], passwords: [UInt8]?) throws -> NIOSSLPrivateKey {
        guard let passwords else {
            if let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) { return key }
            throw Problem(description: "the key is not in PEM form, or has a password: name its ssl_password_file")
        }
        for password in passwords.split(separator: UInt8(ascii: "\n")) {
            let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) { $0(Array(password)) }
            if let key { return key }
        }
        throw Problem(description: "no password of the password file opens the key")
    }

    /// The words for an error of the library.
    static func words(for error: any Error) -> String {
        switch error as? NIOSSLError {
        case .failedToLoadCertificate: "the certificate is not in PEM form"
        case .failedToLoadPrivateKey: "the key does not belong to the certificate"
        default: "\(error)"
        }
    }
}

/// The reason why TLS cannot be spoken.
public enum TLSError: Error, Hashable, CustomStringConvertible {
    /// A file with a certificate or key cannot be used: where it is named, the file and what is wrong.
    case unreadable(String, String, String)
    /// The rules need something that the gateway does not do, and that no one may miss unnoticed.
    case unsupported(String, String)
    /// The server that the client asks for has no certificate.
    case noCertificate
    /// The server refuses handshakes.
    case rejected

    /// The problem.
    public var description: String {
        switch self {
        case .unreadable(let place, let file, let problem): "\(place): cannot use \(file): \(problem)"
        case .unsupported(let place, let problem):
            "\(place): \(problem); end TLS in front of the gateway, with --listen and --trusted-proxy"
        case .noCertificate: "the server has no ssl_certificate"
        case .rejected: "the server refuses handshakes"
        }
    }
}
#endif
