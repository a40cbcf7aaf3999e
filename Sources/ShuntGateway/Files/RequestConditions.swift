#if Gateway
import NIOCore
import Shunt

/// The conditions of a request about the file that it asks for, read as nginx reads them.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-13
struct RequestConditions {
    let fields: HeaderFields
    /// The ETag of the file; nil for none.
    let tag: [UInt8]?
    /// The seconds of its last change; nil if they are unknown.
    let modified: Int64?

    /// True if the request is for another state of the file.
    var fail: Bool {
        if let time = time("if-unmodified-since"), time < modified ?? .max { return true }
        guard let list = value("if-match") else { return false }
        return !lists(list, isWeak: false)
    }

    /// Returns true if the client has the file already.
    func hold(_ condition: ModifiedCondition) -> Bool {
        let since = time("if-modified-since")
        let list = value("if-none-match")
        guard since != nil || list != nil else { return false }
        if let since {
            let change = modified ?? .max
            guard condition != .off, since == change || condition == .before && since > change else { return false }
        }
        return list.map { lists($0, isWeak: true) } ?? true
    }

    /// True if a range of the file is of the state that the client has a part of.
    var allowRanges: Bool {
        guard let state = value("if-range") else { return true }
        if state.count >= 2, state.last == UInt8(ascii: "\"") {
            return state == tag
        }
        return modified != nil && HTTPTime.seconds(state) == modified
    }

    /// The value of the only header of a name, or of the first one.
    func value(_ name: StaticString) -> [UInt8]? {
        fields.first(name).map { field in fields.with(field.value) { Array(copying: $0) } }
    }

    /// The time in a header, -1 if it has none; nil without the header.
    private func time(_ name: StaticString) -> Int64? { value(name).map { HTTPTime.seconds($0) ?? -1 } }

    /// Returns true if a list of tags has that of the file.
    private func lists(_ list: [UInt8], isWeak: Bool) -> Bool {
        if list == [UInt8(ascii: "*")] { return true }
        guard let tag else { return false }
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let comma = UInt8(ascii: ",")
        var rest = list[...]
        while !rest.isEmpty {
            if isWeak, rest.count > 2, rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard rest.count >= tag.count else { return false }
            if rest.starts(with: tag) {
                let after = rest.dropFirst(tag.count).drop(while: isBlank)
                if after.first ?? comma == comma { return true }
                rest = after
            }
            rest = rest.drop { $0 != comma }.drop { isBlank($0) || $0 == comma }
        }
        return false
    }
}
#endif
