/// Sites whose nginx redirects what moved: generated, of the shape of two that publish their configuration.
extension RuleFolder {
    /// A body that works as a publisher of specifications: 48 hosts, 650 exact locations, 40 expressions, 700 redirects.
    static func specifications() -> RuleFolder {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 6)
        var servers: [(host: String, body: String)] = []
        var requests: [(host: String, path: String)] = []
        for index in 0..<48 {
            let host = "\(Words.sections[index % 12])\(index).specs.test"
            let other = "https://\(Words.sections[(index + 5) % 12])\(index % 7).specs.test"
            // One host has most of the pages that moved, some have a few, others only another name.
            let pages = index == 0 ? 520 : index % 4 == 0 ? 12 : 0
            var body = ""
            for page in 0..<pages {
                let name = "/\(index == 0 ? "multipage/" : "")\(random.word(of: Words.sections))-\(page).html"
                body += "location = \(name) { return 301 /multipage/\(random.word(of: Words.sections)).html; }\n"
                requests.append((host, name))
            }
            switch index % 4 {
            case 0:
                for name in ["images", "complete", "demos"] {
                    body += "location ~ ^/\(name)\(index)(/(.*))?$ { return 301 \(other)/\(name)$1; }\n"
                    requests.append((host, "/\(name)\(index)/\(random.letters(8)).png"))
                }
            case 1: body += "return 301 \(other)$request_uri;\n"
            case 2: body += "location ~ ^/(\(Words.sections[index % 12])|s\(index))$ { return 302 \(other)/; }\n"
            default: body += "location = /index-\(index).txt { return 410; }\n"
            }
            body += index % 4 == 1 ? "" : "location / { return 301 \(other)/moved; }\n"
            servers.append((host, body))
            requests.append((host, "/\(random.letters(10))/\(random.letters(6))"))
        }
        return site("specifications", "a publisher's redirects, 48 hosts", servers, requests, &random)
    }

    /// The manuals of a language in many versions and translations: 60 expressions that all begin alike, 20 exact locations.
    static func manuals() -> RuleFolder {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 7)
        let host = "manuals.test"
        let versions = "(4|4.1|4.2|4.3|4.4|4.5)"
        var body = "location = / { return 302 https://$host/4/; }\n"
        var requests: [(host: String, path: String)] = [(host, "/")]
        let path = { (chapter: String, random: inout RandomNumbers) in
            let language = random.word(of: ["", "", "fr/", "zh-cn/"])
            return "/\(language)4\(random.below(2) == 0 ? "" : ".\(1 + random.below(5))")/\(chapter)"
        }
        for index in 0..<45 {
            let name = "\(Words.sections[index % 12])\(index)"
            body += "location ~ ^/([a-z-]*/)?\(versions)/library/\(name).html$ "
            body += "{ return 301 https://$host/$1$2/library/\(name)s.html; }\n"
            requests.append((host, path("library/\(name).html", &random)))
        }
        for index in 0..<6 {
            let names = (0..<12).map { "\(Words.sections[$0])\(60 + index * 12 + $0)" }
            body += "location ~ ^/([a-z-]*/)?\(versions)/(howto|library)/(\(names.joined(separator: "|"))).html$ "
            body += "{ return 301 https://$host/$1$2/; }\n"
            requests.append((host, path("howto/\(random.word(of: names)).html", &random)))
        }
        body += "location ~ ^/((faq|howto|library|reference|using|_images)(/.*)?)$ { return 301 https://$host/4/$1; }\n"
        body += "location ~ ^/(about|bugs|genindex(-[^.]+)?|search)(.html)?$ { return 301 https://$host/4/$1.html; }\n"
        body += "location ~ ^/lib/module-([a-zA-Z0-9.]+)\\.html$ { return 301 https://$host/library/$1.html; }\n"
        body += "location ^~ /ftp/doc { return 301 https://www.manuals.test$request_uri; }\n"
        requests += [
            (host, "/faq/general"), (host, "/genindex-a"), (host, "/lib/module-os.html"), (host, "/ftp/doc/a"),
        ]
        for index in 0..<18 {
            body += "location = /part\(index)/ { return 301 https://$host/\(Words.sections[index % 12])/; }\n"
            requests.append((host, "/part\(index)/"))
        }
        body += "location ~ ^/((4)(\\.[0-9]+)?|dev)/ { return 301 https://$host/current$request_uri; }\n"
        // Half of the requests are for pages that did not move.
        for index in 0..<requests.count { requests.append((host, path("library/page\(index).html", &random))) }
        return site("manuals", "a manual's redirects, 60 expressions", [(host, body)], requests, &random)
    }

    private static func site(
        _ name: String,
        _ title: String,
        _ servers: [(host: String, body: String)],
        _ requests: [(host: String, path: String)],
        _ random: inout RandomNumbers
    ) -> RuleFolder {
        let asked = (0..<requestCount)
            .map { _ in
                let request = requests[random.below(requests.count)]
                return served(request.path, host: request.host)
            }
        let rules = servers.map { "server {\nserver_name \($0.host);\n\($0.body)}\n" }
        var folder = RuleFolder(name, title, rules: rules.joined(), requests: asked)
        folder.server = Server(
            rules: servers.map { server($0.host, $0.body) }.joined(),
            answer: "return 301 https://manuals.test$request_uri;"
        )
        return folder
    }
}
