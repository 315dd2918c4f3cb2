"""Starts a language server, opens two files in it and prints what it answers."""

import json
import subprocess
import sys

GOOD = """func.func @mask() -> !stof.mask<8x8> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.cmpi ule, %k, %q : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  return %m : !stof.mask<8x8>
}
"""
BAD = "\n\n\n\n" + GOOD.replace("yield %keep : i1", "yield %k : index")


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.requests = 0

    def send(self, method, params, **more):
        message = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more})
        self.process.stdin.write(f"Content-Length: {len(message)}\r\n\r\n{message}".encode())
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise SystemExit("the server ended early")
        return json.loads(self.process.stdout.read(length))

    def wait_for(self, wanted):
        while True:
            message = self.receive()
            if wanted(message):
                return message

    def ask(self, method, params):
        self.requests += 1
        self.send(method, params, id=self.requests)
        return self.wait_for(lambda message: message.get("id") == self.requests)["result"]

    def open(self, uri, text):
        self.send(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}},
        )
        answer = self.wait_for(
            lambda message: message.get("method") == "textDocument/publishDiagnostics"
            and message["params"]["uri"] == uri
        )
        return answer["params"]["diagnostics"]


server = Server(sys.argv[1])
print("capabilities:", server.ask("initialize", {"processId": None, "capabilities": {}})["capabilities"])
for diagnostic in server.open("test:///bad.mlir", BAD):
    print(f"error at line {diagnostic['range']['start']['line'] + 1}: {diagnostic['message']}")
for diagnostic in server.open("test:///good.mlir", GOOD):
    print("error in the good file:", diagnostic["message"])
hover = server.ask(
    "textDocument/hover",
    {"textDocument": {"uri": "test:///good.mlir"}, "position": {"line": 6, "character": 10}},
)
print("hover:", hover["contents"]["value"].replace("\n", " "))
server.ask("shutdown", None)
server.send("exit", None)
sys.exit(server.process.wait(timeout=30))
