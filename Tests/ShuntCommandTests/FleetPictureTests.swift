#if Command && Fleet
import TestFolder
import Testing

@Suite("The picture of a fleet") struct FleetPictureTests {
    @Test("Nodes, what they have, what they refused, and what was done, in one file that needs no other")
    func page() throws {
        let folder = try FleetCommandTests.folder()
        let message = ["--message", "a <b> & c"]
        try folder.run(FleetCommandTests.publish + ["--key", "alice.key"] + message, is: 0)
        let set = String(repeating: "a", count: 64)
        for (node, state, serving) in [("edge-1", "applied", 1), ("edge-2", "rejected", 0)] {
            let error = state == "rejected" ? #""error":"10-app.conf:1:1: <error>\n  caret","# : ""
            try folder.write(
                "releases/nodes/\(node)",
                #"{"format":1,"node":"\#(node)","sequence":1,"set":"\#(set)","state":"\#(state)","serving":\#(serving),"#
                    + #""at":"2099-01-01T00:00:00Z",\#(error)"shunt":"0.1.0"}"#
            )
        }
        let words = ["fleet", "status", "--html", "picture.html"] + FleetCommandTests.trusted
        let told = try folder.run(words, is: 0)
        #expect(told.text.hasPrefix("namespace web   release 1 stable   2 nodes, 2 live\n"), "\(told.text)")
        let page = try folder.text("picture.html")
        for part in [
            "<h1>Releases of web</h1>", ">edge-1</text>", ">edge-2</text>", ">1 published</text>",
            "<title>edge-1: release 1 from 2099-01-01T00:00:00Z until now</title>",
            #"<line class="refused""#, "<title>edge-2: release 1 rejected: 10-app.conf:1:1: &lt;error&gt;</title>",
            "release 1 by alice: a &lt;b&gt; &amp; c</li>",
        ] {
            #expect(page.contains(part), "\(part) in \(page)")
        }
        #expect(page.split(separator: "<rect").count == 2)
        for word in ["<script", "href", "src=", "url(", "<b>", "<error>"] { #expect(!page.contains(word), "\(word)") }
    }

    @Test("With a web server nothing is known of nodes")
    func web() throws {
        let folder = try FleetCommandTests.folder()
        let words = ["fleet", "status", "--html", "picture.html", "--store", "http://127.0.0.1:1/web/"]
        #expect(try folder.run(words, is: 2).errors.contains("--html needs the store that nodes report to"))
    }
}
#endif
