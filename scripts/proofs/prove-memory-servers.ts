/**
 * Memory services: the official clients against our servers for tests, and our client against a real OpenViking from PyPI.
 * Writes docs/proofs/memory-servers.md:
 *   npm run prove -- memory-servers
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../test/free-port.ts';
import { openWordsModel, WORDS_DIMENSION } from './memory-servers/words-model.ts';

const PAGE = 'docs/proofs/memory-servers.md';
const SDKS = resolve('.cache/memory-sdks');
const VENV = resolve('.cache/venvs/openviking');
const MEM0 = 'mem0ai@3.3.1';
const OPENVIKING = 'openviking==0.5.2';

interface Counted {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export async function proveMemoryServers(): Promise<boolean> {
  const trouble = [installMem0(), installOpenViking()].filter((each) => each !== undefined);
  if (trouble.length > 0) {
    console.log(`memory servers cannot be proved here: ${trouble.join('; ')}`);
    return false;
  }
  const official = await runTests('test/testing/memory-servers/official.test.ts', {});
  const real = await withOpenViking((url) => runTests('scripts/proofs/memory-servers/real-openviking.ts', { OPENVIKING_PROOF_URL: url }));
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync(PAGE, renderPage(official, real));
  return official.failed + official.skipped + real.failed === 0;
}

/** Its peers (a native database among them) are not wanted, and it is no dependency of ours. */
function installMem0(): string | undefined {
  if (existsSync(join(SDKS, 'node_modules/mem0ai'))) return undefined;
  mkdirSync(SDKS, { recursive: true });
  writeFileSync(join(SDKS, 'package.json'), '{"private":true}');
  const { status } = spawnSync('npm', ['install', '--save-exact', '--ignore-scripts', '--legacy-peer-deps', MEM0], {
    cwd: SDKS,
    stdio: 'inherit',
  });
  return status === 0 ? undefined : `npm could not install ${MEM0}`;
}

function installOpenViking(): string | undefined {
  if (existsSync(join(VENV, 'bin/openviking-server'))) return undefined;
  const made = spawnSync('python3', ['-m', 'venv', VENV], { stdio: 'inherit' });
  if (made.status !== 0) return 'there is no python3 with venv';
  const { status } = spawnSync(join(VENV, 'bin/pip'), ['install', '-q', OPENVIKING], { stdio: 'inherit' });
  return status === 0 ? undefined : `pip could not install ${OPENVIKING}`;
}

/** Not in one piece: the models that the server asks answer in this process. */
async function runTests(file: string, env: Record<string, string>): Promise<Counted> {
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = (await child.stdout.toArray()).join('');
  const count = (word: string): number => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? (word === 'fail' ? 1 : 0));
  const counted = { passed: count('pass'), failed: count('fail'), skipped: count('skipped') };
  if (counted.failed > 0) console.log(output);
  return counted;
}

/** A server with a home of its own, on loopback, whose models know words and nothing else. */
async function withOpenViking(use: (url: string) => Promise<Counted>): Promise<Counted> {
  await using model = await openWordsModel();
  const home = mkdtempSync(join(tmpdir(), 'openviking-'));
  const port = await findFreePort();
  const api = { provider: 'openai', model: 'words', api_key: 'none', api_base: model.url };
  const settings = {
    storage: { workspace: join(home, 'data') },
    server: { host: '127.0.0.1', port },
    embedding: { dense: { ...api, dimension: WORDS_DIMENSION, encoding_format: 'float', input: 'text' } },
    vlm: api,
  };
  writeFileSync(join(home, 'ov.conf'), JSON.stringify(settings));
  const log = openSync(join(home, 'server.log'), 'w');
  const server = spawn(join(VENV, 'bin/openviking-server'), ['--config', join(home, 'ov.conf')], {
    env: { ...process.env, HOME: home },
    stdio: ['ignore', log, log],
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    if (!(await isUp(url, server)))
      throw new Error(`OpenViking did not start:\n${readFileSync(join(home, 'server.log'), 'utf8').slice(-2_000)}`);
    return await use(url);
  } finally {
    const ended = once(server, 'exit');
    if (server.exitCode === null && server.kill('SIGTERM')) await ended;
  }
}

async function isUp(url: string, server: ChildProcess): Promise<boolean> {
  for (let tries = 0; tries < 240 && server.exitCode === null; tries++) {
    const up = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return true;
    await sleep(500);
  }
  return false;
}

function renderPage(official: Counted, real: Counted): string {
  const row = (what: string, { passed, failed, skipped }: Counted) => `| ${what} | ${passed} | ${failed} | ${skipped} |`;
  return [
    '# Memory servers',
    '',
    'The servers that stand for Mem0, Honcho, Supermemory and Hindsight in tests are asked by the official clients. Our own client for OpenViking is asked to keep every promise of a memory provider against a real server from PyPI. Repeat with `npm run prove -- memory-servers`.',
    '',
    '| | passed | failed | skipped |',
    '|---|---|---|---|',
    row('official clients: mem0ai 3.3.1, @honcho-ai/sdk 2.5.0, supermemory 4.25.4, @vectorize-io/hindsight-client 0.9.1', official),
    row('our client against a real OpenViking 0.5.2', real),
    '',
    'The real server runs offline. Its models are replaced by `scripts/proofs/memory-servers/words-model.ts`, where likeness is common words, and every message of a user becomes a memory. So the page shows that our client and the server understand each other, and nothing about how well the server remembers.',
    '',
    ...(official.skipped + real.skipped === 0 ? [] : ['Skipped is what a provider does not offer.', '']),
    'What the real server taught: without keys it takes everybody for whom they say they are, and a search that names no address finds the memories of all users. Our client names the address of one person in every search, and drops what lies elsewhere.',
    '',
    `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB.`,
    '',
  ].join('\n');
}
