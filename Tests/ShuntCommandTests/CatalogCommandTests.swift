import TestFolder
import Testing

/// The catalogue of modules on the command line.
@Suite("shunt modules")
struct CatalogCommandTests {
    private static let catalog = """
        {"modules":[{"name":"root","level":"basic","priority":0,"needs":[],"services":[],"answers":[],"slots":[]},
        {"name":"house","level":"basic","priority":2,"needs":[{"service":"Shop.number","from":"shop"},{"action":"absent"}],
        "services":["House.number"],"answers":[
        {"action":"House.paint","input":"Paint","output":"NoValue","address":"https://example.com/paint/:id","method":"GET",
        "exposure":["code","links"],"parameters":[{"name":"id","type":"Int"},{"name":"note","type":"String","optional":true}]},
        {"feed":"House.steps","input":"NoValue","output":"Int"},
        {"action":"House.own","input":"NoValue","output":"Int","address":"https://example.com/own","exposure":["code"],"parameters":[]}],
        "slots":[{"address":"house://door/:id","exposure":["code"],"limit":4,"module":{"name":"Door","level":"normal","priority":0,"needs":[],
        "services":[],"answers":[{"action":"Door.knock","input":"NoValue","output":"NoValue","address":"/knock",
        "exposure":["code","links"],"parameters":[]}],"slots":[]}}]}]}
        """

    @Test("Modules in their order, with what each needs, provides, answers and takes")
    func listing() throws {
        let folder = try TestFolder(["catalog.json": Self.catalog])
        let outcome = try folder.run(["modules", "catalog.json"])
        #expect(
            outcome.text == """
                root  basic
                house  basic 2
                    needs     service Shop.number from shop
                    needs     action absent
                    provides  House.number
                    action    House.paint  (Paint) -> NoValue
                              GET https://example.com/paint/:id  for code, links  id: Int, note: String?
                    feed      House.steps  (NoValue) -> Int
                    action    House.own  (NoValue) -> Int
                              https://example.com/own  for code
                    slot      house://door/:id  for code  at most 4:
                        Door
                            action    Door.knock  (NoValue) -> NoValue
                                      house://door/:id/knock  for code

                """
        )
        #expect(outcome.status == 0)
        let json = try folder.run(["modules", "--format", "json", "catalog.json"])
        #expect(json.text.hasPrefix("{\"name\":\"root\"") && json.status == 0)
    }

    @Test("M7: a catalogue is a table of routes, in which each address is found; app links take what links may use")
    func routes() throws {
        let folder = try TestFolder(["catalog.json": Self.catalog, "a.txt": "house://door/7/knock house://door/x/y"])
        let urls = "https://example.com/paint/7\nhttps://example.com/own\nhouse://door/7/knock\n"
        #expect(try folder.run(["routes", "--table", "catalog.json"], input: urls).status == 0)
        #expect(
            try folder.run(["links", "check", "--table", "catalog.json", "--scheme", "house", "a.txt"]).lines.last
                == "2 URLs, 1 error"
        )
        let target = ["--host", "example.com", "--app", "ABCDE12345.com.example.app"]
        let file = try folder.run(["app-links", "write", "--table", "catalog.json"] + target)
        #expect(file.text.contains("/paint/?*") && !file.text.contains("/own") && file.status == 0)
    }

    @Test(
        "A file that is not a catalogue is reported with its place",
        arguments: [
            ("{", "catalog.json:1:2: error: expected a name in quotes"),
            ("{}", "catalog.json:1:1: error: a catalogue is an object with a list of \"modules\""),
            ("{\"modules\": [{}]}", "catalog.json:1:14: error: a module is an object with a \"name\""),
            (
                "{\"modules\": [{\"name\": \"a\", \"answers\": [7]}]}",
                "catalog.json:1:40: error: an answer is an object"
            ),
            (
                "{\"modules\": [{\"name\": \"a\", \"slots\": [{}]}]}",
                "catalog.json:1:38: error: a slot has a \"module\""
            ),
        ]
    )
    func mistakes(text: String, expected: String) throws {
        let folder = try TestFolder(["catalog.json": text])
        let outcome = try folder.run(["modules", "catalog.json"])
        #expect(outcome.errors.hasPrefix(expected) && outcome.status == 3, "\(outcome.errors)")
        #expect(try folder.run(["modules", "missing.json"]).status == 3)
    }
}
