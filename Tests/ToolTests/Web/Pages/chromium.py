"""Debian's Chromium without a window, driven over its pipe."""
import json
import os
import shutil
import subprocess
import tempfile
import threading


class Chromium:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="qoe-chromium-")
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()

        # The browser reads commands from descriptor 3 and writes what happened to 4.
        def connect():
            command, event = os.dup(to_browser), os.dup(from_browser)
            os.dup2(command, 3)
            os.dup2(event, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio",
             "--autoplay-policy=no-user-gesture-required", "--remote-debugging-pipe", f"--user-data-dir={self.profile}",
             "--disable-background-networking", "--disable-component-update", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=connect, close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.answers, self.arrived = 0, {}, threading.Condition()
        self.console = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        rest = b""
        while piece := os.read(self.inp, 1 << 16):
            *messages, rest = (rest + piece).split(b"\0")
            for message in map(json.loads, messages):
                with self.arrived:
                    if "id" in message:
                        self.answers[message["id"]] = message
                        self.arrived.notify_all()
                    elif message["method"] == "Runtime.exceptionThrown" or "qoe-video: " in json.dumps(message):
                        self.console.append(json.dumps(message["params"])[:600])

    def call(self, method, session=None, seconds=60, **parameters):
        with self.arrived:
            self.number += 1
            number = self.number
            message = {"id": number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            os.write(self.out, json.dumps(message).encode() + b"\0")
            if not self.arrived.wait_for(lambda: number in self.answers, seconds):
                raise TimeoutError(f"{method} {parameters}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def stop(self):
        try:
            self.call("Browser.close", seconds=10)
            self.process.wait(10)
        except (TimeoutError, OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    def __init__(self, browser, address):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Page.navigate", url=address)
        self.run("if (document.readyState !== 'complete') await new Promise(resume => onload = resume)")

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def run(self, statements):
        """Runs statements that may await, as a person's gesture."""
        answer = self.call(
            "Runtime.evaluate", expression="(async () => {%s})()" % statements, awaitPromise=True, returnByValue=True,
            userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:800])
        return answer["result"].get("value")

    def show(self):
        self.browser.call("Target.activateTarget", targetId=self.target)

    def close(self):
        """As a person closes a tab: its page is told."""
        self.call("Page.close")
