#if Client
import HTTPTypes
import Shunt
import ShuntInterfaces
import ShuntLinks
import ShuntModules
import ShuntModulesTesting
import ShuntServices
import Testing

/// A program of two modules, as docs/modules.md has parts of it: a server's catalogue, and a scope for each reader.
@Suite struct LibraryTests {
    struct BookID: Codable, Sendable { var id: Int }
    struct Book: Codable, Sendable { var title: String }
    struct Reader: Codable, Hashable, Sendable { var name: String }
    struct ShelfIsFull: StatusError { var status: Int { 409 } }

    enum Library {
        static let book = ModuleAction<BookID, Book>("Library.book", method: "GET", at: "/books/:id")
        static let open = ModuleAction<Reader, NoValue>("Library.open")
        static let lend = ModuleAction<BookID, String>("Library.lend", method: "POST", at: "/books/:id", for: .network)
    }

    struct CatalogueModule: ProgramModule {
        func define(_ definition: inout ModuleDefinition<NoValue>) {
            definition.remote("https://catalogue.example.com") { $0.send(Library.book) }
        }
    }

    actor Shelf {
        private var books: [Book] = []

        func add(_ book: Book) throws {
            guard books.count < 2 else { throw ShelfIsFull() }
            books.append(book)
        }
    }

    struct ReaderModule: ProgramModule {
        func define(_ definition: inout ModuleDefinition<Reader>) {
            let (reader, shelf) = (definition.input, definition.own { _ in Shelf() })
            let book = definition.require(Library.book)
            definition.handle(Library.lend) { id, call in
                guard call.caller.name == call[reader].name else {
                    throw CallError.refused(by: "Library", reason: "no login")
                }
                let found = try await call[book](id)
                try await call[shelf].add(found)
                return found.title
            }
        }
    }

    struct LibraryModule: ProgramModule {
        func define(_ definition: inout ModuleDefinition<NoValue>) {
            let reader = definition.slot(ReaderModule(), .each(limit: 1_000), at: "/readers/:name", for: .network)
            definition.handle(Library.open) { input, call in
                try await call.scope.attach(reader, for: input)
                return NoValue()
            }
        }
    }

    /// Lends books with a catalogue that has one.
    private func withLibrary(
        _ body: @escaping @Sendable (Scope, Links, CallRecorder) async throws -> Void
    ) async throws {
        var options = Assembly.Options()
        options.clock = TurnedClock()
        var assembly = Assembly(options: options)
        assembly.add(CatalogueModule())
        assembly.add(LibraryModule())
        assembly.add(HTTPClientModule(AsyncHTTPTransport()))
        let recorder = CallRecorder()
        assembly.intercept(recorder.history)
        assembly.replace(HTTPClientModule.exchange) { exchange, _ in
            guard exchange.url.hasSuffix("/7") else { return HTTPReply(HTTPResponse(status: .notFound)) }
            return HTTPReply(HTTPResponse(status: .ok), body: Array(#"{"title":"Emma"}"#.utf8))
        }
        let modules = try assembly.build()
        #expect(modules.warnings.isEmpty)
        let links = try Links(modules, rules: Engine(try RuleSet(text: "")))
        try await modules.run { app in try await body(app, links, recorder) }
    }

    @Test("Readers have their shelves, and only their callers reach them")
    func lends() async throws {
        try await withLibrary { app, links, recorder in
            _ = try await app.call(Library.open, Reader(name: "ann"))
            for (path, caller, status, text) in [
                ("/readers/ann/books/7", "ann", 200, #""Emma""#), ("/readers/ann/books/7", "bob", 403, nil),
                ("/readers/bob/books/7", "bob", 404, nil), ("/readers/ann/books/8", "ann", 404, nil),
                ("/readers/ann/books/7", "ann", 200, #""Emma""#), ("/readers/ann/books/7", "ann", 409, nil),
            ] {
                var request = RuleRequest(target: path, host: "library.test")
                request.method = "POST"
                let response = try await links.respond(to: request, body: [], from: Caller(.network, name: caller))
                #expect(response.status == status, "\(path) of \(caller)")
                if let text { #expect(response.text == text) }
            }
            #expect(recorder.records.count { $0.name == "HTTPClientModule.exchange" } == 4)
        }
    }

    @Test("An error of the client is one sentence, and a forgotten client is named")
    func errors() async throws {
        try await withLibrary { app, _, _ in
            let error = await #expect(throws: ClientError.self) { try await app.call(Library.book, BookID(id: 8)) }
            #expect(error.map { "\($0)" } == "the server answered 404")
        }
        for (error, text) in [
            (ClientError.unreachable(ShelfIsFull()), "the server is not reachable: ShelfIsFull()"),
            (.timedOut, "the server did not answer in time"),
            (.rejected(code: 7, message: "closed"), "the server rejected the request: closed (7)"),
            (
                .unreadable(reason: "no JSON", HTTPReply(HTTPResponse(status: .ok))),
                "the answer is not readable: no JSON"
            ),
            (.tooLarge(limit: 8), "the answer is larger than 8 bytes"),
            (.unsendable(reason: "no id"), "the input does not fit into a request: no id"),
        ] {
            #expect("\(error)" == text)
        }
        var assembly = Assembly()
        assembly.add(CatalogueModule())
        let error = #expect(throws: AssemblyError.self) { try assembly.build() }
        #expect(
            error?.description.contains(#"requires the action "HTTPClientModule.exchange", which no module"#) == true
        )
    }
}
#endif
