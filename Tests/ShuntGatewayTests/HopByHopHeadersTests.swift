#if Gateway
import NIOCore
import Testing

@testable import ShuntGateway

/// The headers that are for one connection only.
@Suite struct HopByHopHeadersTests {
    @Test("Each option that Connection lists takes its header from the next connection, however many there are")
    func options() {
        let names = (0..<256).map { "x-\($0)" }
        let value = (names.dropFirst(128) + (0..<20_000).map { "y\($0)" }).joined(separator: " ,\t")
        var bytes = ByteBuffer(string: "Connection")
        let middle = bytes.writerIndex
        bytes.writeString(value.uppercased())
        let field = HeaderFields.Field(name: 0..<middle, value: middle..<bytes.writerIndex)
        let found = HopByHopHeaders(HeaderFields(bytes, [field]))
        for (number, name) in names.enumerated() { #expect(found.contains(Array(name.utf8).span) == (number >= 128)) }
        for (number, isListed) in [(19_999, true), (20_000, false)] {
            let isFound = found.contains(Array("y\(number)".utf8).span)
            #expect(isFound == isListed)
        }
    }
}
#endif
