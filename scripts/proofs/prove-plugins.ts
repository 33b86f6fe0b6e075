/**
 * Plugins in full size, with what was counted in docs/proofs/plugins.md:
 *   npm run prove -- plugins
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { cyclePlugins } from '../../test/app/plugin-cycles.ts';
import { countOpen, type AttemptCount } from '../../test/plugins/attempts/count-open.ts';
import { ATTEMPTS } from '../../test/plugins/attempts/rows/all.ts';
import { tiers } from '../../test/parts/terminals/sandbox-stage.ts';
import { runTests } from './run-tests.ts';

const PAGE = 'docs/proofs/plugins.md';
const TESTS = ['test/app/plugin-isolation.test.ts', 'test/plugins/install/killed.test.ts', 'test/plugins/attempts/after-consent.test.ts'];

interface TierCount extends AttemptCount {
  readonly tier: string;
}

export async function provePlugins(cycles: number): Promise<boolean> {
  const { before, after, grown } = await cyclePlugins(cycles);
  console.log(`  ${JSON.stringify({ cycles, before, after, grown })}`);
  const attempts: TierCount[] = [];
  for (const tools of tiers) attempts.push({ tier: tools.tier, ...(await countOpen(ATTEMPTS, tools)) });
  const { passed, failed, skipped } = runTests(TESTS);
  const isBack = isDeepStrictEqual(before, after) && grown.length === 0;
  const row = (what: string, key: keyof typeof before): string => `| ${what} | ${before[key]} | ${after[key]} |`;
  const lines = [
    '# Plugins',
    '',
    'What is promised: [plugins](../plugins.md). Repeat with `npm run prove -- plugins`.',
    '',
    '## Enabling and disabling',
    '',
    `A plugin with a tool and a deciding hook is enabled, its hook is asked (which starts its process), and it is disabled again, ${cycles} times in one process.`,
    '',
    '| Held by the process | after the first rounds | after the last |',
    '|---|---|---|',
    row('open files', 'descriptors'),
    row('processes', 'children'),
    row('timers, pipes, sockets', 'resources'),
    row('entries of the open lists, by kind', 'registered'),
    '',
    `Kinds of things on the heap that grew with the number of rounds: ${grown.length}.`,
    ...(grown.length === 0 ? [] : ['', ...grown.map((kind) => `- ${kind}`)]),
    '',
    ...describeAttempts(attempts),
    '## Isolation, installing and changes after consent',
    '',
    `The tests of [isolation](../../test/app/plugin-isolation.test.ts), [kills of an install](../../test/plugins/install/killed.test.ts) and [changes after consent](../../test/plugins/attempts/after-consent.test.ts): ${passed} passed, ${failed} failed, ${skipped} skipped.`,
    '',
    `Run on ${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB.`,
    '',
    ...keepSection('## An author'),
  ];
  writeFileSync(PAGE, lines.join('\n'));
  return isBack && failed === 0 && attempts.every(({ idle, open }) => idle.length === 0 && open.every(({ known }) => known !== undefined));
}

/** What was told by hand stays as it is. */
function keepSection(heading: string): readonly string[] {
  const text = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const start = text.indexOf(`${heading}\n`);
  return start < 0 ? [] : [`${text.slice(start).trimEnd()}\n`];
}

const describeAttempts = (tried: readonly TierCount[]): readonly string[] => {
  const row = (what: string, count: (tier: TierCount) => number): string => `| ${[what, ...tried.map(count)].join(' | ')} |`;
  const notes = tried.flatMap(({ tier, open, idle }) => [
    ...open.map(
      ({ name, declared, known = 'not known before' }) =>
        `- Open behind ${tier}${declared ? ' where everything is declared' : ''}: ${name}. Reason: ${known}.`,
    ),
    ...idle.map((name) => `- Did not come off behind ${tier}: ${name}.`),
  ]);
  return [
    '## Attempts',
    '',
    `[${ATTEMPTS.length} things that a malicious plugin tries](../../test/plugins/attempts/README.md). [Who wrote them](../../test/plugins/attempts/README.md#who-wrote-the-rows), and what they had seen, is told there. Each is installed, enabled and run for real, once with nothing declared and once with everything, behind each tier of the wall; ${tried[0]?.controls ?? 0} of them also without walls, where they must come off.`,
    '',
    `| ${['Behind', ...tried.map(({ tier }) => tier)].join(' | ')} |`,
    `|${'---|'.repeat(tried.length + 1)}`,
    row('attempts', (each) => each.tried),
    row('open', ({ open }) => new Set(open.map(({ name }) => name)).size),
    row('did not come off where they must', ({ idle }) => idle.length),
    '',
    ...notes,
    ...(notes.length > 0 ? [''] : []),
    'What the tiers do not have in common: [isolation](../plugins.md#isolation).',
    '',
    'What all programs of a plugin hold together is looked at while they run, so they can take more for a moment; [how much](../decisions/0075-plugins-in-processes-of-their-own.md#what-all-programs-of-a-plugin-hold-together) was measured.',
    ...(process.getuid?.() === 0
      ? [
          'The attempts were run as root. Behind bubblewrap on a kernel before 6.14, "starts two thousand programs at once" would be open for root: there, nothing but the look counts them.',
        ]
      : []),
    '',
  ];
};
