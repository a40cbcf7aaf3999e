#if Command
import ArgumentParser
import Shunt
import ShuntTools

/// Requests of any number in files and logs, read one after another.
struct RequestCorpus {
    /// The form of the lines of a log.
    enum Form {
        /// A URL or a JSON object, as `shunt run` reads them; the gateway's log is among them.
        case lines
        /// A format of nginx or Apache.
        case log(LogFormat)
        /// The recording of a browser.
        case browser

        /// Reads the value of a `--log-format`.
        init(named name: String) throws {
            switch name {
            case "shunt": self = .lines
            case "har": self = .browser
            default:
                do throws(RequestError) {
                    self = .log(try LogFormat(name))
                } catch {
                    throw ValidationError("--log-format: \(error).")
                }
            }
        }
    }

    /// The largest recording of a browser, in bytes.
    private static let browserLimit = 256 << 20

    /// The Host of requests whose log has none.
    let host: String?
    /// The lines that could not be understood.
    private(set) var unreadable = 0
    /// The problems of the first of them.
    private(set) var problems: [String] = []

    init(host: String?) { self.host = host }

    /// Reads a file, `-` for standard input.
    mutating func read(_ path: String, form: Form, _ body: (RequestDescription) -> Void) throws {
        if case .browser = form {
            let bytes = try InputFile.content(path, limit: Self.browserLimit)
            do throws(RequestError) {
                for (index, request) in try BrowserArchive.requests(bytes).enumerated() {
                    if let request { body(request) } else { note("\(path): entry \(index + 1) has no URL") }
                }
            } catch {
                throw Failure.error("cannot read \(path): \(error)")
            }
            return
        }
        try LineReader.readFile(path) { line, number in
            guard case .whole(let bytes) = line else {
                note("\(path):\(number): the line is longer than \(RequestRecord.limit) bytes")
                return true
            }
            if bytes.isEmpty { return true }
            do throws(RequestError) {
                switch form {
                case .log(let format): body(try format.request(bytes, host: host))
                default:
                    let line = try Self.line(bytes, "write --log-format combined")
                    body(try Self.withHost(try Self.request(line), host))
                }
            } catch {
                note("\(path):\(number): \(error)")
            }
            return true
        }
    }

    /// A line of requests; throws for a line of another server's log, which would be taken for a URL.
    static func line(_ bytes: [UInt8], _ advice: String) throws(RequestError) -> [UInt8] {
        // Logs may be long: most lines are distinguished by their first byte.
        guard bytes.first != UInt8(ascii: "{"), bytes.contains(UInt8(ascii: "[")) else { return bytes }
        guard String(decoding: bytes, as: UTF8.self).contains(#/^\S+ .*\[[^\]]*:\d\d [^\]]*\] "[A-Z]+ /#) else {
            return bytes
        }
        throw RequestError("this is a line of an access log, and no request: \(advice)")
    }

    /// Reads a line that is a URL, a target or an object.
    private static func request(_ line: [UInt8]) throws(RequestError) -> RequestDescription {
        let description = try RequestDescription(line: line)
        if line.first == UInt8(ascii: "{") || line.first == UInt8(ascii: "/") || hasScheme(line) { return description }
        // A host may come without its scheme, but not with blanks after it.
        if case .target = description.request.subject, !line.contains(0x20) { return description }
        throw RequestError("this is neither a URL nor a path: write --log-format with the form of the log")
    }

    private static func hasScheme(_ url: [UInt8]) -> Bool {
        let scheme = url.prefix { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
        return !scheme.isEmpty && url.dropFirst(scheme.count).first == UInt8(ascii: ":")
    }

    /// The request with the Host of those whose log has none; throws for a path without any Host.
    static func withHost(_ description: RequestDescription, _ host: String?) throws(RequestError)
        -> RequestDescription
    {
        var description = description
        let request = description.request
        guard request.host == nil, request.bytes.first == UInt8(ascii: "/") else { return description }
        if let host {
            description.request.subject = .target(request.bytes, host: Array(host.utf8))
        } else if request.isForURL
            || request.version != "1.0" && !request.headers.contains(where: { $0.name.lowercased() == "host" })
        {
            throw RequestError("the path has no host: write HOST/PATH, or name the host with --host")
        }
        return description
    }

    private mutating func note(_ problem: String) {
        unreadable += 1
        if problems.count < 3 { problems.append(problem) }
    }
}

/// The requests of a file, for measuring: all of them are kept.
enum RequestFile {
    /// The most requests that are kept.
    static let limit = 5_000_000

    /// Reads the requests; what is wrong with the file is shown, and ends the command.
    static func read(_ path: String) throws -> [RuleRequest] { try readDescriptions(path).map(\.request) }

    /// Reads the requests with all that their lines have.
    static func readDescriptions(_ path: String) throws -> [RequestDescription] {
        var requests: [RequestDescription] = []
        var problems: [String] = []
        try LineReader.readFile(path) { line, number in
            guard requests.count < limit else {
                problems.append("\(path):\(number): there are more than \(limit) requests")
                return false
            }
            switch line {
            case .tooLong:
                problems.append("\(path):\(number): the line is longer than \(RequestRecord.limit) bytes")
            case .whole(let bytes):
                do throws(RequestError) {
                    requests.append(try RequestDescription(line: try RequestCorpus.line(bytes, "write its URL")))
                } catch {
                    problems.append("\(path):\(number): \(error.description)")
                }
            }
            return true
        }
        if requests.isEmpty, problems.isEmpty { problems.append("\(path): there are no requests in it") }
        guard problems.isEmpty else {
            let shown = 20
            for problem in problems.prefix(shown) { Failure.report("shunt: error: \(problem)") }
            if problems.count > shown { Failure.report("shunt: error: and \(problems.count - shown) lines more") }
            throw Failure.unanswered
        }
        return requests
    }
}
#endif
