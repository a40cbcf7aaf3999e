import Shunt
import ShuntCore
import Testing

@testable import ShuntRules

/// Lists of redirects as WordPress plugins and spreadsheets export them.
@Suite("Exported lists of redirects")
struct ExportedListTests {
    private static func rules(_ text: [UInt8]) throws(RuleSetError) -> RuleSet {
        var files = InMemoryFileSystem(["/r/a.conf": "redirects l.csv;"])
        files.set("/r/l.csv", .file(text))
        return try RuleSet(path: "/r", from: files)
    }

    private static let redirection = "source,target,regex,code,type,hits,title,status\n"
    private static let rankMath = "id,source,matching,destination,type,category,status,ignore\n"
    private static let yoast = "Origin,Target,Type,Format\n"

    /// A list, the path of a request, and the target of its redirect, the status of another answer, or nothing.
    static let rows: [(list: String, path: String, target: String)] = [
        (redirection + "/a,/b,0,302,url,5,,active", "/a", "302 /b"),
        (redirection + "/a,/b,0,301,url,5,,disabled\n/c,/d,0,301,url,0,,active", "/a", ""),
        (redirection + "/a,,0,410,error,5,,active", "/a", "410"),
        (redirection + "^/e/(\\d+)/(.*)$,/f/$2?n=$1,1,301,url,0,,active", "/e/12/x", "301 /f/x?n=12"),
        (redirection + "^/e/(\\d+)/(.*)$,/f/$2?n=$1,1,301,url,0,,active", "/e/n/x", ""),
        (redirection + "^/e/[^/]+/[(|]$,/f,1,301,url,0,,active", "/e/a/(", "301 /f"),
        (redirection + "^/e/(.*),/f/$1,1,301,url,0,,active", "/e/x%0ay", "301 /f/x%0Ay"),
        (redirection + "old.html,/b,0,301,url,5,,active", "/old.html", "301 /b"),
        ("source,target,regex,type,code,match,hits,title\n/a,/b,0,url,302,url,5,", "/a", "302 /b"),
        (redirection + "^/e/(\\d+)$,https://n.test/$1,1,301,url,0,,active", "/e/12", "301 https://n.test/12"),
        (rankMath + "7,old-page/,exact,/new,301,,active,", "/old-page/", "301 /new"),
        (rankMath + "7,old-page/,exact,/new,301,,inactive,\n8,c,exact,/d,301,,active,", "/old-page/", ""),
        (rankMath + "7,Old,exact,/new,301,,active,", "/old", ""),
        (rankMath + "7,Old,exact,/new,301,,active,case", "/old", "301 /new"),
        (rankMath + "7,shop,start,/new,302,,active,", "/shop/a", "302 /new"),
        (rankMath + "7,shop,start,/new,302,,active,", "/a/shop", ""),
        (rankMath + "7,.php,end,/new,301,,active,", "/a/b.php", "301 /new"),
        (rankMath + "7,.php,end,/new,301,,active,", "/a/bxphp", ""),
        (rankMath + "7,sale,contains,/new,301,,active,", "/a/presales/b", "301 /new"),
        (rankMath + "7,gone,exact,,410,,active,", "/gone", "410"),
        (yoast + "/hello,/world,307,plain", "/hello", "307 /world"),
        (yoast + "hello,/world,301,plain", "/hello", "301 /world"),
        (yoast + "^/h/([a-z]+)$,/w/$1,301,regex", "/h/x", "301 /w/x"),
        ("from,to,enabled\n/a,/b,0\n/c,/d,1", "/a", ""), ("from,to,enabled\n/a,/b,0\n/c,/d,1", "/c", "301 /d"),
        ("from,to,status\n/a,/b,inactive\n/c,/d,301", "/a", ""), ("from,to,status\n/a,/b,active", "/a", "301 /b"),
        ("Address,Status Code,Redirect URL\nhttp://h.test/a,302,http://h.test/b", "/a", "302 /b"),
        ("sep=;\nfrom;to\n/a;/b", "/a", "301 /b"), ("sep=,\n/a,/b", "/a", "301 /b"),
        ("from,to\n/a\u{a0},\u{200b}/b\u{feff}", "/a", "301 /b"),
        ("from,to\n\"\u{a0} /a \u{200b}\",/b", "/a", "301 /b"),
    ]

    @Test("They redirect as the program did that wrote them", arguments: rows)
    func redirects(list: String, path: String, target: String) throws {
        let rules = try Self.rules(Array(list.utf8))
        let decision = Engine(rules).decide(RuleRequest(url: "http://h.test\(path)"))
        let answer =
            switch decision.action {
            case .redirect(let redirect):
                "\(redirect.status) "
                    + redirect.location.replacing("http://h.test", with: "")
            case .block(let block): "\(block.status)"
            default: ""
            }
        #expect(answer == target)
        #expect(rules.diagnostics.isEmpty)
    }

    /// A list with a row that cannot be used, and the message about it.
    static let unusable: [(list: [UInt8], message: String)] = [
        (
            Array((redirection + "/e/(.*),/f/$1,1,301,url,0,,active").utf8),
            "has an expression or a placeholder, and of these only expressions of exports from ^/ to $ are read"
        ),
        (Array((redirection + "^/e/,/f,1,301,url,0,,active").utf8), "has an expression"),
        (Array((redirection + "^/e|/f$,/g,1,301,url,0,,active").utf8), "has an expression"),
        (Array((redirection + "^/e\\?x=(.*)$,/g,1,301,url,0,,active").utf8), "has an expression"),
        (Array((redirection + "^/e/a%20b$,/g,1,301,url,0,,active").utf8), "has an expression"),
        (Array((redirection + "^/e/(a$,/g,1,301,url,0,,active").utf8), "has an expression"),
        (Array((redirection + "^/e/(.*)$,/f/$2,1,301,url,0,,active").utf8), "has a target with a part"),
        (
            Array((redirection + "^/o(/.*)$,https://b.test$1,1,301,url,0,,active").utf8),
            "has a target that is not a URL"
        ),
        (
            Array((redirection + "^/o(.*)$,https://$1.b.test/,1,301,url,0,,active").utf8),
            "has a target that is not a URL"
        ),
        (Array((redirection + "^/e/(.*)$,/f/${1},1,301,url,0,,active").utf8), "has a target with a part"),
        (Array((redirection + "^/e/(.*)$,/f/\\1,1,301,url,0,,active").utf8), "has a target with a part"),
        (Array((redirection + "^/e/(.*)$,/f/$10,1,301,url,0,,active").utf8), "has a target with a part"),
        (Array((redirection + "^/e/\\.*,/f,1,301,url,0,,active").utf8), "has an expression"),
        (Array((redirection + "/blog/*,/news,0,301,url,0,,active").utf8), "has an expression"),
        (Array((redirection + "/a,/unknown,0,301,url,0,,active").utf8), "depends on more"),
        (Array((redirection + "/a,/b,0,301,url,0,,inaktiv").utf8), "has an action"),
        (Array("Address,Status Code,Redirect URL\nhttp://h.test/a,404,".utf8), "has no target"),
        (Array((redirection + "/a,/b,0,301,pass,0,,active").utf8), "has an action"),
        (Array((redirection + "/a,/b,0,301,random,0,,active").utf8), "has an action"),
        (Array((redirection + "/a,/b,0,0,pass,0,,active").utf8), "has an action"),
        (Array("from,to,status\n/a,/b,0".utf8), "has a status"),
        (Array((rankMath + "7,a?b=c,contains,/new,301,,active,").utf8), "has an expression"),
        (Array((rankMath + "7,a,sounds,/new,301,,active,").utf8), "depends on more"),
        (Array("from,to\n/caf".utf8) + [0xe9] + Array(",/b".utf8), "has bytes that are not UTF-8"),
        (Array("from,to\n/a,/caf".utf8) + [0xe9], "has bytes that are not UTF-8"),
    ]

    @Test("A row with more than is read is left out and reported", arguments: unusable)
    func reports(list: [UInt8], message: String) throws {
        let rules = try Self.rules(list + Array("\n".utf8))
        #expect(rules.model.redirectLists.first?.rows.map(\.isLeftOut) == [true])
        let notes = rules.diagnostics.flatMap(\.notes).map(\.message)
        #expect(notes.count == 1 && notes[0].hasPrefix("this row \(message)"), "\(notes)")
    }
}
