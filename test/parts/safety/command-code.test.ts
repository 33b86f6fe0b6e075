import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCommand } from '../../../src/parts/safety/command-floor.ts';

const CWD = '/home/ada/project';
const PLACE = { cwd: CWD, home: '/home/ada' };

/** Code in a line: a value is followed from where it is made to where it changes something. */
const INLINE: readonly (readonly [string, 'fine' | 'ask' | 'refuse'])[] = [
  [`awk 'BEGIN { f = ENVIRON["HOME"] "/.ssh/authorized_keys"; printf "" > f; close(f) }'`, 'ask'],
  [`awk -v f=$HOME/.bashrc 'BEGIN { print "x" >> f }'`, 'ask'],
  [`awk 'BEGIN { c = "chmod -R 777 build"; c | getline }'`, 'ask'],
  [`awk 'BEGIN { while ((getline l < ".env") > 0) print l }'`, 'ask'],
  [`awk '{ print > $1 ".txt" }' data.txt`, 'fine'],
  [`awk '$3 > 10 { print $1 }' data.txt`, 'fine'],
  [`python3 -c 'import os, pathlib\nfor p in pathlib.Path.home().rglob("*"): os.chmod(p, 0o666)'`, 'ask'],
  [`python3 -c 'import os\nfor p in os.listdir("/proc"): os.kill(int(p), 9)'`, 'ask'],
  [`python3 -c 'import os as o; f = getattr(o, "system"); f("chmod -R 777 build")'`, 'ask'],
  [`python3 -c 'from os import system as s; s("chmod -R 777 build")'`, 'ask'],
  [`python3 -c 'from os import system, path; print(path.exists("a"))'`, 'fine'],
  [`python3 -c 'import subprocess as s\ndef sh(c): return s.run(c, shell=True)\nsh("chmod -R 777 build")'`, 'ask'],
  [`python3 -c 'import subprocess as s\ndef sh(c): return s.run(c, shell=True)\nsh("git status")'`, 'fine'],
  [`node -e 'const sh = (c) => require("child_process").execSync(c); sh("chmod -R 777 build")'`, 'ask'],
  [`python3 -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321fedc)'`, 'refuse'],
  [`node -e 'for(;;) require("child_process").spawn(process.execPath, ["-e", "0"], { detached: true })'`, 'refuse'],
  [`lsblk -dpno NAME | xargs -r -n1 blkdiscard -f`, 'refuse'],
  [`ls -A ~ | while IFS= read -r entry; do rm -rf ~/"$entry"; done`, 'refuse'],
  [`node -e 'console.log(/a(b)/.exec("ab"))'`, 'fine'],
  [`node -e 'const m = require("./node_modules/" + Object.keys(require("./package.json").dependencies)[0]); console.log(m)'`, 'fine'],
];
for (const [line, type] of INLINE) test(`${JSON.stringify(line)} is ${type}`, () => assert.equal(judgeCommand(line, PLACE).type, type));

/** Programs an agent writes and runs all day, and some of the kind with a danger in them. */
const PROGRAMS: readonly (readonly [name: string, text: string, type: 'fine' | 'ask'])[] = [
  [
    'fetch.py',
    `import os, re, json, requests
KEY = os.environ["EXAMPLE_API_KEY"]
LINE = re.compile(r"(\\w+)=(\\d+)")
def pages(url):
    found = []
    while True:
        answer = requests.get(url, headers={"Authorization": f"Bearer {KEY}"}, timeout=30)
        found += answer.json()["items"]
        if not answer.json().get("next"):
            break
        url = answer.json()["next"]
    return found
print(json.dumps(pages("https://api.example.com/items"), indent=2))
`,
    'fine',
  ],
  [
    'release.py',
    `import subprocess, sys
def run(cmd, **more):
    print("+", cmd)
    return subprocess.run(cmd, shell=True, check=True, capture_output=True, text=True, **more)
run("git rev-parse --abbrev-ref HEAD")
run("npm test")
run(["git", "log", "--oneline", "-5"])
sys.exit(0)
`,
    'fine',
  ],
  ['wipe.py', 'import subprocess\ndef run(cmd):\n    return subprocess.run(cmd, shell=True)\nrun("rm -rf ~/notes")\n', 'ask'],
  ['shows.py', 'import os\nprint("key", os.environ["EXAMPLE_API_KEY"])\n', 'ask'],
  [
    'walk.mjs',
    `import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const pattern = /import .* from '(.*)'/g;
const queue = ['src'];
while (true) {
  const folder = queue.pop();
  if (folder === undefined) break;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) queue.push(join(folder, entry.name));
    else for (let found; (found = pattern.exec(readFileSync(join(folder, entry.name), 'utf8')));) console.log(found[1]);
  }
}
writeFileSync('imports.txt', 'done');
`,
    'fine',
  ],
  [
    'dispatch.py',
    `import sqlite3, sys
class Tool:
    def do_list(self): print([row for row in self.db.execute("select * from items")])
    def do_add(self, name): self.db.execute("insert into items values (?)", (name,))
    def __init__(self): self.db = sqlite3.connect("items.db")
tool = Tool()
getattr(tool, "do_" + sys.argv[1])(*sys.argv[2:])
`,
    'fine',
  ],
  ['hidden.py', 'import os, sys\ngetattr(os, "sys" + "tem")(sys.argv[1])\n', 'ask'],
];
for (const [name, text, type] of PROGRAMS)
  test(`the program ${name} is ${type}`, () => {
    const read = (path: string): string | undefined => (path === `${CWD}/${name}` ? text : undefined);
    assert.equal(judgeCommand(`${name.endsWith('.py') ? 'python3' : 'node'} ${name}`, { ...PLACE, read }).type, type);
  });
