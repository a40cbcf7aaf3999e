package import Shunt

/// The requests that a browser has recorded, as a file in the form HAR
/// (https://w3c.github.io/web-performance/specs/HAR/Overview.html).
package enum BrowserArchive {
    /// Reads the requests of a file; an entry without a request is passed over.
    package static func requests(_ bytes: [UInt8]) throws(RequestError) -> [RequestDescription?] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes)
        } catch {
            throw RequestError("the file is not JSON: \(error)")
        }
        guard let entries = value["log"]?["entries"]?.items else {
            throw RequestError("the file has no \"log\" with \"entries\"")
        }
        return entries.map { entry in
            guard let object = entry["request"], case .string(let url)? = object["url"] else { return nil }
            var request = RuleRequest(url: url)
            if case .string(let method)? = object["method"] { request.methodBytes = method }
            for header in object["headers"]?.items ?? [] {
                guard case .string(let name)? = header["name"], case .string(let text)? = header["value"],
                    // The URL has the host, and fields that begin with a colon are parts of it, too.
                    !name.isEmpty, name[0] != UInt8(ascii: ":"),
                    name.map(\.asciiLowercased) != Array("host".utf8)
                else { continue }
                request.headers.append(RuleRequest.Header(name: name, value: text))
            }
            return RequestDescription(request)
        }
    }
}
