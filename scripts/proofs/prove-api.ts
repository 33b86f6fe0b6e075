/**
 * The API in full size. Writes docs/proofs/api.md.
 *   npm run prove -- api
 *   HERMES_API_PROOFS=kill,front-end npm run prove -- api
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { openApiKillStage, type KilledRun } from '../../test/faces/serve/api/kill/harness.ts';
import { SECURITY_ROWS } from '../../test/faces/serve/api/security-rows.ts';
import { runTests } from './run-tests.ts';
import { proveOpenWebUi, type FrontEndResult } from './open-webui.ts';

const PAGE = 'docs/proofs/api.md';

const PROOFS: Readonly<Record<string, () => Promise<FrontEndResult>>> = {
  clients: () =>
    proveByTests(
      "OpenAI's own clients for JavaScript and Python: models, chat whole and as a stream, tools shown, responses, streams taken up again",
      ['test/faces/serve/api/openai.test.ts', 'test/faces/serve/api/openai-python.test.ts'],
    ),
  streams: () =>
    proveByTests(
      'every format cut off after every event and taken up again with the id of the last: together they are the uncut stream, byte for byte',
      ['test/faces/serve/api/disconnect.test.ts'],
    ),
  keys: () =>
    proveByTests('one Idempotency-Key sent nine times, eight of them at once, and again after a restart: one turn', [
      'test/faces/serve/api/idempotency.test.ts',
    ]),
  security: () =>
    proveByTests(
      `${SECURITY_ROWS.length} requests that must be refused: each with its status, nothing stored, nobody asked, nothing told`,
      ['test/faces/serve/api/security.test.ts'],
    ),
  kill: proveKills,
  'front-end': proveOpenWebUi,
};

export async function proveApi(): Promise<boolean> {
  const wanted = process.env['HERMES_API_PROOFS']?.split(',') ?? Object.keys(PROOFS);
  let holds = true;
  for (const name of wanted) {
    const prove = PROOFS[name];
    if (prove === undefined) throw new Error(`There is no proof "${name}". There are: ${Object.keys(PROOFS).join(', ')}.`);
    const { lines, faults } = await prove();
    writeSection(name, [...lines, '', `- faults: ${faults.length}`, ...faults.slice(0, 20).map((fault) => `  - ${fault}`)]);
    console.log([`${name}:`, ...lines, ...faults].join('\n  '));
    holds &&= faults.length === 0;
  }
  return holds;
}

async function proveByTests(what: string, files: readonly string[]): Promise<FrontEndResult> {
  const { passed, failed, skipped } = runTests(files);
  return { lines: [`- ${what}`, `- stories: ${passed} passed, ${skipped} skipped`], faults: failed === 0 ? [] : [`${failed} failed`] };
}

/** A run with a command, its server killed before and after every commit, then started again. */
async function proveKills(): Promise<FrontEndResult> {
  await using stage = openApiKillStage();
  await stage.round(0);
  const { all, atStart } = stage.moments();
  const results: KilledRun[] = [];
  for (let at = atStart + 1; at <= all.length; at++) results.push(await stage.round(at));
  const killed = results.filter(({ wasKilled }) => wasKilled);
  return {
    lines: [
      `- a run with one command, its server killed before and after every commit and started again; the client comes back with its key and the id of the last event`,
      `- moments: ${results.length}; killed: ${killed.length}; commands that took effect once: ${results.filter(({ effects }) => effects === 1).length}; told as unknown: ${results.filter(({ effects }) => effects === 0).length}; twice: ${results.filter(({ effects }) => effects > 1).length}`,
    ],
    faults: results.flatMap(({ at, moment, faults }) => faults.map((fault) => `${at} (${moment}): ${fault}`)),
  };
}

/** A section of the page takes the place of the one of its name. */
function writeSection(name: string, lines: readonly string[]): void {
  const before = existsSync(PAGE)
    ? readFileSync(PAGE, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const sections = new Map(before.map((text) => [/^## (.*)$/m.exec(text)?.[1] ?? '', text.trimEnd()]));
  const machine = `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB.`;
  sections.set(name, [`## ${name}`, '', ...lines, '', machine].join('\n'));
  const order = Object.keys(PROOFS).flatMap((each) => sections.get(each) ?? []);
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync(PAGE, `${['# The API', '', 'Made by `npm run prove -- api`.', '', order.join('\n\n')].join('\n')}\n`);
}
