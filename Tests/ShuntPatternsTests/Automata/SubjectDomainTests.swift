import SeededRandom
import ShuntCore
import ShuntPatterns
import Testing

/// Nothing that the parsers let through is outside its domain.
@Suite struct SubjectDomainTests {
    @Test func pathsOfRequestsAreInTheirDomain() throws {
        for mergesSlashes in [true, false] {
            let domain = try SubjectDomain.path(mergesSlashes: mergesSlashes).automaton()
            var random = SeededGenerator(seed: 7)
            var parsed = 0
            for _ in 0..<20_000 {
                let pieces = (0..<(1 + random.below(7)))
                    .map { _ in
                        random.pick([
                            "/", "/", ".", "..", "a", "%2F", "%2e", "%00", "//", "%20", "?x", "%25", "b.", "%0A",
                        ])
                    }
                let target = Array(("/" + pieces.joined()).utf8)
                let arena = ByteArena()
                let source = arena.adding(target)
                guard let result = try? RequestTarget.parse(source, in: arena, mergeSlashes: mergesSlashes) else {
                    continue
                }
                parsed += 1
                let path = arena.bytes(result.path)
                #expect(domain.accepts(path), "\(target.text) as \(path.text)")
            }
            #expect(parsed > 5_000)
        }
    }

    @Test func urlsAreInTheirDomain() throws {
        let domain = try SubjectDomain.url.automaton()
        var random = SeededGenerator(seed: 8)
        var parsed = 0
        for _ in 0..<20_000 {
            let rest = random.bytes(Array("ab:/?#@.[]% \n\u{7f}é".utf8), random.below(13))
            let url = Array(random.pick(["http://", "kl:", "K1+-.://", "1a:", "a\n:", ""]).utf8) + rest
            guard (try? URLParser.parse(url.span)) != nil else { continue }
            parsed += 1
            #expect(domain.accepts(url), "\(url.text)")
        }
        #expect(parsed > 1_000)
    }

    @Test func hostsAreInTheirDomain() throws {
        let domain = try SubjectDomain.host.automaton()
        var random = SeededGenerator(seed: 9)
        var parsed = 0
        for _ in 0..<20_000 {
            let host = random.bytes(Array("abAB.-:[]1/ \n_%é".utf8), random.below(11))
            let arena = ByteArena()
            guard let name = try? HostName.normalise(arena.adding(host), in: arena) else { continue }
            parsed += 1
            #expect(domain.accepts(arena.bytes(name)), "\(host.text)")
        }
        #expect(parsed > 1_000)
    }

    @Test func domainsLeaveOutWhatCannotBe() throws {
        let path = try SubjectDomain.path(mergesSlashes: true).automaton()
        for subject in ["", "a", "/a//b", "/a/../b", "/.", "/a/..", "/a\0"] { #expect(!path.accepts(subject.utf8)) }
        for subject in ["/", "/a", "/a/", "/.a", "/a..", "/...", "/a\n"] { #expect(path.accepts(subject.utf8)) }
        #expect(try SubjectDomain.path(mergesSlashes: false).automaton().accepts("/a//b".utf8))
        let url = try SubjectDomain.url.automaton()
        for subject in ["", "a", "1:", ":a", "http://a\n"] { #expect(!url.accepts(subject.utf8)) }
        #expect(try !SubjectDomain.host.automaton().accepts("A".utf8))
        #expect(try SubjectDomain.any.automaton().isUniversal)
    }

    /// A rule that looks dead is not, because `%3F` decodes to `?`.
    @Test func aQuestionMarkCanBeInAPath() throws {
        let paths = Language.automaton(try SubjectDomain.path(mergesSlashes: true).automaton())
        #expect(try Language.intersection([language("\\?id=1"), paths]).shortestSubject()?.text == "/?id=1")
    }
}

extension ByteArena {
    /// Appends `bytes` and returns where they are.
    fileprivate func adding(_ bytes: [UInt8]) -> ByteRange {
        let start = mark
        append(bytes)
        return range(from: start)
    }

    fileprivate func bytes(_ range: ByteRange) -> [UInt8] {
        withBytes(range) { span in span.indices.map { span[$0] } }
    }
}
