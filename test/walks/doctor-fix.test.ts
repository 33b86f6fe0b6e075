import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hermes, tempHome, type Ran } from './hermes.ts';
import { noPty, onTerminal } from './on-terminal.ts';

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly words: string;
  readonly cure?: string;
  readonly fixed?: { readonly result: string };
}
const findingsOf = ({ out }: Ran): readonly Finding[] => JSON.parse(out);

interface BrokenHome {
  readonly name: string;
  readonly finding: string;
  write(home: string): void;
  /** What must hold after the fix. */
  check(home: string): void;
  /** It takes nothing of the owner's away, so nobody has to be asked. */
  readonly isSafe?: true;
}

const config = (home: string) => join(home, 'config.yaml');
const HOMES: readonly BrokenHome[] = [
  {
    name: 'keys that others can read',
    finding: 'secrets',
    isSafe: true,
    write: (home) => writeFileSync(join(home, '.env'), 'OPENAI_API_KEY=sk-0123456789abcdef\n', { mode: 0o644 }),
    check: (home) => assert.equal(statSync(join(home, '.env')).mode & 0o777, 0o600),
  },
  {
    name: 'a folder that others can enter',
    finding: 'file modes',
    isSafe: true,
    write: (home) => {
      writeFileSync(config(home), '', { mode: 0o644 });
      chmodSync(home, 0o755);
    },
    check: (home) => assert.equal(statSync(home).mode & 0o777, 0o700),
  },
  {
    name: 'a value that cannot be read',
    finding: 'settings',
    write: (home) => writeFileSync(config(home), '# mine\nagent:\n  max_turns: many # why\n  tool_use_enforcement: auto\n'),
    check: (home) => assert.equal(readFileSync(config(home), 'utf8').includes('max_turns'), false),
  },
  {
    name: 'a file that is no YAML',
    finding: 'settings',
    write: (home) => writeFileSync(config(home), 'model: [\n'),
    check: (home) => assert.deepEqual(readFileSync(join(home, 'config.yaml.broken'), 'utf8'), 'model: [\n'),
  },
  {
    name: 'a store that is damaged',
    finding: 'store',
    write: (home) => writeFileSync(join(home, 'sessions.db'), Buffer.alloc(8192, 'SQLite format 3\0 damaged ')),
    check: (home) =>
      assert.ok(
        readdirSync(home).some((name) => name.startsWith('sessions.db') && name !== 'sessions.db'),
        'the old one is kept',
      ),
  },
];

for (const { name, finding, write, check, isSafe } of HOMES)
  test(`doctor --fix mends ${name}; ${isSafe === true ? 'nobody is asked' : 'without a yes it is left alone'}`, async () => {
    const home = tempHome();
    write(home);
    const find = (ran: Ran) => findingsOf(ran).find((each) => each.name === finding);
    const found = find(await hermes(['doctor', '--json'], { home }));
    assert.deepEqual([found?.ok, /hermes|chmod/.test(`${found?.words}${found?.cure ?? ''}`)], [false, true], JSON.stringify(found));
    const asked = find(await hermes(['doctor', '--fix', '--json'], { home }));
    if (isSafe === true) assert.deepEqual([asked?.ok, asked?.fixed?.result], [true, 'done'], JSON.stringify(asked));
    else assert.deepEqual([asked?.ok, asked?.fixed?.result], [false, 'needs_yes'], JSON.stringify(asked));
    const fixed = find(await hermes(['doctor', '--fix', '--yes', '--json'], { home }));
    assert.equal(fixed?.ok, true, JSON.stringify(fixed));
    check(home);
  });

test('every finding that is not in order says what to do', async () => {
  const home = tempHome();
  writeFileSync(config(home), 'terminal:\n  backend: docker\nmcp_servers:\n  gone: {command: /nowhere/at-all}\n');
  writeFileSync(join(home, '.env'), 'OPENAI_API_KEY=sk-0123456789abcdef\n', { mode: 0o644 });
  const findings = findingsOf(await hermes(['doctor', '--json'], { home, env: { PATH: '/nowhere' } }));
  const open = findings.filter(({ ok }) => !ok);
  assert.ok(open.length >= 2, JSON.stringify(findings));
  for (const { name, cure = '' } of open) assert.match(cure, /\w{3}/, name);
});

test('config edit opens the editor on the file, keeps what it wrote and checks it', { skip: noPty }, async () => {
  const home = tempHome();
  const editor = join(home, 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\nprintf "# by hand\\nagent:\\n  max_turns: 5 # few\\n" > "$1"\n');
  chmodSync(editor, 0o755);
  const run = () => onTerminal(['config', 'edit'], home, [], home, undefined, { env: { EDITOR: editor } });
  const first = await run();
  assert.match(first.shown, /No problems/);
  assert.equal(readFileSync(config(home), 'utf8'), '# by hand\nagent:\n  max_turns: 5 # few\n');
  writeFileSync(editor, '#!/bin/sh\nprintf "agent:\\n  max_turns: many\\n" > "$1"\n');
  const second = await run();
  assert.match(second.shown, /config\.yaml:2: agent\.max_turns/);
  assert.notEqual(second.code, 0);
  assert.equal(existsSync(config(home)), true);
});
