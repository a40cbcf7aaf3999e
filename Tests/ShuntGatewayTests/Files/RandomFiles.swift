#if Gateway
import Glibc
import SeededRandom
import TestFolder

/// Random rules about files, and requests for them.
struct RandomFiles {
    private var random: SeededGenerator
    private let root: String

    init(seed: Int, root: String) {
        random = SeededGenerator(seed: UInt64(seed) &* 2_862_933_555 &+ 7)
        self.root = root
    }

    private static let names = ["a.html", "b.txt", "c", "d/index.html", "d/e/x.gif", "long.jpg", "empty.html", "z.JPG"]
    /// Times of files: `time` and its neighbours are in requests.
    private static let time = 1_700_000_000

    /// Makes a folder with files, directories and links.
    static func folder() throws -> TestFolder {
        let folder = try TestFolder()
        for (index, name) in names.enumerated() {
            let size = name == "long.jpg" ? 400_000 : name == "empty.html" ? 0 : 3 + index * 7
            try folder.write((0..<size).map { UInt8(truncatingIfNeeded: 97 + $0 % 26 + $0 / 1000 % 5) }, to: name)
        }
        try folder.makeDirectory("bare")
        for (link, target) in [("link.txt", "b.txt"), ("dl", "d"), ("lost", "nowhere"), ("round", "round")] {
            guard symlink(target, folder.path + "/" + link) == 0 else { throw TestProblem("no link \(link)") }
        }
        for name in names {
            let times = [timespec(tv_sec: time, tv_nsec: 5), timespec(tv_sec: time, tv_nsec: 999_999_999)]
            guard utimensat(AT_FDCWD, folder.path + "/" + name, times, 0) == 0 else { throw TestProblem("no time") }
        }
        return folder
    }

    // MARK: Rules

    mutating func rules() -> String {
        var lines = ["listen 80;", "server_name a.test;", "root \(root);"]
        if random.chance(30) { lines.append(errorPage()) }
        lines += settings(percent: 12)
        if random.chance(40) { lines.append("recursive_error_pages on;") }
        for number in 0..<4 { lines.append("location /l\(number)/ { \(location()) }") }
        lines.append("location ~ ^/r/(.*)$ { alias \(root)/$1; \(settings(percent: 15).joined(separator: " ")) }")
        lines.append("location @n { \(settings(percent: 15).joined(separator: " ")) try_files /a.html /b.txt =404; }")
        return "server {\n    \(lines.joined(separator: "\n    "))\n}"
    }

    private mutating func location() -> String {
        var words = settings(percent: 20)
        // A root or an alias without its slash as well.
        words.append(random.pick(["alias \(root)/;", "alias \(root)/d/;", "root \(root)/d;", "alias \(root);"]))
        if random.chance(30) {
            words.append(
                "index \(random.pick(["a.html", "nope index.html", "c", "e", "x /a.html", "$arg_i index.html"]));"
            )
        }
        if random.chance(35) {
            words.append(
                "try_files \(random.pick(["$uri", "$uri $uri/", "/nope", "$uri.html $uri", "/link.txt /a.html"])) "
                    + random.pick(["=404;", "@n;", "/a.html;", "/l0/b.txt;", "=403;"])
            )
        }
        if random.chance(30) { words.append(errorPage()) }
        if random.chance(10) { words.append(random.pick(["deny all;", "return 404;", "internal;"])) }
        return words.joined(separator: " ")
    }

    private mutating func errorPage() -> String {
        let codes = random.pick(["403 404", "404", "405", "412 416", "304", "403 412"])
        return "error_page \(codes) \(random.pick(["", "", "= ", "=200 ", "=503 "]))"
            + random.pick(["/a.html;", "/nope;", "@n;", "/l1/b.txt;", "/d/;", "/empty.html;"])
    }

    private mutating func settings(percent: Int) -> [String] {
        let all = [
            ["etag off;", "etag on;"], ["if_modified_since off;", "if_modified_since before;"],
            ["max_ranges 0;", "max_ranges 1;", "max_ranges 2;"],
            ["default_type text/x;", "default_type \"\";"], ["types { text/own html txt; }", "types { }"],
            [
                "expires 1h;", "expires -1;", "expires 0;", "expires max;", "expires epoch;", "expires off;",
                "expires modified 30d;", "expires modified -1d;", "expires modified +50y;", "expires $arg_x;",
                "expires modified $arg_x;", "expires @5h;",
            ],
            [
                "add_header X-Own o;", "add_header X-Own o always;", "add_header Cache-Control own;",
                "add_header ETag e;",
            ],
            ["disable_symlinks on;", "disable_symlinks if_not_owner;", "disable_symlinks on from=\(root);"],
            ["charset utf-8;", "charset off;"],
            ["charset_types text/own image/gif;", "charset_types *;"],
            ["absolute_redirect off;"], ["sendfile on;", "aio threads;", "directio 1;"],
        ]
        return all.compactMap { random.chance(percent) ? random.pick($0) : nil }
    }

    // MARK: Requests

    mutating func request() -> RandomServing.Request {
        let names = Self.names + ["", "d", "d/", "bare", "bare/", "link.txt", "dl/index.html", "lost", "round", "nope"]
        let more = ["a.html/", "a.html/x", "d/e", "d/e/", "%61.html", "d/../c", "c%00x", "c?i=a.html"]
        var target = random.pick(["/", "/l0/", "/l1/", "/l2/", "/l3/", "/r/"]) + random.pick(names + more)
        if random.chance(25) {
            let words = ["1h", "max", "off", "-5", "", "%20", "epoch", "0", "1d12h", "x"]
            target += (target.contains("?") ? "&" : "?") + "x=" + random.pick(words)
        }
        let method = random.pick(["GET", "GET", "GET", "GET", "HEAD", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
        var headers: [String] = []
        for (name, percent) in [("If-Modified-Since", 20), ("If-Unmodified-Since", 10)] where random.chance(percent) {
            headers.append("\(name): \(time())")
        }
        for (name, percent) in [("If-None-Match", 15), ("If-Match", 10)] where random.chance(percent) {
            headers.append(
                "\(name): \((0...random.below(3)).map { _ in tag() }.joined(separator: random.pick([", ", ","])))"
            )
        }
        if random.chance(40) {
            headers.append("Range: \(random.pick(["bytes=", "bytes=", "Bytes=", "bytes= ", "x="]))\(ranges())")
        }
        if random.chance(15) { headers.append("If-Range: \(random.chance(50) ? time() : tag())") }
        let body = method == "POST" || method == "PUT" ? String(repeating: "b", count: random.below(5)) : ""
        return RandomServing.Request(method: method, target: target, headers: headers, body: body)
    }

    private mutating func ranges() -> String {
        let sizes = [0, 1, 2, 5, 10, 30, 50, 399_999, 400_000, 70_000, 300_000]
        return (0...random.pick([0, 0, 0, 1, 2, 4]))
            .map { _ in
                let (start, end) = (random.pick(sizes), random.pick(sizes))
                return random.pick([
                    "\(start)-\(end)", "\(start)-\(start + end)", "\(start)-", "-\(end)", " \(start) - \(end) ", "x",
                    "",
                    "\(start)", "99999999999999999999-",
                ])
            }
            .joined(separator: random.pick([",", ", "]))
    }

    /// The tag of a file of 3, 10 or 400,000 bytes, or another one.
    private mutating func tag() -> String {
        let tag = "\"\(String(Self.time, radix: 16))-\(String(random.pick([3, 10, 400_000]), radix: 16))\""
        return random.pick([tag, tag, "W/\(tag)", "\"other\"", "*", "x", "\(tag)x"])
    }

    private mutating func time() -> String {
        random.pick([
            "Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 14 Nov 2023 22:13:19 GMT", "Tue, 14 Nov 2023 22:13:21 GMT",
            "Tuesday, 14-Nov-23 22:13:20 GMT", "Tue Nov 14 22:13:20 2023", "yesterday", "Tue, 14 Nov 2023 22:13:20",
            "Tue, 31 Feb 2023 22:13:20 GMT", "Tue, 14 Nov 2123 22:13:20 GMT", "",
        ])
    }
}
#endif
