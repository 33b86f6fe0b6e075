/**
 * A developer's hour: thirty steps, behind every wall there is and without one, in every way work comes to an agent. Writes docs/proofs/hour.md:
 *   npm run prove -- hour
 *   HERMES_HOUR_TIERS=bubblewrap,trust npm run prove -- hour
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { HOUR } from './hour/steps.ts';
import { isTier, runHour, SITUATIONS, TIERS, type HourResult, type Situation, type TierName } from './hour/run.ts';

export async function proveHour(): Promise<boolean> {
  const tiers = (process.env['HERMES_HOUR_TIERS']?.split(',') ?? Object.keys(TIERS)).filter(isTier);
  const results: HourResult[] = [];
  for (const tier of tiers)
    for (const situation of SITUATIONS) {
      const result = await runHour(tier, situation);
      console.log(`${tier}, ${situation}: ${result.done} of ${HOUR.length}${result.holds ? '' : ', too few'}`);
      results.push(result);
    }
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync('docs/proofs/hour.md', pageOf(tiers, results));
  return results.every(({ holds }) => holds);
}

const pageOf = (tiers: readonly TierName[], results: readonly HourResult[]): string =>
  [
    "# A developer's hour",
    '',
    '```sh',
    'npm run prove -- hour',
    '```',
    '',
    `${HOUR.length} steps of everyday work (packages, tests, builds, scripts, commits, a push, a server) by a scripted model, and how many of them were done. Attended, an owner allows for the session whatever is asked; in the others nobody is there to approve anything. At least 27 must be done everywhere but in \`none\`, where the turn must come to all of them. Measured on Linux ${release()}.`,
    '',
    ...tiers.map((tier) => `- \`${tier}\`: ${WORDS[tier]}`),
    '',
    `| | ${tiers.join(' | ')} |`,
    `|---|${tiers.map(() => '---|').join('')}`,
    ...SITUATIONS.map((situation) => `| ${situation} | ${tiers.map((tier) => cell(results, tier, situation)).join(' | ')} |`),
    '',
    'What was not done, but for `none`:',
    '',
    ...results
      .filter(({ tier, missing }) => tier !== 'none' && missing.length > 0)
      .map(({ tier, situation, missing }) => `- ${tier}, ${situation}: ${missing.map((words) => words.split(':')[0]).join('; ')}`),
    '',
    'A push to a folder outside the workspace is stopped by the sandbox of unattended work. A server in the background ends with its session, which is over after each turn where each step is one. Without a sandbox, `npx` may run any program, so it is asked about beyond the trust in a folder.',
    '',
  ].join('\n');

const WORDS: Readonly<Record<TierName, string>> = {
  bubblewrap: 'the sandbox of namespaces',
  floor: 'Landlock and seccomp',
  podman: 'what `auto` finds in a container of podman, as an ordinary user, without user namespaces: Landlock and seccomp',
  trust: 'no sandbox, and a folder that the owner trusts',
  none: 'neither',
};

const cell = (results: readonly HourResult[], tier: TierName, situation: Situation): string => {
  const found = results.find((result) => result.tier === tier && result.situation === situation);
  if (found === undefined) return '';
  return situation === 'attended' ? `${found.done}, ${found.asked} asked` : String(found.done);
};
