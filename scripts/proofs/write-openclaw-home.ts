/**
 * Lets OpenClaw write a small home, with a model server on loopback:
 *   node scripts/proofs/write-openclaw-home.ts FOLDER_OF_THE_PACKAGE HOME
 * HOME is the home folder of a person; OpenClaw's own is `.openclaw` in it. Prints what was said, as one JSON object.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readStringAt } from '../../src/base/json.ts';
import { startWireServer } from '../../src/testing/wire-server/server.ts';
import type { Reply } from '../../src/testing/wire-server/reply.ts';

const [packageFolder = '', homeFolder = ''] = process.argv.slice(2);
const home = resolve(homeFolder);
const state = join(home, '.openclaw');
const PORT = '18977';
/** On a busy machine its gateway needs minutes to answer. */
const MAX_TRIES = 40;
mkdirSync(home, { recursive: true });

const said: { role: string; content: string }[] = [];
const REPLIES: Readonly<Record<string, readonly Reply[]>> = {
  'What is a blue heron?': [{ text: 'A wading bird of the coasts.', usage: { input: 900, output: 12 } }],
  'How many storks are on the roof?': [
    { text: 'Let me look.', thinking: 'A command will tell.', calls: [{ name: 'exec', arguments: { command: 'echo seven storks' } }] },
    { text: 'There are seven of them.' },
  ],
  'Wie groß ist ein Kranich?': [{ text: 'Etwa 120 Zentimeter, 灰鹤 auch.' }],
};

await using server = await startWireServer({ models: ['wire-model'], answer: () => ({ text: 'NO_REPLY' }) });
const script = join(resolve(packageFolder), 'openclaw.mjs');
const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: home, OPENCLAW_HIDE_BANNER: '1', NO_COLOR: '1' };

function openclaw(...args: readonly string[]): string {
  const run = spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 26 });
  if (run.status !== 0)
    throw new Error(`openclaw ${args.join(' ')} ended with ${run.status}:\n${run.stdout.slice(-2000)}\n${run.stderr.slice(-2000)}`);
  return run.stdout;
}

/** Asynchronous: the model server lives in this process. */
async function ask(agent: string, question: string): Promise<void> {
  const replies = REPLIES[question] ?? [];
  server.script(...replies);
  said.push(
    { role: 'user', content: question },
    ...replies.flatMap(({ text }) => (text === undefined ? [] : [{ role: 'assistant', content: text }])),
  );
  const child = spawn(process.execPath, [script, 'agent', '--local', '--agent', agent, '-m', question, '--json'], { env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the turn of ${agent} ended with ${String(code)}`);
}

const SETUP = 'onboard --non-interactive --accept-risk --mode local --no-install-daemon --skip-health --skip-channels --skip-skills --json';
const MODEL = `--auth-choice custom-api-key --custom-base-url ${server.url}/v1 --custom-model-id wire-model --custom-provider-id wire`;
openclaw(...SETUP.split(' '), ...MODEL.split(' '), '--custom-api-key', 'sk-wire-0123456789abcdef');
openclaw('agents', 'add', 'scout', '--non-interactive', '--workspace', join(state, 'workspace-scout'), '--json');
openclaw('mcp', 'set', 'clock', JSON.stringify({ command: 'uvx', args: ['mcp-server-time'] }));
writeFiles(join(state, 'workspace'), {
  'SOUL.md': '# Soul\n\nSpeak like a patient keeper of storks.\n',
  'MEMORY.md': '# Memory\n\n## Projects\n\n- The stork census lives in ~/projects/stork\n- Roofs are numbered from the north\n',
  'memory/2026-01-05.md': 'Saw three storks and a crane.\n',
  'skills/count-storks/SKILL.md':
    '---\nname: count-storks\ndescription: Counts storks on a roof and writes the number down\n---\n\n# Count storks\n\nLook up.\n',
});
writeFiles(state, { '.env': 'OPENROUTER_API_KEY=sk-or-v1-0123456789abcdef0123456789abcdef\n' });
await ask('main', 'What is a blue heron?');
await ask('main', 'How many storks are on the roof?');
said.push({ role: 'tool', content: 'seven storks' });
await ask('scout', 'Wie groß ist ein Kranich?');
await addJob();
console.log(JSON.stringify({ messages: said }, undefined, 2));

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Jobs are kept by the gateway. */
async function addJob(): Promise<void> {
  const gateway = spawn(process.execPath, [script, 'gateway', 'run', '--port', PORT, '--bind', 'loopback'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  for (const stream of [gateway.stdout, gateway.stderr])
    stream.on('data', (chunk: Buffer) => (told = (told + chunk.toString()).slice(-4000)));
  try {
    const token = readStringAt(JSON.parse(readFileSync(join(state, 'openclaw.json'), 'utf8')), 'gateway', 'auth', 'token') ?? '';
    const job = [
      '--name',
      'morning brief',
      '--cron',
      '0 7 * * *',
      '--message',
      'Summarize the stork news',
      '--session',
      'isolated',
      '--agent',
      'main',
    ];
    for (let tries = 0; ; tries++) {
      await sleep(10_000);
      try {
        openclaw('cron', 'add', '--port', PORT, '--token', token, ...job, '--json');
        return;
      } catch (error) {
        if (tries === MAX_TRIES || gateway.exitCode !== null)
          throw new Error(`no job was added. The gateway says:\n${told}`, { cause: error });
      }
    }
  } finally {
    const ended = gateway.exitCode === null ? once(gateway, 'exit') : undefined;
    gateway.kill('SIGTERM');
    await ended;
  }
}
