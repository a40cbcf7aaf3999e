#if Command && Fleet
import ArgumentParser
import Shunt
import ShuntFleet

enum FleetPlace {
    static func store(_ name: String) throws -> any ReleaseStore {
        switch scheme(of: name) {
        case "etcd", "etcds": return try etcd(name)
        case "http", "https": throw ValidationError("\(name) can only be read: name the directory itself, or an etcd.")
        default: return ReleaseTree(path(name))
        }
    }

    /// `etcd://HOST:PORT,HOST:PORT/NAMESPACE`, or with `etcds` for TLS; what is secret is in the environment.
    private static func etcd(_ name: String) throws -> any ReleaseStore {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[1].isEmpty, !parts[2].isEmpty, !parts[3].isEmpty else {
            throw ValidationError("'\(name)' is not etcd://HOST:PORT,HOST:PORT/NAMESPACE.")
        }
        let scheme = scheme(of: name) == "etcds" ? "https" : "http"
        var options = EtcdOptions(endpoints: parts[2].split(separator: ",").map { "\(scheme)://\($0)" })
        options.authorities = FleetRun.environment("SHUNT_ETCD_AUTHORITIES")
        options.certificate = FleetRun.environment("SHUNT_ETCD_CERTIFICATE")
        options.key = FleetRun.environment("SHUNT_ETCD_KEY")
        options.user = FleetRun.environment("SHUNT_ETCD_USER")
        if let path = FleetRun.environment("SHUNT_ETCD_PASSWORD_FILE") {
            let bytes = try KeyPaths.read(path, 4096).filter { $0 > 0x20 && $0 != 0x7f }
            options.password = String(decoding: bytes, as: UTF8.self)
        }
        do throws(FleetError) {
            return try EtcdCarrier(options, namespace: parts[3])
        } catch {
            throw ValidationError("\(error)")
        }
    }

    static func carrier(_ name: String) throws -> any FleetCarrier {
        switch scheme(of: name) {
        case "http", "https":
            do throws(FleetError) { return try HTTPCarrier(name) } catch { throw ValidationError("\(error)") }
        default: return try store(name)
        }
    }

    /// Ends the command if there is no store at a path that is only read.
    static func check(_ name: String) throws {
        guard [nil, "file"].contains(scheme(of: name)) else { return }
        guard (try? LocalFileSystem().attributes(path(name)))?.kind != .directory else { return }
        throw KeyPaths.unusable(name.isEmpty ? "\"\"" : name, "there is no directory of releases")
    }

    /// Returns true if a name is that of a place with releases rather than of rule files.
    static func isCarrier(_ name: String) -> Bool { scheme(of: name) != nil }

    private static func scheme(of name: String) -> String? {
        guard let colon = name.firstIndex(of: ":") else { return nil }
        let scheme = name[..<colon].lowercased()
        return ["etcd", "etcds", "file", "http", "https"].contains(scheme) ? scheme : nil
    }

    private static func path(_ name: String) -> String {
        guard scheme(of: name) == "file" else { return name }
        let rest = name.dropFirst(5)
        return String(rest.hasPrefix("///") ? rest.dropFirst(2) : rest)
    }
}

enum KeyPaths {
    static func secret(_ path: String) throws -> SecretKey {
        let bytes = try read(path, SecretKey.longest)
        do throws(FleetError) { return try SecretKey(decoding: bytes) } catch { throw unusable(path, error) }
    }

    static func keyFile(_ path: String) throws -> KeyFile {
        let bytes = try read(path, Envelope.longest)
        do throws(DocumentError) { return try KeyFile(decoding: bytes) } catch { throw unusable(path, error) }
    }

    /// The public half of a key, from its own file or from that of the secret.
    static func publicHalf(_ path: String) throws -> KeyFile.Key {
        let bytes = try read(path, SecretKey.longest)
        if let secret = try? SecretKey(decoding: bytes) { return secret.publicHalf }
        do throws(DocumentError) { return try KeyFile.Key(decoding: bytes) } catch { throw unusable(path, error) }
    }

    static func read(_ path: String, _ limit: Int) throws -> [UInt8] {
        do throws(FileError) { return try InputFile.read(path, limit: limit) } catch { throw unusable(path, error) }
    }

    static func unusable(_ path: String, _ error: some CustomStringConvertible) -> any Error {
        Failure.error("\(path): \(error)")
    }
}
#endif
