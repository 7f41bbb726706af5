/// The frame of every page: it needs nothing else, no script, no font, no picture from anywhere.
struct HTMLPage {
    /// What a browser's tab says.
    var title: String
    /// What the link over the page's head to its body says; nil where the head is short.
    var skip: String?
    /// After so many seconds a browser asks for the page again; nil: never.
    var refresh: Int?
    var header: HTML
    var main: HTML
    var footer = HTML.nothing

    var text: String {
        let meta: HTML = refresh.map { "<meta http-equiv=\"refresh\" content=\"\($0)\">\n" } ?? .nothing
        let skip: HTML = skip.map { "<a class=\"skip\" href=\"#main\">\($0)</a>\n" } ?? .nothing
        let html: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            \(meta)\
            <link rel="icon" href="data:,">
            <title>\(title)</title>
            <style>
            \(PageStyle.css)
            </style>
            </head>
            <body>
            \(skip)\
            <header>
            \(header)</header>
            <main id="main">
            \(main)</main>
            \(footer)</body>
            </html>

            """
        return html.text
    }
}
