import TestFolder
import Testing

/// The intent filters of an Android app as a table of routes.
@Suite("AndroidManifest.xml as a table")
struct AndroidManifestTests {
    private static func manifest(_ filters: String) -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <!-- <data android:scheme="no"/> -->
        <manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools"><application>
        <activity android:name=".ItemActivity" android:exported="true">
        \(filters)
        </activity></application></manifest>
        """
    }

    private static func filter(_ data: String, action: String = "VIEW") -> String {
        "<intent-filter><action android:name=\"android.intent.action.\(action)\"/>\n\(data)\n</intent-filter>"
    }

    @Test(
        "Schemes, hosts and paths of one filter combine; each kind of path is a pattern",
        arguments: [
            (
                #"<data android:scheme="https" android:host="a.test"/><data android:scheme="kl"/><data android:path="/x"/>"#,
                ["https://a.test/x", "kl://a.test/x"], ["https://a.test/x/", "https://b.test/x", "http://a.test/x"]
            ),
            (
                #"<data android:scheme="https" android:host="a.test" android:pathPrefix="/item/"/>"#,
                ["https://a.test/item/7", "https://a.test/item/7/x"], ["https://a.test/items"]
            ),
            (
                #"<data android:scheme="https" android:host="*.a.test" android:pathPattern="/u/.*/post"/>"#,
                ["https://b.a.test/u/7/post"], ["https://b.a.test/u/7"]
            ),
            (
                #"<data android:scheme="https" android:host="a.test" android:pathPattern="/f/.*\\.pdf"/>"#,
                ["https://a.test/f/x.pdf"], ["https://a.test/f/xpdf"]
            ),
            // Nothing goes back, so that a wildcard ends at the first full stop.
            (
                #"<data android:scheme="https" android:host="a.test" android:pathPattern="/.*\\.pdf"/>"#,
                ["https://a.test/a.pdf"], ["https://a.test/a.b.pdf", "https://a.test/v1.2/a.pdf"]
            ),
            (
                #"<data android:scheme="https" android:host="a.test" android:pathAdvancedPattern="/[a-z]+b"/>"#, [],
                ["https://a.test/ab"]
            ),
            (
                #"<data android:scheme="https" android:host="a.test" android:pathSuffix=".html"/>"#,
                ["https://a.test/a/b.html"], ["https://a.test/a/b"]
            ),
            (
                #"<data android:scheme="https" android:host="a.test" android:pathAdvancedPattern="/n/[0-9]{2,3}/.+"/>"#,
                ["https://a.test/n/12/x"], ["https://a.test/n/1/x", "https://a.test/n/12"]
            ),
            (#"<data android:scheme="kl" android:path="/ignored"/>"#, ["kl://any/x", "kl://any"], ["https://any/x"]),
            (
                #"<data android:scheme="https" android:host="a.test" android:port="8443"/>"#,
                ["https://a.test:8443/x"], ["https://a.test/x"]
            ),
            (
                #"<data android:scheme="https"/><data android:host="a.test" android:port="81"/><data android:host="a.test" android:port="82"/><data android:host="b.test"/>"#,
                ["https://a.test:81/", "https://a.test:82/", "https://b.test/", "https://b.test:81/"],
                ["https://a.test/", "https://a.test:83/"]
            ),
            (
                #"<data android:scheme="https" android:host="a.test" android:path="/a&amp;b:c"/>"#,
                ["https://a.test/a&b:c"], ["https://a.test/ab"]
            ),
            (
                "<data android:scheme=\"https\" android:host=\"a.test\" android:path=\"/c d&#9;\u{1f}(\u{301}\u{e9}%\"/>",
                ["https://a.test/c%20d%09%1F(%CC%81%C3%A9%25"], ["https://a.test/c+d"]
            ),
            (
                #"<data android:scheme="https" android:host="a.test" android:pathPattern="/c d.*"/>"#,
                ["https://a.test/c%20dx"], ["https://a.test/cdx"]
            ),
        ] as [(String, [String], [String])]
    )
    func routes(data: String, takes: [String], refuses: [String]) throws {
        let folder = try TestFolder(["AndroidManifest.xml": Self.manifest(Self.filter(data))])
        let urls = (takes + refuses).joined(separator: "\n") + "\n"
        let outcome = try folder.run(["routes", "--table", "AndroidManifest.xml"], input: urls)
        let found = outcome.lines.map { !$0.hasPrefix("no route") }
        #expect(found == takes.map { _ in true } + refuses.map { _ in false }, "\(outcome.lines) \(outcome.errors)")
    }

    @Test(
        "Elements that are unknown, removed or cannot be a route are left out with a warning, and the rest is read",
        arguments: [
            (#"<data android:pathPrefix="@string/p"/>"#, [], "\"@string/p\" is known only to the build"),
            (#"<data android:pathPrefix="${p}"/><data android:path="/b"/>"#, ["a/b"], "\"${p}\" is known only"),
            (
                #"<uri-relative-filter-group><data android:pathPrefix="/a"/><data android:query="@string/q"/></uri-relative-filter-group>"#,
                [], "\"@string/q\" is known only"
            ),
            (
                #"<uri-relative-filter-group android:allow="false"><data android:path="@string/q"/></uri-relative-filter-group><uri-relative-filter-group><data android:pathPrefix="/"/></uri-relative-filter-group>"#,
                [], "\"@string/q\" is known only"
            ),
            (
                #"<uri-relative-filter-group android:allow="${a}"><data android:path="/a"/></uri-relative-filter-group>"#,
                [], "\"${a}\" is known only"
            ),
            (
                #"<data android:host="b" android:port="@string/p"/>"#, ["a/", "a/a", "a/b"],
                "\"@string/p\" is known only"
            ),
            (
                #"<data android:host="b" tools:node="remove"/>"#, ["a/", "a/a", "a/b"],
                "AndroidManifest.xml:6:50: warning: the build removes this <data>"
            ),
            (
                #"<data android:ssp="123"/>"#, ["a/", "a/a", "a/b"],
                "\"123\" is for whole URLs of a scheme, so its URLs are"
            ),
            (#"<data android:scheme="HTTPS"/>"#, ["a/", "a/a", "a/b"], "so \"HTTPS\" takes no URL of a browser"),
            (#"<data android:scheme="my_app"/>"#, ["a/", "a/a", "a/b"], "6:56: warning: \"my_app\" cannot be written"),
            (#"<data android:scheme="1app"/>"#, ["a/", "a/a", "a/b"], "6:56: warning: \"1app\" cannot be written"),
            (#"<data android:host="b."/>"#, ["a/", "a/a", "a/b"], "6:56: warning: \"b.\" cannot be written"),
            (#"<data android:host="*b"/>"#, ["a/", "a/a", "a/b"], "6:56: warning: \"*b\" cannot be written"),
            (#"<data android:host="b.*"/>"#, ["a/", "a/a", "a/b"], "6:56: warning: \"b.*\" cannot be written"),
            (
                #"<data android:host="b" android:port="x"/>"#, ["a/", "a/a", "a/b"],
                "warning: \"x\" is not a port"
            ),
            (
                #"<data android:path="/a//b"/><data android:path="/b"/>"#, ["a/b"],
                "6:56: warning: \"/a//b\" cannot be written"
            ),
        ]
    )
    func leftOut(more: String, takes: [String], message: String) throws {
        let data = #"<data android:scheme="https" android:host="a"/>  "# + more
        let other = Self.filter(#"<data android:scheme="kl"/>"#)
        let folder = try TestFolder(["AndroidManifest.xml": Self.manifest(Self.filter(data) + other)])
        let urls = ["a/", "a/a", "a/b", "b/", "b/a"].map { "https://\($0)\n" }.joined()
        let outcome = try folder.run(["routes", "--table", "AndroidManifest.xml"], input: urls)
        let found = outcome.lines.filter { !$0.hasPrefix("no route") }.map { String($0.split(separator: " ")[1]) }
        #expect(found == takes.map { "https://\($0)" }, "\(outcome.lines) \(outcome.errors)")
        let check = try folder.run(["routes", "--table", "AndroidManifest.xml", "--check"])
        #expect(check.text.contains(message) && !check.text.contains("error:"), "\(check.text)")
    }

    @Test("A filter for whole URLs of a scheme takes no others of it", arguments: ["ssp", "sspPrefix", "sspPattern"])
    func schemeSpecificPart(name: String) throws {
        let filters =
            Self.filter("<data android:scheme=\"tel\" android:\(name)=\"123\"/>")
            + Self.filter(#"<data android:scheme="kl"/>"#)
        let folder = try TestFolder(["AndroidManifest.xml": Self.manifest(filters)])
        let outcome = try folder.run(["routes", "--table", "AndroidManifest.xml"], input: "tel:999\nkl://a\n")
        #expect(outcome.lines.map { $0.hasPrefix("no route") } == [true, false], "\(outcome.lines)")
    }

    @Test(
        "A path that Android reads in another way than it looks has a warning with the way out",
        arguments: [
            (#"path="/shop/*""#, "\"*\" is plain text in a path", "write pathPrefix=\"/shop/\""),
            (#"pathPrefix="/shop/.*""#, "\"*\" is plain text in a pathPrefix", "write pathPrefix=\"/shop/\""),
            (#"path="/a/*/b""#, "\"*\" is plain text in a path", "use pathPattern, with .* for any text"),
            (#"path="/a?b=1""#, "a path has no query", "write \"/a\", and the query in a <uri-relative-filter-group>"),
            (#"path="/a#b""#, "a path has no fragment", "write \"/a\", and the fragment in"),
            (#"pathPrefix="/a%20b""#, "Android compares decoded paths", "write \"/a b\""),
            (#"pathPattern="/a/.+""#, "\".+\" is plain text in a pathPattern", "use pathAdvancedPattern"),
            (#"pathPattern="/a/[0-9].*""#, "\"[\" is plain text in a pathPattern", "use pathAdvancedPattern"),
            (#"pathAdvancedPattern="/[0-9]+/.+""#, nil, nil), (#"path="/100%""#, nil, nil),
            (#"pathPattern="/a/.*\\.html""#, nil, nil),
        ] as [(String, String?, String?)]
    )
    func mistakes(path: String, message: String?, wayOut: String?) throws {
        let data = "<data android:scheme=\"https\" android:host=\"a\" android:\(path)/>"
        let folder = try TestFolder(["AndroidManifest.xml": Self.manifest(Self.filter(data))])
        let outcome = try folder.run(["routes", "--table", "AndroidManifest.xml", "--check"])
        #expect(outcome.text.contains("AndroidManifest.xml:6:47: warning: ") == (message != nil), "\(outcome.text)")
        for part in [message, wayOut].compactMap(\.self) { #expect(outcome.text.contains(part), "\(outcome.text)") }
    }

    private static func groups(_ groups: [(allow: Bool, data: [String])], _ more: String = "") -> String {
        #"<data android:scheme="https" android:host="a.test"/>"# + more
            + groups.map { group in
                let data = group.data.map { "<data android:\($0)/>" }.joined()
                let start = group.allow ? "" : " android:allow=\"false\""
                return "<uri-relative-filter-group\(start)>\(data)</uri-relative-filter-group>"
            }
            .joined()
    }

    @Test(
        "The first group of which all conditions hold allows or blocks, unless a path outside of groups takes the URL",
        arguments: [
            ([(true, [#"path="/1""#]), (true, [#"path="/2""#])], "", ["/1", "/2", "/2?a#b"], ["/3", "/", "/1/"]),
            (
                [(true, [#"path="/a/b""#, #"query="t=1""#])], "",
                ["/a/b?t=1", "/a/b?x&t=1", "/a/b?x;t=1", "/a/b?t%3D1"],
                ["/a/b?t=2", "/a/b", "/a?t=1", "/a/b?t=1;x&y"]
            ),
            ([(true, [])], #"<data android:path="/z"/>"#, ["/z"], ["/", "/x"]),
            ([(false, [#"path="/x""#]), (true, [#"pathPrefix="/x""#])], "", ["/xy"], ["/x", "/y"]),
            ([(true, [#"pathPrefix="/x""#]), (false, [#"path="/x""#])], "", ["/xy", "/x"], ["/y"]),
            (
                [(false, [#"pathPrefix="/p""#])], #"<data android:path="/public"/>"#, ["/public"],
                ["/private", "/other"]
            ),
            ([(true, [#"fragment="s""#])], "", ["/a#s"], ["/a", "/a#", "/a#sec"]),
            (
                [(false, [#"queryPrefix="out=""#]), (true, [#"fragmentSuffix="x""#])], "", ["/#x", "/a?b#yx"],
                ["/?out=1#x", "/?b&out=#x", "/#xy"]
            ),
            (
                [(true, [#"pathPattern="/a/.*-x""#, #"queryAdvancedPattern="id=[0-9]{2,3}""#])], "",
                ["/a/b-x?id=12", "/a/b-x?id=123"], ["/a/b-c-x?id=12", "/a/b-x?id=1", "/a/b-x?id=1234"]
            ),
            (
                [(true, [#"pathPrefix="/cä""#, #"queryPattern="q=ab*.c""#])], "",
                ["/c%C3%A4f?q=abbxc", "/c%C3%A4?q=axc"],
                ["/c%C3%A4?q=abbc", "/ca?q=axc"]
            ),
        ] as [([(allow: Bool, data: [String])], String, [String], [String])]
    )
    func groups(groups: [(allow: Bool, data: [String])], more: String, takes: [String], refuses: [String]) throws {
        let folder = try TestFolder(["AndroidManifest.xml": Self.manifest(Self.filter(Self.groups(groups, more)))])
        let urls = (takes + refuses).map { "https://a.test\($0)\n" }.joined()
        let outcome = try folder.run(["routes", "--table", "AndroidManifest.xml"], input: urls)
        let found = outcome.lines.filter { !$0.hasPrefix("no route") }.map { $0.split(separator: " ")[1] }
        #expect(found.map(String.init) == takes.map { "https://a.test\($0)" }, "\(outcome.lines) \(outcome.errors)")
    }

    @Test(
        "One filter takes nothing away from another; sources are checked by groups, and files are not written with them"
    )
    func groupsElsewhere() throws {
        let blocked = Self.groups([(false, [#"path="/x""#]), (true, [#"pathPrefix="/""#])])
        let other = #"<data android:scheme="https" android:host="a.test" android:path="/x"/>"#
        let folder = try TestFolder([
            "one.xml": Self.manifest(Self.filter(blocked)),
            "two.xml": Self.manifest(Self.filter(blocked) + Self.filter(other)),
            "a.kt": "val a = \"https://a.test/y\"; val b = \"https://a.test/x\"\n",
        ])
        for (name, result) in [("one.xml", "2 URLs, 1 error"), ("two.xml", "2 URLs, no errors")] {
            let links = try folder.run(["links", "check", "--table", name, "--scheme", "https", "a.kt"])
            #expect(links.lines.last == result, "\(links.text)")
        }
        let target = ["--host", "a.test", "--app", "ABCDE12345.com.example.app", "--table", "one.xml"]
        let refused = try folder.run(["app-links", "write"] + target)
        #expect(refused.status == 1 && refused.errors.contains("one.xml:6:"), "\(refused.errors)")
        let wider = try folder.run(["app-links", "write", "--wider"] + target)
        #expect(wider.status == 0 && wider.errors.contains("has conditions that this file is not written with"))
    }

    @Test("Filters for types and for other actions are not links; a table without links is an error")
    func others() throws {
        let filters =
            Self.filter(#"<data android:scheme="kl" android:mimeType="text/plain"/>"#)
            + Self.filter(#"<data android:scheme="kl"/>"#, action: "SEND")
        let folder = try TestFolder(["AndroidManifest.xml": Self.manifest(filters)])
        let outcome = try folder.run(["routes", "--table", "AndroidManifest.xml", "--check"])
        #expect(outcome.status == 1 && outcome.text.contains("no intent filter takes a link"))
    }

    @Test(
        "Elements that cannot be read or expressed are reported with their place",
        arguments: [
            (
                #"<data android:scheme="kl" android:host="x" android:pathPattern="/ab*c"/>"#,
                "AndroidManifest.xml:6:44: error: \"/ab*c\" cannot be written as a route: no pattern has \"b*\""
            ),
            (
                #"<data android:scheme="kl" android:host="${host}"/><data android:scheme="k2"/>"#,
                "AndroidManifest.xml:6:27: warning: \"${host}\" is known only to the build, so its URLs are left out"
            ),
            (
                #"<data android:scheme="kl" android:host="x"/><uri-relative-filter-group><data android:queryAdvancedPattern="a{2"/></uri-relative-filter-group>"#,
                "AndroidManifest.xml:6:78: error: \"a{2\" is not a pattern"
            ),
            (
                #"<data android:scheme="kl" android:host="x" android:path="a"/>"#,
                "AndroidManifest.xml:6:44: warning: a path begins with \"/\", so \"a\" takes no URL"
            ),
            (
                #"<data android:scheme="https:"/><data android:scheme="kl"/>"#,
                "AndroidManifest.xml:6:7: warning: a scheme has no \":\", so \"https:\" takes no URL"
            ),
            (#"<data android:scheme="https://"/><data android:scheme="kl"/>"#, "write \"https\""),
            (#"<data android:scheme="kl" android:host="https://x.test/y"/>"#, "write \"x.test\""),
            (
                #"<data android:scheme="kl" android:host="x/y"/>"#,
                "AndroidManifest.xml:6:27: warning: a host has no \"/\", so \"x/y\" takes no URL"
            ),
            (#"<data android:scheme="HTTPS"/>"#, "write \"https\""),
            (#"<data android:scheme="kl>"#, "error: the value of \"android:scheme\" has no quotes around it"),
            (#"<data android:scheme=kl/>"#, "error: the value of \"android:scheme\" has no quotes around it"),
            (#"<data android:scheme="&scheme;"/>"#, "error: \"&scheme;\" is not an entity of XML"),
            (#"<data></dat>"#, "error: \"</dat>\" closes no element"),
            (#"<data"#, "error: "),
        ]
    )
    func problems(data: String, message: String) throws {
        let folder = try TestFolder(["AndroidManifest.xml": Self.manifest(Self.filter(data))])
        let outcome = try folder.run(["routes", "--table", "AndroidManifest.xml", "--check"])
        #expect(outcome.text.contains(message), "\(outcome.text)")
    }

    @Test("A manifest is bounded: no declared entities, no endless nesting")
    func bounds() throws {
        let folder = try TestFolder([
            "entities.xml": "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>",
            "deep.xml": String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300),
        ])
        for (name, message) in [("entities.xml", "declarations in a document type"), ("deep.xml", "deeper than 256")] {
            let outcome = try folder.run(["routes", "--table", name, "--check"])
            #expect(outcome.status == 1 && outcome.text.contains(message), "\(outcome.text)")
        }
    }

    @Test("URLs in sources and association files are made against a manifest too")
    func elsewhere() throws {
        let data = #"<data android:scheme="https" android:host="a.test" android:pathPrefix="/item/"/>"#
        let folder = try TestFolder([
            "AndroidManifest.xml": Self.manifest(Self.filter(data)),
            "a.kt": "val a = \"https://a.test/item/$id\"; val b = \"https://a.test/itme/7\"\n",
        ])
        let links = try folder.run(["links", "check", "--table", "AndroidManifest.xml", "--scheme", "https", "a.kt"])
        #expect(links.lines.last == "2 URLs, 1 error")
        let target = ["--host", "a.test", "--app", "ABCDE12345.com.example.app"]
        let file = try folder.run(["app-links", "write", "--table", "AndroidManifest.xml"] + target)
        #expect(file.status == 0 && file.text.contains("{\"/\":\"/item/*\""), "\(file.text) \(file.errors)")
    }
}
