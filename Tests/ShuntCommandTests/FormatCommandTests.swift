import Foundation
import TestFolder
import Testing

@Suite("shunt format")
struct FormatCommandTests {
    @Test("Files are written in place, those they include too, and lists are not touched")
    func inPlace() throws {
        let folder = try TestFolder([
            "rules/a.conf": "block  host a.test;\nmap $uri $x {\ninclude maps/x.map;\n}\n",
            "rules/maps/x.map": "/a  1;\n/longer  2;\n",
            "rules/b.conf": "break;\n",
            "rules/lists/x.txt": "  a.test\n",
        ])
        let outcome = try folder.run(["format", "rules"])
        #expect(outcome.status == 0)
        #expect(outcome.text == "rules/a.conf\nrules/maps/x.map\n")
        #expect(outcome.errors.isEmpty)
        #expect(try folder.text("rules/a.conf") == "block  host a.test;\nmap $uri $x {\n    include maps/x.map;\n}\n")
        #expect(try folder.text("rules/maps/x.map") == "/a       1;\n/longer  2;\n")
        #expect(try folder.text("rules/lists/x.txt") == "  a.test\n")
        let again = try folder.run(["format", "rules"])
        #expect(again.text.isEmpty)
        #expect(again.status == 0)
    }

    @Test("--check names files and writes nothing; --diff shows what would change")
    func readOnly() throws {
        let folder = try TestFolder(["a.conf": "server{\nlisten 80;\n}\n", "b.conf": "break;\n"])
        let check = try folder.run(["format", "--check", "a.conf", "b.conf"])
        #expect(check.status == 1)
        #expect(check.text == "a.conf\n")
        let diff = try folder.run(["format", "--diff", "a.conf", "b.conf"])
        #expect(diff.status == 1)
        #expect(
            diff.text == """
                --- a.conf
                +++ a.conf
                @@ -1,3 +1,3 @@
                -server{
                -listen 80;
                +server {
                +    listen 80;
                 }

                """
        )
        #expect(try folder.text("a.conf") == "server{\nlisten 80;\n}\n")
        #expect(try folder.run(["format", "--check", "b.conf"]).status == 0)
    }

    @Test("A file with errors is left alone and named, and the others are formatted")
    func errors() throws {
        let folder = try TestFolder(["a.conf": "server {\nlisten 80;\n", "b.conf": "break ;\n"])
        let outcome = try folder.run(["format", "a.conf", "b.conf", "c.conf"])
        #expect(outcome.status == 3)
        #expect(outcome.text == "b.conf\n")
        #expect(
            outcome.errors.contains("a.conf:1:8: error: the block of \"server\" is not closed before the file ends")
        )
        #expect(outcome.errors.contains("cannot format \"c.conf\": no such file"))
        #expect(try folder.text("a.conf") == "server {\nlisten 80;\n")
        #expect(try folder.text("b.conf") == "break;\n")
    }

    @Test("Standard input goes to standard output")
    func standardInput() throws {
        let folder = try TestFolder([:])
        let outcome = try folder.run(["format", "--stdin", "--indent", "tab"], input: "server {listen 80;\nbreak;}\n")
        #expect(outcome.text == "server {\n\tlisten 80;\n\tbreak;\n}\n")
        #expect(outcome.status == 0)
        let check = try folder.run(["format", "--stdin", "--name", "x.conf", "--check"], input: "break ;")
        #expect(check.text == "x.conf\n")
        #expect(check.status == 1)
        let broken = try folder.run(["format", "--stdin", "--name", "x.conf"], input: "break")
        #expect(broken.errors.contains("x.conf:1:6: error: "))
        #expect(broken.text.isEmpty)
        #expect(broken.status == 3)
    }

    @Test("The report for programs, and for GitHub")
    func reports() throws {
        let folder = try TestFolder(["a.conf": "break;\nbreak ;\n", "b.conf": "}\n"])
        let json = try JSON(try folder.run(["format", "--check", "--format", "json", "a.conf", "b.conf"]).text)
        #expect(json["schema"].string == "shunt-format/1")
        #expect(json["changed"].number == 1)
        #expect(json["failed"].number == 1)
        #expect(json["files"][0]["file"].string == "a.conf")
        #expect(json["files"][1]["diagnostics"][0]["line"].number == 1)
        let github = try folder.run(["format", "--check", "--format", "github", "a.conf"])
        #expect(
            github.text == "::error file=a.conf,line=2,title=shunt format::a.conf is not formatted: run shunt format\n"
        )
    }

    @Test("A file keeps its permissions, and a link stays a link")
    func permissions() throws {
        let folder = try TestFolder(["real.conf": "break ;\n"])
        try folder.turn("a.conf", to: "real.conf")
        let real = "\(folder.path)/real.conf"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
        #expect(try folder.run(["format", "a.conf"]).status == 0)
        #expect(try folder.text("real.conf") == "break;\n")
        #expect(try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/a.conf") == "real.conf")
    }

    @Test(
        "Wrong usage",
        arguments: [
            ["format"], ["format", "--stdin", "a.conf"], ["format", "--indent", "0", "a"],
            ["format", "--width", "0", "a"],
        ]
    )
    func usage(arguments: [String]) throws {
        #expect(try TestFolder([:]).run(arguments).status == 2)
    }
}
