import ShuntInterfaces
import ShuntLinks
import Testing

/// The texts of errors of links, as a log has them.
@Suite struct LinkErrorTests {
    @Test(
        "An error of a link is one sentence",
        arguments: [
            (
                LinkError.unknown(url: "kl://Itm/7", miss: nil, known: [], suggestion: "kl://Item/:id"),
                #"no address matches "kl://Itm/7"; did you mean "kl://Item/:id"?"#
            ), (.notExposed(name: "A.secret", to: Caller(.web)), #""A.secret" is not exposed to .web"#),
            (.notAttached(slot: "Ride"), #"no scope with this input is attached in the slot of "Ride""#),
            (.wrongType(name: "A.list", wanted: "Int", found: "String"), #""A.list" returned String, not Int"#),
            (.refused(filter: "signed in", reason: "no user"), #"the filter "signed in" refused the URL: no user"#),
            (.tooDeep(urls: ["a://b", "a://c"]), "URLs open each other: a://b, a://c"),
            (.tooLarge(limit: 64), "the body is larger than 64 bytes"),
            (.notReady, "the modules do not run, or did not start in time"),
        ]
    )
    func texts(error: LinkError, text: String) { #expect("\(error)" == text) }

    @Test("Wrong parameters are named, all at once")
    func parameters() async throws {
        try await open([ModuleA()]) { (links, _) async throws in
            let error = await #expect(throws: LinkError.self) {
                try await links.open("demo://A/detail", from: Caller(.link))
            }
            #expect(error.map { "\($0)" } == #"the parameters do not fit "A.detail": key is missing"#)
        }
    }
}
