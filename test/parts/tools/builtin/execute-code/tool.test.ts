import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TextBlock } from '../../../../../src/contracts/message.ts';
import { openLanes } from '../../../../../src/parts/tools/builtin/execute-code/lanes.ts';
import { toHereDocumentCommand } from '../../../../../src/base/shell.ts';
import { put } from '../../setup.ts';
import { noPython, stage } from './stage.ts';

const skip = noPython;
/** The result without the seconds, which are never the same. */
const timeless = (told: string): string => told.replace(/, \d+\.\d s/, '');

test('a script calls tools by keyword and gives back what it prints', { skip }, async () => {
  const { folder, run, sources, description } = await stage();
  put(folder, { 'a.txt': 'one\ntwo\n' });
  const told = await run(
    'from hermes_tools import read_file, echo\nprint(read_file(path="a.txt", limit=1))\nprint(echo({"value": "ü"})["text"])',
  );
  assert.equal(timeless(told), "{'text': 'one\\n', 'total_lines': 2, 'file_size': 8, 'truncated': True}\nü\n[success, 2 tool calls]");
  assert.deepEqual(sources(), [], 'its source is gone');
  assert.match(description, /It cannot call (?:\w+, )*\w+ or context_recall\.$/);
});

test('the same in JavaScript, side by side', async () => {
  const { folder, run, sources } = await stage();
  put(folder, { 'a.txt': 'one\n' });
  const code = `import { basename } from 'node:path';
const [file, said] = await Promise.all([read_file({ path: 'a.txt' }), hermes_tools.echo({ value: 'ü' })]);
console.log(basename('/x/y'), file.text.split('\\n')[0], said.text, require('node:os').EOL.length);
console.error('to the side');`;
  assert.equal(timeless(await run(code, 'javascript')), 'y one ü 1\nto the side\n[success, 2 tool calls]');
  assert.deepEqual(sources(), []);
});

test('a failing tool raises what can be caught, and what is not caught is told with its line', { skip }, async () => {
  const { run } = await stage();
  const caught = 'import hermes_tools\ntry:\n  hermes_tools.fail()\nexcept hermes_tools.ToolError as error:\n  print("caught:", error)';
  assert.equal(timeless(await run(caught)), 'caught: it cannot be done\n[success, 1 tool call]');
  const loose = await run('from hermes_tools import fail\n\nprint("before")\nfail()');
  assert.match(
    loose,
    /^before\nTraceback[^]*line 4, in <module>\n {4}fail\(\)[^]*hermes_tools|ToolError: it cannot be done\n\[error: exit code 1, 1 tool call/,
  );
  assert.match(await run('print("x"'), /SyntaxError[^]*\[error: exit code 1/);
  assert.match(await run('import sys\nsys.exit(3)'), /\[error: exit code 3/);
});

test('the same in JavaScript', async () => {
  const { run } = await stage();
  const caught = 'try { await fail() } catch (error) { console.log(error instanceof ToolError, error.message) }';
  assert.equal(timeless(await run(caught, 'javascript')), 'true it cannot be done\n[success, 1 tool call]');
  assert.match(await run('await fail()', 'javascript'), /it cannot be done[^]*\[error: exit code 1, 1 tool call/);
  assert.match(await run('const x = ;', 'javascript'), /SyntaxError[^]*\[error: exit code 1/);
});

const PARALLEL = {
  python: `from concurrent.futures import ThreadPoolExecutor
from hermes_tools import echo
with ThreadPoolExecutor(100) as pool:
    print(list(pool.map(lambda n: echo(value="%d %s" % (n, "x" * n * 100))["text"].split()[0], range(100))) == [str(n) for n in range(100)])`,
  javascript: `const said = await Promise.all(Array.from({ length: 100 }, (_, n) => echo({ value: n + ' ' + 'x'.repeat(n * 100) })));
console.log(said.every(({ text }, n) => text.split(' ')[0] === String(n)) ? 'True' : 'False');`,
} as const;
for (const language of ['python', 'javascript'] as const)
  test(`a hundred calls at once, each with its own answer: ${language}`, { skip: language === 'python' && skip }, async () => {
    const { run, calls } = await stage({ maxCalls: 100 });
    assert.equal(timeless(await run(PARALLEL[language], language)), 'True\n[success, 100 tool calls]');
    assert.equal(calls.length, 100);
  });

test('work goes side by side up to a number, and what must be alone goes one by one', async () => {
  const traffic = openLanes(3);
  const [all, alone] = [
    { now: 0, most: 0 },
    { now: 0, most: 0 },
  ];
  const done: number[] = [];
  const work = (n: number, counts: readonly { now: number; most: number }[]) => async () => {
    for (const count of counts) count.most = Math.max(count.most, (count.now += 1));
    await sleep(1);
    for (const count of counts) count.now -= 1;
    done.push(n);
    if (n === 4) throw new Error('four');
    return n;
  };
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => traffic.run(n % 2 === 0, work(n, n % 2 === 0 ? [all, alone] : [all]))),
  );
  assert.deepEqual([all.most, alone.most, done.length], [3, 1, 20]);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    Array.from({ length: 20 }, (_, n) => (n === 4 ? 'failed' : n)),
  );
});

test('beyond the limit of calls nothing runs, and the script is told', { skip }, async () => {
  const { run, calls } = await stage({ maxCalls: 3 });
  const code = `from hermes_tools import echo, ToolError
done = 0
for n in range(5):
    try:
        echo(value=str(n))
        done += 1
    except ToolError as error:
        print(error)
print(done)`;
  const told = await run(code);
  assert.match(told, /^(?:Not run: a script may make 3 tool calls\. .*\n){2}3\n\[success, 3 tool calls/);
  assert.deepEqual(calls, ['echo 0', 'echo 1', 'echo 2']);
});

test('only the tools of the session, none that ask or hand on, and nothing in the background', { skip }, async () => {
  const { run } = await stage();
  const code = `import hermes_tools
for name, fields in [("execute_code", {"code": "1"}), ("clarify", {"question": "?"}), ("patch", {"path": "x"}),
                     ("terminal", {"command": "sleep 1", "background": True}), ("Execute-Code", {"code": "1"})]:
    try:
        print(hermes_tools.call(name, **fields))
    except hermes_tools.ToolError as error:
        print(name, str(error)[:30])
print(hermes_tools.terminal(command="echo here", background=False)["text"].strip())
print([hasattr(hermes_tools, name) for name in ("execute_code", "clarify", "echo")])`;
  assert.equal(
    timeless(await run(code)),
    [
      'execute_code Not run: there is no tool exec',
      'clarify Not run: there is no tool clar',
      'patch Not run: there is no tool patc',
      "terminal Not run: a script's terminal h",
      'Execute-Code Not run: there is no tool Exec',
      'here',
      '[False, False, True]',
      '[success, 1 tool call]',
    ].join('\n'),
  );
});

test('what the user says about a host that a script wants is told with its result', { skip }, async () => {
  const { run } = await stage({
    approve: () => ({ allow: false, by: 'the owner', reason: 'the user said no: use the cache' }),
    place: (plain) => ({
      ...plain,
      start: async (command, options) => {
        const started = await plain.start(command, options);
        await options.askHost?.({ host: 'api.example.org', port: 443 });
        return started;
      },
    }),
  });
  assert.match(await run('print(1)'), /\[The script could not connect to api\.example\.org: the user said no: use the cache\.\]$/);
});

test('the code is judged like a command, and so is every call in it', { skip }, async () => {
  const judge = (command: string) =>
    command.includes('wipe')
      ? { type: 'refuse' as const, reason: 'it wipes', key: 'wipe' }
      : command.includes('danger')
        ? { type: 'ask' as const, reason: 'it is dangerous', key: 'danger' }
        : { type: 'fine' as const };
  const { run, asked } = await stage({
    judge,
    approve: ({ tool }) => (tool === 'terminal' ? { allow: true, by: 'owner' } : { allow: false, by: 'owner', reason: 'the user said no' }),
  });
  assert.equal(await run('print("wipe")'), 'Not run, and nobody can allow it: it wipes.');
  assert.equal(await run('print("danger")'), 'Not run: it is dangerous, and the user said no');
  assert.equal(asked[0]?.summary, 'python3 - <<\'EOF\'\nprint("danger")\nEOF');
  const built = 'from hermes_tools import terminal\nprint(terminal(command="echo dan" + "ger")["text"].strip())';
  assert.equal(timeless(await run(built)), 'danger\n[success, 1 tool call]');
  assert.deepEqual([asked.length, asked[1]?.tool, asked[1]?.summary], [2, 'terminal', 'echo danger']);
  assert.equal(toHereDocumentCommand('node', 'a\nEOF\nb'), "node - <<'EOF_'\na\nEOF\nb\nEOF_");
});

test('foreign words of one call make the whole result foreign', { skip }, async () => {
  const { execute } = await stage();
  const message = await execute({ code: 'from hermes_tools import page, echo\npage(); echo(value="x")\nprint("done")' });
  const [block] = message.content as readonly TextBlock[];
  assert.deepEqual([block?.trust, block?.source], ['foreign', 'https://example.org/']);
  const own = await execute({ code: 'print("done")' });
  assert.equal(own.content[0]?.trust, 'tool');
});

test('no secret of ours is in its environment, and known ones are given to tools as placeholders', { skip }, async () => {
  const canary = 'canary-7f3a91';
  const env = { OPENROUTER_API_KEY: canary, MY_TOKEN: canary, DATABASE_PASSWORD: canary, SOME_SETTING: canary };
  const redact = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll(canary, '«secret»')) as Value;
  const { run, calls, folder } = await stage({ env, redact });
  put(folder, { 'key.txt': canary });
  const told = await run('import os\nprint(sorted(os.environ))\nprint([v for v in os.environ.values() if "canary" in v])');
  assert.match(told, /'PATH'/);
  assert.doesNotMatch(told, /canary|KEY|TOKEN|PASSWORD|SOME_SETTING/);
  await run('from hermes_tools import echo\necho(value=open("key.txt").read())');
  assert.deepEqual(calls, ['echo «secret»']);
});

test('read dedupe stays with the model: a script reads the very text again and again', { skip }, async () => {
  const { folder, run, tell } = await stage();
  put(folder, { 'a.py': '\u{feff}x = 1\r\ny = 2\r\n', 'long.txt': `${'w'.repeat(5_000)}\n`.repeat(30), 'b.py': 'b = 1\n' });
  const before = readFileSync(join(folder, 'a.py'));
  assert.match(await tell('read_file', { path: 'a.py' }), /^1\|x = 1\n/);
  const code = `from hermes_tools import read_file, write_file
for name in ("a.py", "a.py", "long.txt"):
    write_file(path=name, content=read_file(path=name)["text"])
print(read_file(path="b.py")["text"], end="")
print(read_file(path="b.py", offset=1, limit=1))`;
  assert.match(await run(code), /^b = 1\n\{'text': 'b = 1\\n', 'total_lines': 1/);
  assert.deepEqual(readFileSync(join(folder, 'a.py')), before, 'what is written back is what was read');
  assert.equal(readFileSync(join(folder, 'long.txt'), 'utf8'), `${'w'.repeat(5_000)}\n`.repeat(30));
  assert.match(await tell('read_file', { path: 'b.py' }), /^1\|b = 1\n/, 'what only a script read was never shown to the model');
});

test('a script gets values, not prose: exit codes, matches, and a file for what is beyond 50 KB', { skip }, async () => {
  const { folder, run } = await stage();
  put(folder, { 'a.txt': 'one\nneedle\n' });
  const code = `from hermes_tools import terminal, search_files, echo
print(terminal(command="echo out; exit 3"))
print([(m["path"][-5:], m["line"], m["text"]) for m in search_files(pattern="needle")["matches"]])
much = echo(value="z" * 60000)
print(len(much["text"]), much["truncated"], len(open(much["file"]).read()))`;
  assert.equal(
    timeless(await run(code)),
    [
      "{'text': 'out\\n', 'exit_code': 3, 'truncated': False}",
      "[('a.txt', 2, 'needle')]",
      '50000 True 60000',
      '[success, 3 tool calls]',
    ].join('\n'),
  );
});

test('a hint that a script comes upon stands after the result of execute_code, never in a value', { skip }, async () => {
  const { folder, execute } = await stage({ hints: true });
  put(folder, { 'sub/AGENTS.md': 'Use tabs.\n', 'sub/a.txt': 'one\n' });
  const { content } = await execute({ code: 'from hermes_tools import read_file\nprint(repr(read_file(path="sub/a.txt")["text"]))' });
  const [own, hint] = content as readonly TextBlock[];
  assert.match(own?.text ?? '', /^'one\\n'\n\[success/);
  assert.match(hint?.text ?? '', /Use tabs\./);
  assert.match(hint?.source ?? '', /^hint:/);
});

test('output beyond 50 KB is whole in a file', { skip }, async () => {
  const { run } = await stage();
  const told = await run('for n in range(20000): print("line", n)');
  const file = /\[the whole output is in (\S+); read it with/.exec(told)?.[1] ?? '';
  assert.equal(readFileSync(file, 'utf8').split('\n').length, 20_001);
});

test('a failing line in long standard error is shown, and the file has all of it', { skip }, async () => {
  const { run } = await stage();
  const told = await run(
    'import sys\nprint("out")\nfor n in range(3000):\n  print("warning: number", n, file=sys.stderr)\n  if n == 1500: print("ERROR: cannot open database", file=sys.stderr)\nsys.exit(1)',
  );
  assert.match(told, /lines in it that tell of a failure:\]\nL1503: ERROR: cannot open database\n/);
  const file = /\[the whole output is in (\S+); read it with/.exec(told)?.[1] ?? '';
  assert.match(readFileSync(file, 'utf8'), /^out\nwarning: number 0\n(?:.*\n)+warning: number 2999\n$/);
});

test('much output is kept by its beginning and its end, 50 KB in all, counted in bytes', { skip }, async () => {
  const { run } = await stage();
  const told = await run(
    'import sys\nprint("first")\nfor n in range(60000): print("line", n)\nprint("last")\nsys.stderr.write("e" * 50000 + "end")',
  );
  assert.match(
    told,
    /^first\nline 0\n[^]*\[… \d+ bytes left out …\][^]*e+end\n\[the whole output is in \S+; read it with read_file or search_files\]\n\[success/,
  );
  const wide = await run('import sys\nprint("字" * 60000)\nsys.stderr.write("é" * 60000)');
  const kept = (text: string): number => Buffer.byteLength(text.replace(/\n\[(?:stderr|the whole .*|success.*)\]/g, ''));
  for (const text of [told, wide]) assert.ok(kept(text) > 49_000 && kept(text) <= 50_000, `${kept(text)} bytes`);
  assert.doesNotMatch(wide, /\u{fffd}/u, 'cut between characters');
  const one = await run('print("x" * 49999)');
  assert.match(one, /^x{49999}\n\[success/, 'without errors all of it is for the output');
});

test('forged, broken and oversized requests do no harm', { skip }, async () => {
  const { run, calls } = await stage();
  const code = `import os, json, __main__, sys
from hermes_tools import echo, call, ToolError
prelude = call.__globals__
mark, send = prelude["MARK"], prelude["send"]
print("<\\x1enot-the-token c1.1 gg")
sys.stdout.write("\\x1e{\\"tool\\":\\"echo\\"}\\n")
sys.stdout.flush()
for bad in [b"", b"c", b"c1.1 zz", b"c99.1 " + b"g" * 9000, b"c98.1 ggg", b"x7.1 ", b"c999999999999999999.1 gg"]:
    os.write(1, mark + bad + b"\\n")
send("c", 97, b"no json")
send("c", 96, json.dumps({"tool": 5}).encode())
send("c", 95, json.dumps({"tool": "echo", "input": {"value": "forged"}}).encode())
send("c", 95, json.dumps({"tool": "echo", "input": {"value": "again"}}).encode())
send("r", 0, b"/etc/passwd")
for n in range(400): os.write(1, mark + b"c%d.0 gg\\n" % (1000 + n))
try:
    echo(value="x" * (1 << 20))
except ToolError as error:
    print(error)
print(echo(value="sound")["text"])`;
  const told = await run(code);
  const lines = [
    '<\u{1e}not-the-token c1.1 gg',
    '\u{1e}{"tool":"echo"}',
    'Not run: the call is larger than 1048576 bytes.',
    'sound',
    '[success, 2 tool calls]',
  ];
  assert.equal(timeless(told), lines.join('\n'));
  assert.deepEqual(calls, ['echo forged', 'echo sound']);
  assert.ok(readFileSync('/etc/passwd').length > 0);
});

test('words without a line end before a call stay together', { skip }, async () => {
  const { run } = await stage();
  assert.equal(
    timeless(
      await run(
        'from hermes_tools import echo\nprint("a", end="")\necho(value="x")\nprint("b token = ", end="")\necho(value="y")\nprint("c")',
      ),
    ),
    'ab token = c\n[success, 2 tool calls]',
  );
});

test('a script has no input, and its own children get none of ours', { skip }, async () => {
  const { run } = await stage();
  const code =
    'import subprocess, sys\nprint(repr(sys.stdin.read()), subprocess.run(["cat"], capture_output=True).stdout)\nfrom hermes_tools import echo\nprint(echo(value="still")["text"])';
  assert.equal(timeless(await run(code)), "'' b''\nstill\n[success, 1 tool call]");
});

const isAlive = (pid: number): boolean => {
  try {
    // A zombie is over: nobody has buried it yet.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test('what outlasts its time is ended with all it started, however stubborn', { skip }, async () => {
  const { run, sources, folder } = await stage({ timeout: 1 });
  const code = `import subprocess, time
child = subprocess.Popen(["sh", "-c", "trap '' TERM; echo $$ > child.pid; while :; do sleep 0.1; done"])
print("started", flush=True)
time.sleep(60)`;
  const told = await run(code);
  assert.match(told, /^started\n\[timeout: ended after 1 s with everything it had started, 0 tool calls/);
  const pid = Number(readFileSync(join(folder, 'child.pid'), 'utf8'));
  assert.equal(isAlive(pid), false);
  assert.deepEqual(sources(), []);
});

test('a script that hears the request to end may tidy up first', { skip }, async () => {
  const { run } = await stage({ timeout: 1 });
  const code = `import signal, sys, time
def tidy(*_):
    time.sleep(0.5)
    print("tidied", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, tidy)
time.sleep(60)`;
  assert.match(await run(code), /^tidied\n\[timeout: ended after 1 s/);
});

const ENDINGS: readonly (readonly [name: string, code: string, told: RegExp])[] = [
  [
    'runs out of time',
    'from hermes_tools import terminal\nterminal(command="echo $$ > call.pid; sleep 61; touch LATE")',
    /\[timeout: ended after 2 s with everything it had started, 1 tool call, \d+\.\d s, 1 of them not through when it was ended\]/,
  ],
  [
    'ends by itself',
    `import os, threading, time
from hermes_tools import terminal
threading.Thread(target=lambda: terminal(command="echo $$ > call.pid; sleep 61; touch LATE"), daemon=True).start()
while not os.path.exists("call.pid") or os.path.getsize("call.pid") == 0: time.sleep(0.05)`,
    /\[success, 1 tool call, \d+\.\d s, 1 of them not through when it was ended\]/,
  ],
];
for (const [name, code, expected] of ENDINGS)
  test(`a tool call that is under way when its script ${name} is stopped`, { skip }, async () => {
    const { run, folder } = await stage({ timeout: 2 });
    assert.match(await run(code), expected);
    assert.equal(isAlive(Number(readFileSync(join(folder, 'call.pid'), 'utf8'))), false);
    assert.equal(existsSync(join(folder, 'LATE')), false);
  });

test('a tool call that is under way at a stop is stopped too', { skip }, async () => {
  const { run, folder } = await stage();
  const [stop, pidFile] = [new AbortController(), join(folder, 'call.pid')];
  const running = run('from hermes_tools import terminal\nterminal(command="echo $$ > call.pid; sleep 61")', 'python', stop.signal);
  while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(20);
  const pid = Number(readFileSync(pidFile, 'utf8'));
  stop.abort();
  assert.match(await running, /\[interrupted: ended by the user.*1 of them not through when it was ended\]/);
  for (let round = 0; round < 100 && isAlive(pid); round++) await sleep(20);
  assert.equal(isAlive(pid), false);
});

test('a stop is through within 250 ms, also while a tool is at work', { skip }, async (context) => {
  const { run, sources, folder } = await stage();
  const begun = join(folder, 'begun');
  const sayOn = 'open("begun", "w").close()\nprint("on", flush=True)';
  for (const code of [`import time\n${sayOn}\ntime.sleep(60)`, `from hermes_tools import slow\n${sayOn}\nslow()`]) {
    const stops: { readonly ms: number; readonly told: string }[] = [];
    for (let round = 0; round < 6 && !stops.some(({ ms }) => ms <= 250); round++) {
      const stop = new AbortController();
      const running = run(code, 'python', stop.signal);
      while (!existsSync(begun)) await sleep(20);
      rmSync(begun);
      await sleep(200);
      const sent = performance.now();
      stop.abort();
      stops.push({ told: await running, ms: performance.now() - sent });
    }
    context.diagnostic(`stopped after ${stops.map(({ ms }) => ms.toFixed(0)).join(', ')} ms`);
    const best = stops.find(({ ms }) => ms <= 250) ?? assert.fail('every stop took longer');
    assert.match(best.told, /^on\n\[interrupted: ended by the user/);
  }
  await sleep(100);
  assert.deepEqual(sources(), []);
});

test('a machine without the program says so', async () => {
  const { run } = await stage({ env: { PATH: '/nonexistent' } });
  assert.match(await run('print(1)'), /\[error: there is no python3 here/);
});

const ORDER = {
  python: 'import sys\nfor n in range(30):\n  print("out", n)\n  print("err", n, file=sys.stderr)',
  javascript: 'for (let n = 0; n < 30; n++) { console.log("out", n); console.error("err", n); }',
} as const;
for (const [language, code] of [
  ['python', ORDER.python],
  ['javascript', ORDER.javascript],
] as const)
  test(`what a script in ${language} writes stands in the order it was written`, { skip: language === 'python' && skip }, async () => {
    const { run } = await stage();
    const lines = Array.from({ length: 30 }, (_, index) => `out ${index}\nerr ${index}\n`).join('');
    assert.equal(timeless(await run(code, language)), `${lines}[success, 0 tool calls]`);
  });

test('a file that holds not all of an output says so', async () => {
  const { run } = await stage();
  const told = await run(
    'const line = "x".repeat(99) + "\\n"; for (let n = 0; n < 100_000; n++) process.stdout.write(line);',
    'javascript',
  );
  assert.match(told, /\[the output, without about 2000000 bytes from its middle, is in \S+; read it with/);
});
