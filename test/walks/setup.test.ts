import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { measureWidth } from '../../src/base/width.ts';
import { startWireServer, type WireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, MAIN, tempHome } from './hermes.ts';
import { noPty, onTerminal, WAITING, type Keys } from './on-terminal.ts';
import { HOMES, makeHomeFolder, recordSetup, RIGHT_KEY, startOllama, WRONG_KEY, type SetupHome } from './setup-homes.ts';

const opened = new AsyncDisposableStack();
let wire: WireServer;
let slow: WireServer;
let ollama: string;
before(async () => {
  const options = { answer: () => ({ text: 'Hello.' }), key: RIGHT_KEY, models: ['gpt-5.5', 'gpt-5.5-mini'] };
  wire = opened.use(await startWireServer(options));
  slow = opened.use(await startWireServer({ ...options, stallsList: true }));
  ollama = opened.use(await startOllama(wire.url)).address;
});
after(() => opened.disposeAsync());

/** How a setup ended. */
interface SetupRun {
  readonly code: number | null;
  readonly text: string;
}
/** One way to run the setup in a home. */
interface SetupWay {
  readonly name: string;
  run(home: string, scene: SetupHome, env: Readonly<Record<string, string>>): Promise<SetupRun>;
  /** The server that is spoken to. */
  url?(): string;
}

const byFlags = async (home: string, { provider = 'openai-api' }: SetupHome, env: Readonly<Record<string, string>>): Promise<SetupRun> => {
  const { code, out, err } = await hermes(['setup', '--provider', provider, '--key-stdin'], { home, cwd: '/', env, stdin: RIGHT_KEY });
  return { code, text: `${err}${out}` };
};
const byKeys =
  (columns: number, keys: (provider: string) => Keys) =>
  async (home: string, { provider = 'openai-api' }: SetupHome, env: Readonly<Record<string, string>>): Promise<SetupRun> => {
    const { code, shown } = await onTerminal(['setup'], home, keys(provider), '/', undefined, { columns, env });
    const text = stripVTControlCharacters(shown).replaceAll('\r', '');
    for (const line of text.split('\n')) assert.ok(measureWidth(line) <= columns, `wider than ${columns}: ${line}`);
    return { code, text };
  };
const TYPED = /not shown while you type\) > /;

const WAYS: readonly SetupWay[] = [
  { name: 'without a terminal', run: byFlags },
  {
    name: 'in 40 columns',
    run: byKeys(40, (provider) => [
      [/Which provider\?[^]*Enter/, `${provider}\r`],
      [TYPED, `${RIGHT_KEY}\r`],
    ]),
  },
  {
    name: 'with a wrong key first',
    run: byKeys(80, (provider) => [
      [/Which provider\?[^]*Enter/, `${provider}\r`],
      [TYPED, `${WRONG_KEY}\r`],
      [TYPED, `${RIGHT_KEY}\r`],
    ]),
  },
  { name: 'with a server that does not answer', run: byFlags, url: () => slow.url },
];

/** Every home once, each in another way than the one before; all of them in all ways for the proof. */
const IS_FULL = process.env['HERMES_SETUP_FULL'] === '1';
for (const [place, scene] of HOMES.entries())
  for (const way of WAYS.filter((_, index) => IS_FULL || index === place % WAYS.length))
    test(`a home ${scene.name}, ${way.name}: at most two questions and a next line that runs`, { skip: noPty }, () => walk(scene, way));

async function walk(scene: SetupHome, way: SetupWay): Promise<void> {
  const root = tempHome();
  const home = makeHomeFolder(root, scene);
  const isSlow = way.url !== undefined && scene.provider !== 'ollama';
  const env = {
    HOME: root,
    HERMES_HOME: home,
    OPENAI_BASE_URL: `${way.url?.() ?? wire.url}/v1`,
    OLLAMA_HOST: scene.provider === 'ollama' ? ollama : '127.0.0.1:1',
    HERMES_API_CALL_STALE_TIMEOUT: '1',
    ...scene.env,
  };
  const { code, text } = await way.run(home, scene, env);
  assert.equal(code, scene.code ?? (isSlow ? 1 : 0), text);
  const questions = new Set([...text.matchAll(/^\? .*\?/gm)].map(([words]) => words));
  assert.ok(questions.size <= 2, text);
  assert.ok(!text.includes(RIGHT_KEY) && !text.includes(WRONG_KEY), text);
  if ((scene.code ?? 0) === 0) checkSaved(home, scene);
  const next = findNext(text);
  await runNext(next, { root, home, env, scene, isSlow });
  recordSetup({ home: scene.name, way: way.name, code, questions: questions.size, next: next.replaceAll(root, '~') });
}

/** Provider and model are in the settings, the key is in `.env`, which nobody else can read. */
function checkSaved(home: string, { provider = 'openai-api' }: SetupHome): void {
  const settings = readFileSync(join(home, 'config.yaml'), 'utf8');
  assert.match(settings, new RegExp(`provider: ${provider}`));
  assert.doesNotMatch(settings, /base_url: "?http/);
  if (provider === 'ollama') return;
  assert.match(readFileSync(join(home, '.env'), 'utf8'), new RegExp(`^OPENAI_API_KEY=${RIGHT_KEY}$`, 'm'));
  assert.equal(statSync(join(home, '.env')).mode & 0o777, 0o600);
}

/** The last command that is named, put together again where the terminal was too narrow for it. */
function findNext(text: string): string {
  const at = [...text.matchAll(/:\s(?=(?:unset \w+ && |HERMES_HOME="[^"]*"\s)?hermes(?:\s|$))/g)].at(-1)?.index;
  assert.ok(at !== undefined, `no next line in ${text}`);
  return text
    .slice(at + 1)
    .trim()
    .replaceAll('\n', ' ');
}

/** The terminal UI: something is said, and then it is left. */
const TALK: Keys = [
  [/exits/, 'hello\r'],
  [/Hello\./, '\u0004'],
];

interface NextScene {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly scene: SetupHome;
  readonly isSlow: boolean;
}

async function runNext(line: string, { root, home, env, scene, isSlow }: NextScene): Promise<void> {
  const bin = join(root, 'hermes');
  writeFileSync(bin, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`, { mode: 0o755 });
  const path = `${root}:${process.env['PATH'] ?? ''}`;
  const keys: Keys = line.startsWith('hermes doctor')
    ? [[WAITING, 'Yes\r']]
    : line === 'hermes'
      ? TALK
      : [
          [/Which provider\?[^]*Enter/, 'openai-api\r'],
          [TYPED, `${RIGHT_KEY}\r`],
        ];
  const piped = line.includes('--key-stdin') ? `printf %s ${RIGHT_KEY} | ` : '';
  const ran = await onTerminal(['-c', `cd / && ${piped}${line}`], home, keys, '/', '/bin/sh', {
    env: { ...env, PATH: path },
  });
  const told = `${line}\n${ran.shown}`;
  if (line === 'hermes' || line.startsWith('hermes chat')) assert.deepEqual([ran.code, /Hello\./.test(ran.shown)], [0, true], told);
  else if (line.startsWith('hermes doctor')) assert.ok(ran.code === 0 || ran.code === 1, told);
  else assert.equal(ran.code, isSlow ? 1 : 0, told);
  if (scene.code === 2 && line.startsWith('HERMES_HOME')) assert.ok(existsSync(join(root, 'hermes-home', 'config.yaml')), told);
}

test('a server named by its address that wants a key asks for it once', { skip: noPty }, async () => {
  const root = tempHome();
  const home = join(root, '.hermes');
  const keys: Keys = [[TYPED, `${RIGHT_KEY}\r`]];
  const ran = await onTerminal(['setup', '--base-url', `${wire.url}/v1`], home, keys, '/', undefined, {
    env: { HOME: root, HERMES_HOME: home },
  });
  const text = stripVTControlCharacters(ran.shown);
  assert.equal(ran.code, 0, text);
  assert.match(text, /The server asks for a key\.[^]*Provider: custom, answers/);
  assert.match(readFileSync(join(home, '.env'), 'utf8'), new RegExp(`^OPENAI_API_KEY=${RIGHT_KEY}$`, 'm'));
});
