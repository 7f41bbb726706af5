"""Reads a folder of exported CSV files with the readers that people use, and prints what each of them found as JSON.

usage: read_back.py files FOLDER    reader -> file -> {"types": {column: type}, "rows": [{column: cell}], "plays": sum}
       read_back.py query FILE      the rows of a DuckDB query, run where qoe-data lies

`types` are "text", "date", "whole" and "real": the readers' own names of them differ.
"""

import asyncio
import json
import sqlite3
import subprocess
import sys
import tempfile
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


def files(folder):
    found = {"DuckDB": {}, "pandas": {}, "Datasette": {}, "SQLite": {}}
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(Path(folder).glob("*.csv")):
            if len(path.read_text(encoding="utf-8").splitlines()) < 2:
                continue
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
