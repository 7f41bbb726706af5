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

extension AccessRules.Verdict {
    /// The answer to a request that is not let in: 401 without a key, 403 with one that is none of ours.
    var turnAway: HTTPAdmission {
        .turnAway(HTTPResponse(self == .keyMissing ? 401 : 403, ResponseBody.refusal("unauthorized", nil)))
    }
}
