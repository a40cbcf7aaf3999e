extension Diagnostic {
    package var json: JSONObject {
        let head: JSONObject = ["severity": severity.rawValue, "code": code, "message": message]
        return head.adding(location.members)
            .adding([
                "length": length,
                "count": count > 1 ? count : nil,
                "source": sourceLine.isEmpty ? nil : sourceLine,
                "suggestion": suggestion,
                "notes": notes.isEmpty ? nil : notes.map(\.json),
            ])
    }
}
