public import Shunt

/// A written request: the values that rules read, and the files that have to exist.
///
/// One line of input stands for one, in the form that `shunt run` reads: a URL, or a JSON object.
public struct RequestDescription: Sendable {
    /// The request.
    public var request: RuleRequest
    /// The paths that exist; one that ends in a slash is a directory.
    ///
    /// Nothing else does: a request that was written down reads no disk.
    public var files: [String]
    /// The number of times the request occurred.
    public var weight: Int
    /// The headers, cookies and inputs whose values the log that the request is from has masked.
    public var masked: [String] = []

    /// Describes a request.
    public init(_ request: RuleRequest, files: [String] = [], weight: Int = 1) {
        self.request = request
        self.files = files
        self.weight = weight
    }

    /// Reads a line: a URL, a JSON object, or a line of the gateway's access log.
    ///
    /// - Throws: What is wrong with it, as a sentence.
    public init(line: [UInt8]) throws(RequestError) { self = try RequestRecord.description(line) }

    /// The files that exist; nil where there are none, so that every test for one fails.
    public var fileSystem: InMemoryFileSystem? { files.isEmpty ? nil : InMemoryFileSystem(paths: files) }

    /// The same with another request.
    func changed(_ change: (inout RuleRequest) -> Void) -> RequestDescription {
        var other = self
        change(&other.request)
        return other
    }

    /// The request as the JSON object on one line that reading returns; what is usual is left out.
    public var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension RequestDescription: CustomStringConvertible {
    /// The request on one line for people: its URL, and in braces the rest of it.
    public var description: String { RequestText.shown(self) }
}
