#if Command
import Glibc
import Shunt
import ShuntCore
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
    }

    /// The largest recording of a browser, in bytes.
    private static let browserLimit = 256 << 20

    /// The Host of requests whose log has none.
    let host: String?
    /// The lines that could not be understood.
    private(set) var unreadable = 0
    /// The problems of the first of them.
    private(set) var problems: [String] = []

    init(host: String?) {
        self.host = host
    }

    /// Reads a file, `-` for standard input.
    mutating func read(_ path: String, form: Form, _ body: (RequestDescription) -> Void) throws {
        if case .browser = form {
            let bytes: [UInt8]
            do throws(FileError) {
                let files = LocalFileSystem()
                bytes = try files.read(try files.realPath(path), limit: Self.browserLimit)
            } catch {
                throw Self.unreadable(path, "\(error)")
            }
            do throws(RequestProblem) {
                for request in try BrowserArchive.requests(bytes) { body(request) }
            } catch {
                throw Self.unreadable(path, "\(error)")
            }
            return
        }
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path, SystemError.text(errno)) }
        defer { if path != "-" { close(descriptor) } }
        var reader = LineReader(descriptor, limit: RequestRecord.limit)
        var number = 0
        do {
            while let line = try reader.next(beforeWaiting: {}) {
                number += 1
                guard case .whole(let bytes) = line else {
                    note("\(path):\(number): the line is longer than \(RequestRecord.limit) bytes")
                    continue
                }
                if bytes.isEmpty { continue }
                do throws(RequestProblem) {
                    switch form {
                    case .log(let format): body(try format.request(bytes, host: host))
                    default: body(try RequestDescription(line: bytes))
                    }
                } catch {
                    note("\(path):\(number): \(error)")
                }
            }
        } catch let error as InputError {
            throw Self.unreadable(path, SystemError.text(error.number))
        }
    }

    private mutating func note(_ problem: String) {
        unreadable += 1
        if problems.count < 3 { problems.append(problem) }
    }

    private static func unreadable(_ path: String, _ reason: String) -> any Error {
        Failure.report("shunt: error: cannot read \(path): \(reason)")
        return Failure.unanswered
    }
}
#endif
