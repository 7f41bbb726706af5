/// How the page looks: one column that grows to two, light or dark as the reader's system is, black on white in print.
enum PageStyle {
    static let css: HTML = """
        :root {
          color-scheme: light dark;
          --paper: #ffffff; --ink: #1b1f24; --quiet: #57606a; --line: #d0d7de; --band: #f4f6f8;
          --one: #0a58ca; --two: #a04000; --bad: #b3261e; --good: #1a6b34;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #12161b; --ink: #e6e9ed; --quiet: #a3acb6; --line: #39424c; --band: #1b2129;
            --one: #7ab4ff; --two: #ffb37a; --bad: #ff8f85; --good: #7ddc98;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
        }
        a { color: var(--one); }
        .skip { position: absolute; left: -999px; }
        .skip:focus { position: static; }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
        h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
        h3 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }
        h4, .many h3 { font-size: .9375rem; margin: 0 0 .25rem; }
        p { max-width: 46rem; margin: .5rem 0; }
        .answer { font-size: 1.125rem; }
        .quiet, figcaption { color: var(--quiet); }
        p.quiet, figcaption, footer { font-size: .875rem; }
        .bad { color: var(--bad); font-weight: 600; }
        .good { color: var(--good); font-weight: 600; }
        figure { margin: 1rem 0; }
        .many { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem 1.5rem; }
        .many figure { margin: 0; break-inside: avoid; }
        svg { display: block; width: 100%; overflow: visible; }
        svg text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
        svg .quiet { fill: var(--quiet); }
        svg .title { font-weight: 600; }
        svg .axis, svg .grid { stroke: var(--line); stroke-width: 1; }
        svg .one { fill: var(--one); stroke: var(--one); }
        svg .two { fill: var(--two); stroke: var(--two); }
        svg .whisker { stroke-width: 2; opacity: .6; fill: none; }
        svg .open { stroke-dasharray: 3 4; }
        svg .arrow { stroke: none; }
        svg .bar { stroke: none; }
        nav ul { list-style: none; margin: 0; padding: 0; }
        .times, .contents ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .75rem 0; font-size: .875rem; }
        .times a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
        form {
          display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .75rem; align-items: end;
          margin: .75rem 0; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--band);
        }
        form label { font-size: .8125rem; color: var(--quiet); min-width: 0; }
        form .kept { grid-column: span 2; color: var(--ink); overflow-wrap: anywhere; }
        form input:not([type=checkbox]), select {
          display: block; width: 100%; min-height: 2.125rem; margin-top: .125rem; padding: .3rem .4rem; font: inherit; color: var(--ink);
          background: var(--paper); border: 1px solid var(--line); border-radius: 4px;
        }
        button {
          font: inherit; padding: .35rem 1rem; color: var(--paper); background: var(--one); border: 0; border-radius: 4px;
        }
        .fold { display: flex; flex-direction: column; }
        .fold > * { min-width: 0; }
        .more { order: 2; font-size: .875rem; color: var(--quiet); cursor: pointer; }
        .more.aside, .more.ask { order: 0; }
        .more:has(:not(:checked)) + .scroll tr.rest, .more.aside:has(:not(:checked)) + .scroll { display: none; }
        .more.ask { display: none; }
        .file { float: right; }
        .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; }
        .scroll:focus { outline: 2px solid var(--one); }
        table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
        caption { text-align: left; padding: .5rem .75rem; color: var(--quiet); }
        th, td { padding: .35rem .6rem; border-top: 1px solid var(--line); text-align: right; vertical-align: top; }
        thead th { background: var(--band); vertical-align: bottom; }
        th[scope=row], .name { text-align: left; font-weight: 500; }
        th[scope=row], td.name { overflow-wrap: anywhere; min-width: 5rem; }
        th[scope=row] { min-width: 6.5rem; }
        th[scope=row], thead th:first-child { position: sticky; left: 0; }
        th[scope=row] { background: var(--paper); }
        .spread { white-space: nowrap; }
        tr.all th, tr.all td { font-weight: 700; }
        footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
        @media screen { \(list(".long")) }
        @media screen and (max-width: 66rem) { \(list(".wide")) }
        @media screen and (max-width: 52rem) { \(list(".scroll")) }
        @media screen and (max-width: 40rem) {
          .more.ask { display: block; margin: .25rem 0; }
          .more.ask:has(:not(:checked)) + form { display: none; }
        }
        @media print {
          :root {
            --paper: #fff; --ink: #000; --quiet: #444; --line: #999; --band: #eee;
            --one: #0a58ca; --two: #a04000; --bad: #900; --good: #060;
          }
          body { max-width: none; padding: 0; font-size: 11px; }
          .scroll { overflow: visible; border: 0; display: block !important; }
          tr.rest { display: table-row !important; }
          form, .times, .more, .file { display: none !important; }
          table { font-size: 9px; }
          th, td { padding: .15rem .3rem; }
          figure, tr { break-inside: avoid; }
          h2, h3 { break-after: avoid; }
          .skip, .contents { display: none; }
        }
        """

    /// Each row as a list of its figures under its name, with the columns' headings beside them.
    private static func list(_ table: HTML) -> HTML {
        """
        \(table) thead { position: absolute; left: -999px; }
        \(table) table, \(table) tbody, \(table) caption { display: block; }
        \(table) tr {
          display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: .375rem .75rem;
          padding: .5rem .75rem; border-top: 1px solid var(--line);
        }
        \(table) th, \(table) td { border: 0; padding: 0; text-align: left; }
        \(table) th[scope=row] { grid-column: 1 / -1; position: static; font-weight: 600; }
        \(table) td::before { content: attr(data-label); display: block; font-size: .75rem; color: var(--quiet); font-weight: 400; }
        """
    }
}
