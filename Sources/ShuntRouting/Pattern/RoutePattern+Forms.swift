/// A part of a path as a pattern takes it, for languages of patterns that have wildcards only.
package enum PatternFormPart: Sendable, Hashable {
    case text([UInt8])
    /// The `/` between two components.
    case slash
    /// One or more bytes of a component, of a type if one is given.
    case value(ParameterType?)
    /// One or more bytes of a component that an expression takes, and the name of the parameter.
    case expression([UInt8], name: String?)
    case oneByte
    /// Any number of bytes, slashes included.
    case rest
    /// A form of bytes that no other part describes.
    case other
    /// The `#` before a fragment.
    case fragment
}

extension RoutePattern {
    /// The paths that the pattern takes, one form for each way to leave out what is optional.
    ///
    /// - Parameter limit: How many forms are worth having.
    /// - Returns: The forms, with the most in them first; nil if there are more.
    package func forms(limit: Int) -> [[PatternFormPart]]? { Self.forms(of: elements[...], limit) }

    private static func forms(of elements: ArraySlice<PatternElement>, _ limit: Int) -> [[PatternFormPart]]? {
        guard let element = elements.first else { return [[]] }
        guard let rest = forms(of: elements.dropFirst(), limit) else { return nil }
        var starts: [[PatternFormPart]]
        switch element {
        case .component(let forms): starts = forms.map { [.slash] + $0.map(part) }
        case .group(let inner):
            guard let forms = forms(of: inner[...], limit) else { return nil }
            starts = forms + [[]]
        case .tail(let pieces): starts = pieces.isPlainTail ? [[.slash, .rest], []] : [[.slash, .other]]
        case .fragment: starts = [[.fragment]]
        case .trailingSlash: starts = [[.slash]]
        }
        guard starts.count * rest.count <= limit else { return nil }
        return starts.flatMap { start in rest.map { start + $0 } }
    }

    private static func part(_ piece: PatternPiece) -> PatternFormPart {
        switch piece {
        case .literal(let bytes): return .text(bytes)
        case .anyByte: return .oneByte
        case .splat, .components: return .other
        case .parameter(let parameter):
            switch parameter.constraint {
            case .none: return .value(nil)
            case .type(let type): return .value(type)
            case .expression(let expression): return .expression(expression, name: parameter.name)
            }
        }
    }

    /// The hosts that the pattern takes, in small letters, without a port.
    package var hostForm: [PatternFormPart] {
        guard let host, !host.isAny else { return [.value(nil)] }
        var form: [PatternFormPart] = []
        for (index, label) in host.head.enumerated() {
            if index > 0 { form.append(.text([UInt8(ascii: ".")])) }
            switch label {
            case .open: form.append(.value(nil))
            case .pieces(let pieces): form += pieces.map(Self.part)
            }
        }
        return host.suffix.isEmpty ? form : form + [.text(host.suffix)]
    }

    /// Returns true if URLs with this host may match.
    ///
    /// - Parameter host: A name in small letters.
    /// - Returns: Yes where the pattern names no host or this one, or has a wildcard that could take it.
    package func mayTake(host: String) -> Bool {
        guard let pattern = self.host, !pattern.isAny else { return true }
        let bytes = Array(host.utf8)
        guard bytes.count >= pattern.suffix.count, bytes.suffix(pattern.suffix.count).elementsEqual(pattern.suffix)
        else { return false }
        let head = bytes.dropLast(pattern.suffix.count)
        guard !pattern.head.isEmpty else { return head.isEmpty }
        let labels = head.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty) else { return false }
        if case .open? = pattern.head.first { return labels.count >= pattern.head.count }
        return labels.count == pattern.head.count
    }
}
