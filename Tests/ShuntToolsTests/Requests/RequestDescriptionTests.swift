import Shunt
import ShuntTools
import Testing

@Suite("Requests as they are written down")
struct RequestDescriptionTests {
    @Test(
        "An object that was read is written as it was",
        arguments: [
            #"{"url":"kl://Pay/checkout?id=1"}"#,
            #"{"target":"/a?b=c","host":"www.example.com","method":"POST"}"#,
            #"{"target":"/a","headers":[["User-Agent","x"],["X-A","1"],["X-A","2"]]}"#,
            #"{"url":"kl://Pay","input":{"app_version":"3.1.9","platform":"ios"}}"#,
            #"{"target":"/a","remote_addr":"203.0.113.9","listen":"[::1]:443","time":"2026-03-01T05:00:00Z"}"#,
            #"{"target":"/a","listen":"unix:/run/a.sock"}"#,
            #"{"target":"/a","files":["/www/a","/www/b/"],"weight":12}"#,
            "{\"target\":\"/\u{ff}\",\"host\":\"\u{e9}.example\",\"latin1\":true}",
        ]
    )
    func roundTrip(text: String) throws {
        let description = try RequestDescription(line: Array(text.utf8))
        #expect(String(decoding: description.json, as: UTF8.self) == text)
    }

    @Test("A target with a scheme is shown without the Host")
    func absoluteTarget() throws {
        let line = #"{"target":"http://b.example/a","host":"a.example","method":"POST"}"#
        #expect(try RequestDescription(line: Array(line.utf8)).description == "POST http://b.example/a")
    }

    @Test("A line that is a URL becomes an object")
    func plainLine() throws {
        let description = try RequestDescription(line: Array("https://example.com/a".utf8))
        #expect(String(decoding: description.json, as: UTF8.self) == #"{"url":"https://example.com/a"}"#)
        #expect(description.fileSystem == nil)
    }

    @Test("Bytes that are not UTF-8 survive, also next to those that are")
    func bytes() throws {
        var request = RuleRequest(target: [0x2f, 0xff], host: Array("ä.example".utf8))
        request.inputs["v"] = [0xfe]
        let read = try RequestDescription(line: RequestDescription(request).json)
        #expect(read.request.subject == request.subject)
        #expect(read.request.inputs == request.inputs)
    }

    @Test(
        "Mistakes are reported",
        arguments: [
            (#"{"target":"/a","files":"/www/a"}"#, #""files" must be an array, not a string"#),
            (#"{"target":"/a","files":[1]}"#, #""files" needs a string, not a number"#),
            (#"{"target":"/a","weight":0}"#, #""weight" is not a whole number above zero"#),
            (#"{"target":"/a","wieght":2}"#, #"unknown member "wieght", did you mean "weight"?"#),
            (#"{"url":"kl://a","remote":"192.0.2.1"}"#, #"unknown member "remote", did you mean "remote_addr"?"#),
        ]
    )
    func problems(text: String, problem: String) {
        #expect(throws: RequestError(problem)) { try RequestDescription(line: Array(text.utf8)) }
    }

    @Test("Only the files that are named exist")
    func files() throws {
        let description = RequestDescription(RuleRequest(target: "/", host: nil), files: ["/www/a.html", "/www/d/"])
        let files = try #require(description.fileSystem)
        #expect(try files.attributes("/www/a.html").kind == .regular)
        #expect(try files.attributes("/www/d").kind == .directory)
        #expect(throws: FileError.self) { try files.attributes("/www/b.html") }
        #expect("\(description)" == "/ {with /www/a.html, with /www/d/}")
    }
}
