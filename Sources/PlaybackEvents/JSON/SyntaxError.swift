/// The text is no JSON document.
struct SyntaxError: Error, Equatable {
    /// The first byte that can't continue a document, the text's length when it stops too early.
    var offset: Int
}
