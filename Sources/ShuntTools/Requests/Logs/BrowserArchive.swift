package import Shunt

/// The requests that a browser has recorded, as a file in the form HAR
/// (https://w3c.github.io/web-performance/specs/HAR/Overview.html).
package enum BrowserArchive {
    /// Reads the requests of a file; an entry without a request is passed over.
    ///
    /// - Throws: What is wrong with it, as a sentence.
    package static func requests(_ bytes: [UInt8]) throws(RequestProblem) -> [RequestDescription?] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes)
        } catch {
            throw RequestProblem("the file is not JSON: \(error)")
        }
        guard case .array(let entries)? = member("entries", of: member("log", of: value)) else {
            throw RequestProblem("the file has no \"log\" with \"entries\"")
        }
        return entries.map { entry in
            guard let object = member("request", of: entry), case .string(let url)? = member("url", of: object) else {
                return nil
            }
            var request = RuleRequest(url: url)
            if case .string(let method)? = member("method", of: object) { request.method = method }
            if case .array(let headers)? = member("headers", of: object) {
                for header in headers {
                    guard case .string(let name)? = member("name", of: header),
                        case .string(let text)? = member("value", of: header), !name.isEmpty,
                        // The URL has the host, and fields that begin with a colon are parts of it, too.
                        name[0] != UInt8(ascii: ":"), name.map(\.asciiLowercased) != Array("host".utf8)
                    else { continue }
                    request.headers.append(RuleRequest.Header(name: name, value: text))
                }
            }
            return RequestDescription(request)
        }
    }

    private static func member(_ name: String, of value: JSONValue?) -> JSONValue? {
        guard case .object(let members)? = value else { return nil }
        return members.first { $0.name == name }?.value
    }
}
