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
                "Sources/A.swift:2:7: error: \"kl://AModule/serverr?value=1\" leads nowhere [dead-link]",
                "Sources/A.swift:3:7: error: \"kl://Item/seven\" leads nowhere [dead-link]",
                "Sources/A.swift:4:32: error: \"kl://Itme/\\(id)\" leads nowhere [dead-link]",
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
        for scheme in ["kl://", "kl:", "", "https"] {
            let wrong = try folder.run(["links", "check", "--table", "table.json", "--scheme", scheme, "a.txt"])
            #expect(wrong.status == 2 && wrong.errors.contains("scheme"), "\(scheme) \(wrong.errors)")
        }
        #expect(try folder.run(["links", "check", "--table", "no.json", "--scheme", "kl", "a.txt"]).status == 3)
    }

    @Test("A long line is cut")
    func longLine() throws {
        let urls = String(repeating: "\"kl://zz/y\",", count: 500)
        let folder = try TestFolder(["table.json": Self.table, "a.js": "let a = [" + urls + "]"])
        let outcome = try folder.run(["links", "check", "--table", "table.json", "--scheme", "kl", "a.js"])
        #expect(outcome.lines.last == "500 URLs, 500 errors")
        #expect(outcome.lines.count { $0.contains("^") } < 500)
    }

    private static let shop = """
        [{"pattern": "kl://Shop/:shop/item/:id", "id": "Shop.item"}, {"pattern": "kl://Pay/checkout/:id", "id": "Pay.checkout"},
         {"pattern": "kl://User/:id(uint)", "id": "User.show"}, {"pattern": "kl://Day/:d(date)", "id": "Day.show"},
         {"pattern": "kl://Id/:u(uuid)", "id": "Id"}, {"pattern": "kl://Flag/:b(bool)", "id": "Flag"},
         {"pattern": "kl://Pay/history", "id": "Pay.history"}, {"pattern": "https://*.example.com/files/*path", "id": "Files"}]
        """

    @Test(
        "Interpolations of every language are compared with what the routes take",
        arguments: [
            (#"let a = "kl://Shop/main/item/\(id)""#, true),
            (#"let a = "kl://Shop/\(shop)/item/\(item(of: "x"))""#, true),
            (#"let b = "kl://pay/checkout/\(id)""#, true), (#"let c = "kl://Day/2026-\(m)-01""#, true),
            (#"let c = "kl://Day/\(y)-\(m)-\(d)""#, true), (#"let c = "kl://Day/\(y)-13-01""#, false),
            (#""kl://Day/2024-1\(x)""#, true), (#""kl://Day/\(x)01-01""#, true),
            (#""kl://Day/2024-\(monthAndDay)""#, true),
            (#""kl://Day/\(y)-02-29""#, true), (#""kl://Day/\(y)-02-30""#, false), (#""kl://Day/2023-02-2\(x)""#, true),
            (#""kl://Id/00000000-0000-0000-0000-\(node)""#, true), (#""kl://Id/\(a)-\(b)""#, true),
            (#""kl://Id/\(a)-89ab-cdef-0123-456789abcdef""#, true), (#""kl://Id/\(a)-89abc-\(b)""#, false),
            (#""kl://Flag/t\(x)""#, true), (#""kl://Flag/x\(y)""#, false),
            (#"val b = "kl://User/$id""#, true), (#"val b = "kl://User/${user.id}/""#, true),
            (#"u = f"kl://User/{uid}""#, true),
            (#"u = $"kl://User/{user.Id}?x=1""#, true), (#"format!("kl://User/{}", id)"#, true),
            (#"`kl://User/${id}`"#, true),
            (#""kl://User/#{id}""#, true), (#"String.format("kl://User/%d?from=%s", id, a)"#, true),
            (#"@"kl://User/%@""#, true), (#""kl://User/%05d""#, true), (#""kl://User/%10lu""#, true),
            (#""kl://Usr/%05d""#, false), (#""kl://User/%0d%0a""#, false),
            (#""kl://User/%37""#, true), (#""kl://User/" + id"#, true), (#"'kl://User/' . $id"#, true),
            (#""kl://Usr/" + id"#, false),
            (#""kl://User/abc\(id)""#, false), (#""kl://Pay/\(page)""#, true), (#""kl://Pay/\(page)/x/y""#, false),
            (#""kl://Shop/\(a)/items/\(b)""#, false), (#""kl:\/\/Pay\/histroy""#, false),
            (#""kl:\/\/Pay\/history""#, true),
            (#""KL://Nowhere/x""#, false), (#""KL://PAY/history""#, true), (#"url.hasPrefix("kl://")"#, nil),
            (#""/o?to=kl://Pay/checkout/7&x=1/2""#, true),
            (#"let base = "kl://Pay/""#, true), (#"let base = "kl://Pya/""#, false),
            (#"route("kl://User/:id(uint)")"#, true),
            (#""kl://User/<id>""#, true), (#""kl://Pay/*""#, true), (#""kl://\(host)/checkout/7""#, true),
            (#""https://cdn.example.com/files/\(a)/\(b)""#, true), (#""https://cdn.example.com/flies/\(a)""#, false),
            (#""https://\(tenant).example.com/files/x""#, true),
        ] as [(String, Bool?)]
    )
    func interpolations(line: String, leads: Bool?) throws {
        let folder = try TestFolder(["table.json": Self.shop, "a.txt": line + "\n"])
        let arguments = ["links", "check", "--table", "table.json", "--scheme", "kl", "--scheme", "https", "a.txt"]
        let outcome = try folder.run(arguments)
        let count = leads == nil ? "no URLs" : "1 URL"
        #expect(outcome.lines.last == "\(count), \(leads == false ? "1 error" : "no errors")", "\(outcome.lines)")
    }
}
