"""Runs the reports' queries over the archives of data directories, in place, and prints what they found as JSON.

usage: read_archive.py duckdb|spark CHECKOUT DATA…    data directory -> file of Queries/ -> {"columns", "rows" of texts}

Only the queries without a parameter that read nothing but `plays` are run. Spark is a standalone master with two
workers, each a process of its own on this machine.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def statements(path, data):
    text = path.read_text()
    # A path in SQL text.
    lines = [line for line in text.replace("qoe-data", data.replace("'", "''")).splitlines()
             if not line.strip().startswith("--")]
    return [part for part in "\n".join(lines).split(";") if part.strip()]


def queries(folder):
    for path in sorted(folder.glob("*.sql")):
        text = statements(path, "qoe-data")[0]
        if set(re.findall(r"FROM (\w+)", text)) == {"plays"} and "?" not in text:
            yield path.name, text


def found(columns, rows):
    return {"columns": columns, "rows": [["" if cell is None else str(cell) for cell in row] for row in rows]}


def by_duckdb(folder, data):
    import duckdb

    connection = duckdb.connect()
    for statement in statements(folder / "archive/duckdb.sql", data):
        connection.execute(statement)
    results = {}
    for name, text in queries(folder):
        result = connection.execute(text)
        results[name] = found([column[0] for column in result.description], result.fetchall())
    return results


class SparkCluster:
    """A master and two workers."""

    def __init__(self, folder):
        import pyspark

        self.folder = folder
        self.home = Path(pyspark.__file__).parent
        self.processes = []

    def __enter__(self):
        try:
            self.url = self.start("master", "master.Master", ["--webui-port", "0", "--port", "0"], r"spark://[\w.:]+")
            for number in (1, 2):
                work = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / f"work{number}")]
                self.start(f"worker{number}", "worker.Worker", ["--webui-port", "0", *work, self.url],
                           "Successfully registered with master")
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, name, main, words, sign):
        log = self.folder / f"{name}.log"
        environment = dict(os.environ, SPARK_HOME=str(self.home), SPARK_LOCAL_IP="127.0.0.1",
                           PYSPARK_PYTHON=sys.executable)
        with open(log, "w") as output:
            self.processes.append(subprocess.Popen(
                [self.home / "bin/spark-class", f"org.apache.spark.deploy.{main}", "--host", "127.0.0.1", *words],
                stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment))
        until = time.monotonic() + 60
        while time.monotonic() < until and self.processes[-1].poll() is None:
            if found_sign := re.search(sign, log.read_text()):
                return found_sign.group()
            time.sleep(0.1)
        raise SystemExit(f"Spark's {name} does not start: {log.read_text()[-2000:]}")

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def by_spark(folder, all_data):
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as scratch, SparkCluster(Path(scratch)) as cluster:
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        session = (
            SparkSession.builder.master(cluster.url).config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1").config("spark.executor.memory", "700m")
            .config("spark.sql.shuffle.partitions", "4").config("spark.ui.showConsoleProgress", "false").getOrCreate())
        try:
            # Both workers, not the first that is there.
            until = time.monotonic() + 60
            while session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3 and time.monotonic() < until:
                time.sleep(0.1)
            results = {"executors": session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1}
            for data in all_data:
                for statement in statements(folder / "archive/spark.sql", data):
                    session.sql(statement)
                results[data] = {}
                for name, text in queries(folder):
                    table = session.sql(text)
                    results[data][name] = found(table.columns, table.collect())
            return results
        finally:
            session.stop()


def main():
    engine, checkout, *all_data = sys.argv[1:]
    folder = Path(checkout) / "Queries"
    all_data = [str(Path(data).resolve()) for data in all_data]
    results = by_spark(folder, all_data) if engine == "spark" else {
        data: by_duckdb(folder, data) for data in all_data}
    if engine == "spark" and results.pop("executors") != 2:
        raise SystemExit("Spark ran with other than two workers")
    print(json.dumps(results))


main()
