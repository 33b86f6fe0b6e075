/** Reads the first line of its input, which has everything, and hands it to the prelude. */
export const PYTHON_BOOT = String.raw`import os, json
said = b""
while b"\n" not in said:
    more = os.read(0, 65536)
    if not more:
        raise SystemExit("nothing to run")
    said += more
line, _, rest = said.partition(b"\n")
given = json.loads(line)
exec(compile(given["prelude"], "<hermes>", "exec"), {"given": given, "rest": rest, "__name__": "hermes_prelude"})
`;

/** Makes the module `hermes_tools`, keeps standard output and error in one order, and runs the script as a program of its own. */
export const PYTHON_PRELUDE = String.raw`
import atexit, io, itertools, json, os, queue, signal, sys, tempfile, threading, traceback, types

PIECE = 1900
MARK = b"<\x1e" + given["token"].encode() + b" "
LETTERS = bytes.maketrans(b"0123456789abcdef", b"ghijklmnopqrstuv")
HOME = os.getpid()

# Copies: the script may close or lead elsewhere what it was given. It has no input of its own.
answers, out = os.dup(0), os.dup(1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

waiting, lock, numbers, gone = {}, threading.Lock(), itertools.count(1), []


def send(kind, number, data):
    for at in range(0, len(data) or 1, PIECE):
        head = "%s%d.%d " % (kind, number, at + PIECE >= len(data))
        frame = MARK + head.encode() + data[at : at + PIECE].hex().encode().translate(LETTERS) + b"\n"
        while frame:
            frame = frame[os.write(out, frame) :]


class ToolError(Exception):
    """A tool could not do what was asked; the words say why."""


def call(tool, /, *given, **fields):
    if len(given) == 1 and isinstance(given[0], dict):
        fields = {**given[0], **fields}
    elif given:
        raise TypeError("%s takes keyword arguments" % tool)
    if os.getpid() != HOME:
        raise ToolError("tools can be called by the script's own process only")
    data = json.dumps({"tool": tool, "input": fields}).encode()
    number, box = next(numbers), queue.SimpleQueue()
    with lock:
        if gone:
            raise ToolError("nobody answers any more")
        waiting[number] = box
    send("c", number, data)
    answer = box.get()
    data = answer.get("data") or {}
    if answer.get("failed"):
        raise ToolError(data.get("text", ""))
    return data


def hear(line):
    try:
        answer = json.loads(line)
    except ValueError:
        return
    if answer.get("stop"):
        os.kill(0, signal.SIGTERM)
    with lock:
        box = waiting.pop(answer.get("id"), None)
    if box is not None:
        box.put(answer)


def listen(said):
    while True:
        *lines, said = said.split(b"\n")
        for line in lines:
            hear(line)
        more = os.read(answers, 65536)
        if not more:
            break
        said += more
    with lock:
        gone.append(True)
        left = list(waiting.values())
    for box in left:
        box.put({"failed": True, "data": {"text": "nobody answers any more"}})


class Errors(io.RawIOBase):
    def writable(self):
        return True

    def fileno(self):
        return 2

    def write(self, data):
        try:
            sys.stdout.flush()
        except Exception:
            pass
        left = bytes(data)
        while left:
            left = left[os.write(out, left) :]
        return len(data)


def bound(name):
    def tool(*given, **fields):
        return call(name, *given, **fields)

    tool.__name__ = tool.__qualname__ = name
    return tool


module = types.ModuleType("hermes_tools")
for name in given["tools"]:
    setattr(module, name, bound(name))
module.call, module.ToolError = call, ToolError
module.__all__ = [*given["tools"], "call", "ToolError"]
sys.modules["hermes_tools"] = module
sys.stderr = io.TextIOWrapper(Errors(), encoding="utf-8", errors="backslashreplace", write_through=True)
threading.Thread(target=listen, args=(rest,), daemon=True).start()

path = os.path.join(tempfile.gettempdir(), given["name"])
send("r", 0, path.encode())
with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
    file.write(given["code"])


def forget():
    if os.getpid() == HOME and os.path.exists(path):
        os.unlink(path)


atexit.register(forget)
main = types.ModuleType("__main__")
main.__file__ = path
sys.modules["__main__"] = main
sys.argv = [path]
try:
    exec(compile(given["code"], path, "exec"), main.__dict__)
except SystemExit:
    raise
except BaseException as error:
    traceback.print_exception(type(error), error, error.__traceback__.tb_next)
    sys.exit(1)
`;
