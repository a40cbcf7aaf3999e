import ShuntCore

/// The files of an archive that tar has made, as `git archive` writes it: POSIX.1-2001 with its extended headers.
enum TarFile {
    static func read(_ bytes: [UInt8], below directory: String) throws(Problem) -> InMemoryFileSystem {
        var files = InMemoryFileSystem()
        files.set(directory, .directory)
        var extended: [String: String] = [:]
        var offset = 0
        while offset + 512 <= bytes.count {
            let header = bytes[offset..<offset + 512]
            if header.allSatisfy({ $0 == 0 }) { return files }
            let digits = text(header, at: 124, count: 12).filter { $0 != " " }
            guard let size = Int(digits, radix: 8), size >= 0, offset + 512 + size <= bytes.count else {
                throw Problem("the archive is cut off, or none")
            }
            let content = Array(bytes[offset + 512..<offset + 512 + size])
            offset += 512 + (size + 511) / 512 * 512
            let prefix = text(header, at: 345, count: 155)
            let short = text(header, at: 0, count: 100)
            let name = extended["path"] ?? (prefix.isEmpty ? short : "\(prefix)/\(short)")
            let path = directory + "/" + name
            switch header[header.startIndex + 156] {
            case UInt8(ascii: "x"):
                extended = records(content)
                continue
            case UInt8(ascii: "g"): continue
            case UInt8(ascii: "5"): files.set(path, .directory)
            case UInt8(ascii: "2"): files.set(path, .link(extended["linkpath"] ?? text(header, at: 157, count: 100)))
            case UInt8(ascii: "0"), 0: files.set(path, .file(content))
            default: break
            }
            extended = [:]
        }
        throw Problem("the archive is cut off, or none")
    }

    private static func text(_ header: ArraySlice<UInt8>, at offset: Int, count: Int) -> String {
        let start = header.startIndex + offset
        return String(decoding: header[start..<start + count].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The records `LENGTH KEY=VALUE` of an extended header.
    private static func records(_ content: [UInt8]) -> [String: String] {
        var result: [String: String] = [:]
        var rest = content[...]
        while let space = rest.firstIndex(of: 0x20),
            let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length > space - rest.startIndex,
            length <= rest.count
        {
            let record = rest[(space + 1)..<rest.startIndex + length].dropLast()
            if let equals = record.firstIndex(of: UInt8(ascii: "=")) {
                let key = String(decoding: record[..<equals], as: UTF8.self)
                result[key] = String(decoding: record[(equals + 1)...], as: UTF8.self)
            }
            rest = rest[(rest.startIndex + length)...]
        }
        return result
    }
}
