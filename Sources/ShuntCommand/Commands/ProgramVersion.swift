#if Command
import CPCRE2
import CVersion

enum ProgramVersion {
    /// The version, the commit if it is known, and the version of PCRE2 that the program has loaded.
    static var text: String {
        let commit = String(cString: shunt_commit())
        return "shunt \(SHUNT_VERSION) (\(commit.isEmpty ? "" : "commit \(commit), ")PCRE2 \(pcre2))"
    }

    /// The number before the date in PCRE2's version.
    private static var pcre2: Substring {
        let size = pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil)
        var bytes = [UInt8](repeating: 0, count: max(0, Int(size)))
        pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &bytes)
        return String(decoding: bytes, as: UTF8.self).prefix { $0 != " " && $0 != "\0" }
    }
}
#endif
