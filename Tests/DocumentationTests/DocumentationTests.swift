import Testing

/// What the documents show is run; one after the other, because each may write to the documents.
@Suite(.serialized) struct DocumentationTests {}
