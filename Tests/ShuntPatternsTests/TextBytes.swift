/// Bytes written as text in tests.
extension [UInt8] {
    init(_ text: String) {
        self.init(text.utf8)
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}
