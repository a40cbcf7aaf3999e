import TestFolder
import Testing

/// Statement M8: URLs in sources against a list of addresses.
@Suite("shunt links check")
struct LinksCommandTests {
    private static let table = """
        [{"pattern": "kl://AModule/server", "id": "AModule.server"},
         {"pattern": "kl://Item/:id(uint)", "id": "Item.show"}]
        """

    @Test("Each URL that leads nowhere is reported with its place and the nearest address")
    func deadLinks() throws {
        let folder = try TestFolder([
            "table.json": Self.table,
            "Sources/A.swift": """
            open("kl://AModule/server?value=1")
            open("kl://AModule/serverr?value=1")
            open("kl://Item/seven"); open("kl://Item/7")
            open("kl://Item/\\(id)"); open("kl://Itme/\\(id)")
            open("https://elsewhere.test/"); open("xkl://AModule/no")

            """,
            "Sources/.hidden/B.swift": "kl://nothing/here",
        ])
        let outcome = try folder.run(["links", "check", "--table", "table.json", "--scheme", "kl", "Sources"])
        let errors = outcome.lines.filter { $0.contains("error:") }
        #expect(
            errors == [
                "Sources/A.swift:2:7: error: \"kl://AModule/serverr?value=1\" leads nowhere",
                "Sources/A.swift:3:7: error: \"kl://Item/seven\" leads nowhere",
                "Sources/A.swift:4:32: error: \"kl://Itme/\" leads nowhere",
            ]
        )
        #expect(outcome.lines.contains { $0.contains("did you mean \"kl://AModule/server\"?") })
        #expect(outcome.lines.last == "6 URLs, 3 errors")
        #expect(outcome.status == 1)
    }

    @Test("Sources whose URLs all lead somewhere are fine; what cannot be read is not")
    func fine() throws {
        let folder = try TestFolder(["table.json": Self.table, "a.txt": "see kl://Item/7, and kl://AModule/server."])
        let arguments = ["links", "check", "--table", "table.json", "--scheme", "kl"]
        let outcome = try folder.run(arguments + ["a.txt"])
        #expect(outcome.lines == ["2 URLs, no errors"] && outcome.status == 0)
        #expect(try folder.run(arguments + ["missing.txt"]).status == 1)
        #expect(try folder.run(arguments).status == 2)
    }
}
