import ShuntCore

extension ProgramTables {
    /// The bytes of a part that is a literal; none of any other.
    func bytes(of part: TemplatePart) -> ArraySlice<UInt8> {
        part.kind == .literal ? constants[Int(part.a)..<Int(part.b)] : []
    }

    func parts(of template: TemplateIndex) -> Slice<Table<TemplatePart>> {
        var end = template.position
        while !parts[end].isLast { end += 1 }
        return parts[template.position...end]
    }

    /// The bytes of a template that is one constant; nil for any other, and empty without one.
    func constantBytes(of template: TemplateIndex) -> [UInt8]? {
        guard !template.isNone else { return [] }
        let part = parts[template]
        return part.isConstant ? Array(bytes(of: part)) : nil
    }
}
