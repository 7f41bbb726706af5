import Foundation
import Testing
import TestSupport

/// What a browser makes of a page at a width, measured by a page that shows it in a frame.
struct PageProbe: Decodable {
    struct Picture: Decodable {
        var name: String
        /// Marks that have a place and a size on the screen, by element: `circle`, `rect`.
        var marks: [String: Int]
        /// Marks whose middle is outside the picture.
        var outside: Int
        /// The rows of the first table after it.
        var rows: Int
    }

    var width: Int
    var scrollWidth: Int
    /// The captions of tables of which a part is out of sight.
    var cutTables: [String]
    var pictures: [Picture]
    /// What the page loaded beside itself.
    var loaded: [String]
    var scripts: Int

    /// - Returns: what was measured at each width, and what the console showed.
    static func measure(
        _ page: String, widths: [Int], in chromium: Chromium
    ) throws -> (probes: [PageProbe], console: [String]) {
        let frames = widths.map {
            #"<iframe style="width:\#($0)px;height:900px;border:0" src="\#(URL(fileURLWithPath: page).absoluteString)"></iframe>"#
        }
        let file = chromium.folder.path("probe.html")
        try #"<!DOCTYPE html><body>\#(frames.joined())<pre id="found"></pre><script>\#(script)</script></body>"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        let shown = try chromium.load(file)
        let found = try #require(shown.document.firstMatch(of: /<pre id="found">([^<]+)<\/pre>/)).output.1
        let text = try #require(found.removingPercentEncoding)
        return (try JSONDecoder().decode([PageProbe].self, from: Data(text.utf8)), shown.console)
    }

    private static let script = """
        function measure(frame) {
          const page = frame.contentDocument, tables = [...page.querySelectorAll("table")];
          const pictures = [...page.querySelectorAll("svg[role=img]")].map(svg => {
            const area = svg.getBoundingClientRect(), marks = {};
            let outside = 0;
            for (const mark of svg.querySelectorAll(".mark")) {
              const box = mark.getBoundingClientRect(), middle = box.x + box.width / 2;
              if (box.width > 0) marks[mark.localName] = (marks[mark.localName] || 0) + 1;
              if (middle < area.left - 1 || middle > area.right + 1) outside += 1;
            }
            const table = tables.find(t => svg.compareDocumentPosition(t) & Node.DOCUMENT_POSITION_FOLLOWING);
            return { name: svg.getAttribute("aria-label"), marks, outside, rows: table.tBodies[0].rows.length };
          });
          const cutTables = [...page.querySelectorAll(".scroll")].filter(box => box.scrollWidth > box.clientWidth)
            .map(box => box.getAttribute("aria-label"));
          return {
            cutTables, width: frame.clientWidth, scrollWidth: page.documentElement.scrollWidth, pictures,
            loaded: frame.contentWindow.performance.getEntriesByType("resource").map(entry => entry.name),
            scripts: page.scripts.length
          };
        }
        onload = () => {
          const found = [...document.querySelectorAll("iframe")].map(measure);
          document.getElementById("found").textContent = encodeURIComponent(JSON.stringify(found));
          console.log("measured");
        };
        """
}
