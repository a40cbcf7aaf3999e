import Shunt
import ShuntAppLinks
import ShuntLinks
import ShuntModules

/// A way into the library for what a client sends.
enum Entry: String, CaseIterable {
    case decide, dispatch, routes, links
    case appLinks = "app-links"

    static let rules = """
        rename_host *.old.example *.new.example;
        server {
            server_name www.example.com *.example.org "~^(?<name>[^.]+)\\.example\\.net$";
            rewrite ^/old/([^/]*)/(.*)$ /new/$2?from=$1 last;
            if ($arg_page = 7) { rewrite ^ /page last; }
            if ($http_x_kind = "mobile") { rewrite ^ /mobile last; }
            if ($cookie_kind = "mobile") { rewrite ^ /mobile last; }
            if ($http_connection ~ upgrade) { rewrite ^ /upgrade last; }
            location ~ ^/(a/)*c$ { return 204; }
            location /item/ { }
        }
        block host *.blocked.example blocked.example;
        route kl://Item/:id item;
        route kl://*.shop.example/:id shop;
        route https://www.example.com/item/:id(int) page;
        route kl://Item/files/*rest files;
        """

    /// Checks that it reads a part of a request in its own way: a dispatch is a decision and a route.
    func reads(_ part: Part) -> Bool {
        self == .decide || (self == .dispatch ? part == .labels || part == .components : part.header == nil)
    }

    /// Reads a request sixteen times, and returns a number that the optimizer cannot leave out.
    func walk(_ request: RuleRequest) async throws -> Int {
        let engine = Engine(try RuleSet(text: Self.rules))
        var sum = 0
        switch self {
        case .decide:
            for _ in 0..<16 { sum += engine.decide(request).urlBytes?.count ?? 0 }
        case .dispatch:
            var builder = DispatcherBuilder<Int>()
            builder.on("kl://Item/:id/:rest") { .handled($0.url.count) }
            builder.onUnmatched { .handled($0.url.count) }
            let dispatcher = try builder.build(rules: engine)
            for _ in 0..<16 { sum += try await dispatcher.dispatch(request).value ?? 0 }
        case .routes:
            guard let table = engine.ruleSet.routes else { return 0 }
            let url = request.url
            for _ in 0..<16 {
                switch table.resolve(url, method: "GET") {
                case .matched(let match): sum += match.combinedParameters.count
                case .missed(let miss): sum += "\(miss)".utf8.count
                }
            }
        case .links: sum = try await open(request.url, engine)
        case .appLinks: sum = try explain(request.url)
        }
        return sum
    }

    private func open(_ url: String, _ engine: Engine) async throws -> Int {
        var assembly = Assembly()
        assembly.add(Shop())
        let modules = try assembly.build()
        let links = try Links(modules, rules: engine)
        return try await modules.run { _ in
            var sum = 0
            for _ in 0..<16 {
                do {
                    _ = try await links.open(url, from: Caller(.link))
                    sum += 1
                } catch let error as LinkError {
                    sum += "\(error)".utf8.count
                }
            }
            return sum
        }
    }

    private func explain(_ url: String) throws -> Int {
        let text =
            ##"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":["##
            + ##"{"/":"/buy/*/now","?":{"page":"?*"}},{"/":"*/?*/b","#":"x*"}]}]}}"##
        let file = try AppSiteAssociation(reading: Array(text.utf8))
        let web = "https" + url.dropFirst(2)
        // A host that is too long is refused, which has its cost as well.
        return (0..<16).reduce(0) { sum, _ in sum + ((try? file.explain(web))?.count ?? 0) }
    }
}

/// Answers links.
struct Shop: ProgramModule {
    struct Item: Codable, Sendable {
        var id: String
        var page: String?
    }
    static let item = ModuleAction<Item, Int>("Shop.item", at: "kl://Item/:id", for: .links)
    static let other = ModuleAction<Item, Int>("Shop.other", at: "kl://*.shop.example/:id", for: .links)

    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.handle(Self.item) { item, _ in item.id.utf8.count + (item.page?.utf8.count ?? 0) }
        definition.handle(Self.other) { item, _ in item.id.utf8.count }
    }
}
