internal import HTTPServing

extension HTTPResponse {
    /// An answer with a JSON body.
    init(_ status: Int, _ json: String, fields: [(name: String, value: String)] = []) {
        self.init(
            status: status,
            fields: [("Content-Type", "application/json"), ("X-Content-Type-Options", "nosniff")] + fields,
            body: Array(json.utf8))
    }
}
