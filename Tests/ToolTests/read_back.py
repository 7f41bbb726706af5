"""Reads a folder of exported CSV files with the readers that people use, and prints what each of them found as JSON.

usage: read_back.py files FOLDER    reader -> file -> {"types": {column: type}, "rows": [{column: cell}], "plays": sum}
       read_back.py query FILE      the rows of a DuckDB query, run where qoe-data lies

`types` are "text", "date", "whole" and "real": the readers' own names of them differ.
"""

import asyncio
import collections
import json
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

import duckdb
import pandas
import sqlite_utils.cli
from datasette.app import Datasette

TYPES = {
    "VARCHAR": "text", "DATE": "date", "BIGINT": "whole", "DOUBLE": "real",
    "string": "text", "str": "text", "datetime64[us]": "date", "Int64": "whole", "Float64": "real",
    "TEXT": "text", "INTEGER": "whole", "REAL": "real", "FLOAT": "real",
}


def named(types):
    return {column: TYPES.get(str(name), str(name)) for column, name in types}


def by_duckdb(path):
    table = duckdb.sql(f"FROM read_csv('{path}')")
    rows = [dict(zip(table.columns, row)) for row in table.fetchall()]
    plays = None
    if "plays" in table.columns:
        plays = int(duckdb.sql(f"SELECT sum(plays) FROM read_csv('{path}')").fetchall()[0][0])
    return {"types": named(zip(table.columns, table.types)), "rows": rows, "plays": plays}


def by_pandas(path):
    # Without these two pandas takes a region that is called NULL or NA for none.
    table = pandas.read_csv(
        path, keep_default_na=False, na_values=[""], parse_dates=["period"], dtype_backend="numpy_nullable")
    types = named(table.dtypes.items())
    plays = int(table["plays"].sum()) if "plays" in table else None
    table["period"] = table["period"].dt.strftime("%Y-%m-%d")
    return {"types": types, "rows": json.loads(table.to_json(orient="records", double_precision=15)), "plays": plays}


def by_datasette(path, database):
    name = path.stem
    sqlite_utils.cli.cli.main(
        ["insert", str(database), name, str(path), "--csv", "--silent"], standalone_mode=False)
    with sqlite3.connect(database) as connection:
        types = named(row[1:3] for row in connection.execute(f"PRAGMA table_info({name})"))
    server = Datasette([str(database)])

    def get(target):
        response = asyncio.run(server.client.get(target))
        assert response.status_code == 200, response.text
        return response.json()

    rows = get(f"/{database.stem}/{name}.json?_shape=array&_size=max")
    for row in rows:
        del row["rowid"]
    query = f"/{database.stem}.json?_shape=array&sql=select+sum(plays)+as+plays+from+{name}"
    return {"types": types, "rows": rows, "plays": get(query)[0]["plays"] if "plays" in types else None}


def run(words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def by_sqlite(path, database):
    name = path.stem
    run(["sqlite3", database, f".import --csv {path} {name}"])
    rows = json.loads(run(["sqlite3", "-json", database, f"SELECT * FROM {name}"]))
    plays = None
    if "plays" in rows[0]:
        plays = json.loads(run(["sqlite3", "-json", database, f"SELECT sum(plays) AS plays FROM {name}"]))[0]["plays"]
    # Everything is text to it.
    return {"types": {column: "text" for column in rows[0]}, "rows": rows, "plays": plays}


# What the recipe has people say in LibreOffice's dialog: comma, UTF-8, English numbers, ISO days as days.
CALC_FILTER = "CSV:44,34,76,1,,1033,false,true"
# A machine whose decimals have a comma, and which nobody has asked.
CALC_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>de-DE</value></prop></item>
</oor:items>
"""
OFFICE, TABLE = (f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("office", "table"))
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}p"


def calc_cell(cell):
    """What a cell is, and its value: nothing is a formula, or its text stands for it."""
    if TABLE + "formula" in cell.attrib:
        return "formula", cell.get(TABLE + "formula")
    kind = cell.get(OFFICE + "value-type")
    if kind == "date":
        return "date", cell.get(OFFICE + "date-value")
    if kind in ("float", "percentage", "currency"):
        number = float(cell.get(OFFICE + "value"))
        return ("whole", int(number)) if number.is_integer() else ("real", number)
    return (kind or "nothing"), "\n".join("".join(text.itertext()) for text in cell.iter(TEXT)) if kind else None


def calc_rows(path):
    """The rows of a sheet, as far as its header goes."""
    rows, width = [], None
    for row in xml.etree.ElementTree.parse(path).iter(TABLE + "table-row"):
        cells = []
        for cell in row.iter(TABLE + "table-cell"):
            repeated = min(int(cell.get(TABLE + "number-columns-repeated", 1)), 1_000)
            cells += [calc_cell(cell)] * repeated
        width = width or len([cell for cell in cells if cell[0] != "nothing"])
        cells = (cells + [("nothing", None)] * width)[:width]
        if any(cell[0] != "nothing" for cell in cells):
            rows.append(cells)
            rows += [cells] * (int(row.get(TABLE + "number-rows-repeated", 1)) - 1)
    return rows


def by_calc(paths, scratch, filter=CALC_FILTER):
    settings = Path(scratch) / "office" / "user"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "registrymodifications.xcu").write_text(CALC_SETTINGS, encoding="utf-8")
    run(["soffice", f"-env:UserInstallation={settings.parent.as_uri()}", "--headless", "--convert-to", "fods",
         "--outdir", scratch, f"--infilter={filter}"] + paths)
    return {path.name: calc_file(Path(scratch) / f"{path.stem}.fods") for path in paths}


def calc_file(path):
    header, *rows = calc_rows(path)
    columns = [value for _, value in header]
    kinds = collections.defaultdict(set)
    for row in rows:
        for column, (kind, _) in zip(columns, row):
            kinds[column].add(kind)
    # A column of ratios has whole numbers among them.
    types = {
        column: "real" if kinds[column] >= {"real"} and kinds[column] <= {"real", "whole", "nothing"} else
        "+".join(sorted({"string": "text"}.get(kind, kind) for kind in kinds[column] - {"nothing"}))
        for column in columns}
    values = [{column: value for column, (_, value) in zip(columns, row)} for row in rows]
    plays = sum(row["plays"] for row in values) if "plays" in columns else None
    return {"types": types, "rows": values, "plays": plays}


def files(folder):
    found = {"DuckDB": {}, "pandas": {}, "Datasette": {}, "SQLite": {}}
    with tempfile.TemporaryDirectory() as scratch:
        paths = [path for path in sorted(Path(folder).glob("*.csv"))
                 if len(path.read_text(encoding="utf-8").splitlines()) >= 2]
        found["LibreOffice"] = by_calc(paths, scratch)
        for path in paths:
            found["DuckDB"][path.name] = by_duckdb(path)
            found["pandas"][path.name] = by_pandas(path)
            found["Datasette"][path.name] = by_datasette(path, Path(scratch) / "datasette.db")
            found["SQLite"][path.name] = by_sqlite(path, Path(scratch) / "import.db")
    return found


def query(file):
    table = duckdb.sql(Path(file).read_text(encoding="utf-8"))
    return [dict(zip(table.columns, row)) for row in table.fetchall()]


if __name__ == "__main__":
    command = {"files": files, "query": query}[sys.argv[1]]
    json.dump(command(sys.argv[2]), sys.stdout, default=str)
