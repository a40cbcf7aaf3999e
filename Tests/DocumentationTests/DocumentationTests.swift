import Testing

/// Runs the examples of the documents; one after the other, because each may write to the documents.
@Suite(.serialized) struct DocumentationTests {}
