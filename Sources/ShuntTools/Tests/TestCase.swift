public import Shunt
package import ShuntPatterns

/// One request, and what is expected of the decision about it.
public struct TestCase: Sendable {
    /// The files for a request that names none.
    package enum FileView: Sendable {
        /// No one looks: nothing is answered with a file, and nothing with 404.
        case unseen
        /// Those that the test names, and no others.
        case named
    }

    /// A header that is compared otherwise than as a whole.
    package struct HeaderTest: Sendable {
        package enum Comparison: String, Sendable {
            case contains, startsWith, endsWith, matches
        }

        package var name: [UInt8]
        package var comparison: Comparison
        package var text: [UInt8]
        package var pattern: RegularExpression?
    }

    /// The place where the test is written.
    public var location: SourceLocation
    /// Its name, where it has one.
    public var name: String?
    /// The request.
    public var request: RequestDescription
    /// The expected result; nil for a test that is not recorded yet.
    package var expectation: Expectation?
    /// The status of the answer, whatever decides it.
    package var status: Int?
    package var headerTests: [HeaderTest] = []
    package var fileView = FileView.named
    /// True if the redirect must lead to an end: not back to a URL that was asked for.
    package var followsRedirects = false
    /// The assertions of the source that are not checked.
    public var notChecked: [String] = []

    package init(
        at location: SourceLocation,
        _ request: RequestDescription,
        expecting expectation: Expectation?,
        name: String? = nil
    ) {
        self.location = location
        self.request = request
        self.expectation = expectation
        self.name = name
    }

    /// A test that a rule file brings along.
    package init(_ test: CollectedTest) {
        self.init(at: test.location, RequestDescription(test.request, files: test.files), expecting: test.expectation)
        fileView = test.files.isEmpty ? .unseen : .named
    }

    /// The file and the line, as people name a test.
    public var place: String { "\(location.file):\(location.line)" }
}

/// The reason why a file of tests cannot be used: everything that is wrong with it.
public struct TestFileError: Error, Sendable, CustomStringConvertible {
    /// The problems, by place.
    public var diagnostics: [Diagnostic]

    /// Makes an error.
    public init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    /// The diagnostics as people read them.
    public var description: String { DiagnosticRenderer().render(diagnostics) }
}
