import SeededRandom
import ShuntCore
import ShuntFleet
import Testing

@Suite("Manifests")
struct ManifestTests {
    @Test("The same files have the same name in every order")
    func sameFiles() throws {
        let files = (0..<50).map { ("rules/\($0).conf", Array("return 20\($0);".utf8)) }
        let first = try Manifest.cut(Dictionary(uniqueKeysWithValues: files))
        let second = try Manifest.cut(Dictionary(uniqueKeysWithValues: files.reversed()))
        #expect(first.manifest.name == second.manifest.name)
        #expect(first.manifest.encoded == second.manifest.encoded)
        #expect(try Manifest(decoding: first.manifest.encoded) == first.manifest)
    }

    @Test("A byte of one file changes the blobs of that file and no others")
    func oneByte() throws {
        var generator = SeededGenerator(seed: 1)
        let alphabet = Array("abc\n".utf8)
        var files: [String: [UInt8]] = [
            "a.conf": generator.bytes(alphabet, 1000), "lists/b.txt": generator.bytes(alphabet, 3 << 20),
            "empty.conf": [],
        ]
        let before = try Manifest.cut(files)
        files["lists/b.txt"]?[(2 << 20) + 5] = 0x78
        let after = try Manifest.cut(files)
        #expect(before.manifest.name != after.manifest.name)
        #expect(Set(before.blobs.keys).symmetricDifference(after.blobs.keys).count == 2)
        #expect(before.manifest.files.map(\.blobs.count) == [1, 0, 3])
        let again = try after.manifest.assemble { name throws(DocumentError) in
            guard let blob = after.blobs[name] else { throw DocumentError("test", "no blob") }
            return blob
        }
        #expect(again == files)
        #expect(after.manifest.blobs.allSatisfy { after.manifest.length(of: $0) == after.blobs[$0]?.count })
    }

    @Test(
        "Paths that lead elsewhere, and too much, are refused",
        arguments: [
            "/etc/passwd", "../x", "a/../b", "a//b", "a/", "", ".", "a/./b", "a\0b", "a\\b", "a\nb",
            String(repeating: "x", count: 1025), String(repeating: "a/", count: 17) + "a",
        ]
    )
    func paths(path: String) {
        #expect(throws: DocumentError.self) { try Manifest.cut([path: [1]]) }
    }

    @Test("Paths that are there twice, or a file and a folder, or more than the limits")
    func conflicts() throws {
        let file = #"{"path":"a","size":0,"sha256":"\#(ContentName(of: []))","blobs":[]}"#
        func read(_ files: String) throws {
            _ = try Manifest(decoding: Array(#"{"format":1,"files":[\#(files)]}"#.utf8))
        }
        try read(file)
        #expect(throws: DocumentError("manifest", "the path \"a\" is there twice")) { try read(file + "," + file) }
        #expect(throws: DocumentError("manifest", "\"a\" is a file and a folder")) {
            try Manifest.cut(["a": [], "a/b": []])
        }
        #expect(throws: DocumentError.self) { try read(file.replacing("\"size\":0", with: "\"size\":7")) }
        #expect(throws: DocumentError.self) { try read(file.replacing("\"size\":0", with: "\"size\":-1")) }
        #expect(throws: DocumentError("manifest", "format 2 is not known to this version")) {
            try Manifest(decoding: Array(#"{"format":2,"files":[]}"#.utf8))
        }
        var limits = Manifest.Limits()
        limits.files = 2
        limits.bytes = 10
        #expect(throws: DocumentError.self) { try Manifest.cut(["a": [], "b": [], "c": []], limits: limits) }
        #expect(throws: DocumentError.self) { try Manifest.cut(["a": Array(repeating: 1, count: 11)], limits: limits) }
    }

    @Test("A blob that does not fit its name makes no file")
    func wrongBlob() throws {
        let cut = try Manifest.cut(["a": [1, 2, 3]])
        #expect(throws: DocumentError("manifest", "the blobs of \"a\" do not add up to the file")) {
            try cut.manifest.assemble { _ in [1, 2, 4] }
        }
    }
}
