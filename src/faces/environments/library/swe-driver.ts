/**
 * Runs the tests of a problem beside its solution, in Python. The solution runs in a process of its own and is spoken to through a
 * pipe, by values alone: it cannot patch the tests, end them or answer for them. The word that says they all held is read and removed
 * before that process begins, and is not to be found in this one by another. All this holds in a place where `python3` is Python.
 */
export const SWE_DRIVER = String.raw`import ctypes, json, os, re, subprocess, sys

CHILD = r'''
import json, os, sys
requests, replies = os.fdopen(int(sys.argv[2])), os.fdopen(int(sys.argv[3]), "w")
os.dup2(2, 1)
def pack(v):
    if v is None or isinstance(v, (bool, str)): return v
    if isinstance(v, int): return {"i": str(v)}
    if isinstance(v, float): return {"f": repr(v)}
    if isinstance(v, complex): return {"c": [repr(v.real), repr(v.imag)]}
    if isinstance(v, (list, tuple, set)): return {type(v).__name__[0]: [pack(x) for x in v]}
    if isinstance(v, dict): return {"d": [[pack(k), pack(x)] for k, x in v.items()]}
    return {"?": type(v).__name__}
def unpack(v):
    if not isinstance(v, dict): return v
    (k, x), = v.items()
    return {"i": int, "f": float, "c": lambda p: complex(*map(float, p)), "l": lambda p: [unpack(y) for y in p],
            "t": lambda p: tuple(unpack(y) for y in p), "s": lambda p: {unpack(y) for y in p},
            "d": lambda p: {unpack(a): unpack(b) for a, b in p}}[k](x)
space = {"__name__": "solution"}
exec(compile(open(sys.argv[1], encoding="utf-8").read(), sys.argv[1], "exec"), space)
for line in requests:
    name, args, kwargs = json.loads(line)
    try:
        reply = {"ok": pack(space[name](*[unpack(a) for a in args], **{k: unpack(a) for k, a in kwargs.items()}))}
    except BaseException as error:
        reply = {"error": type(error).__name__ + ": " + str(error)}
    replies.write(json.dumps(reply) + "\n")
    replies.flush()
'''
shared = CHILD[CHILD.index("def pack"):CHILD.index("space =")]
exec(shared)

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "problem.json"), encoding="utf-8") as file: problem = json.load(file)
os.unlink(os.path.join(here, "problem.json"))
ctypes.CDLL(None).prctl(4, 0)
asked, answers = os.pipe(), os.pipe()
child = subprocess.Popen([sys.executable, "-I", "-c", CHILD, sys.argv[1], str(asked[0]), str(answers[1])],
                         pass_fds=(asked[0], answers[1]), stdin=subprocess.DEVNULL)
os.close(asked[0]); os.close(answers[1])
out, back = os.fdopen(asked[1], "w"), os.fdopen(answers[0])

def proxy(name):
    def call(*args, **kwargs):
        out.write(json.dumps([name, [pack(a) for a in args], {k: pack(a) for k, a in kwargs.items()}]) + "\n")
        out.flush()
        line = back.readline()
        if line == "": raise SystemExit("the solution ended")
        reply = json.loads(line)
        if "error" in reply: raise RuntimeError(reply["error"])
        return unpack(reply["ok"])
    return call

space = {"__name__": "tests"}
given = problem["prompt"]
for line in re.findall(r"^(?:from|import) .*", given, re.M): exec(line, space)
for name in re.findall(r"^def (\w+)", given, re.M) + [problem["entry_point"]]: space[name] = proxy(name)
exec(compile(problem["test"], "tests", "exec"), space)
if "check" in space: space["check"](space[problem["entry_point"]])
child.kill()
print(problem["word"])
`;
