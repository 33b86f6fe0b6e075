import { toErrorMessage } from '../base/errors.ts';
import type { CommandContext } from '../contracts/command.ts';
import type { CheckupFinding, CheckupFix } from '../contracts/services/insight.ts';
import type { Services } from '../contracts/services/services.ts';
import { applyFix, type FixServices } from './fixes.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

/** Looks at everything a session needs and says what is missing. */
export const doctor = defineCommand({
  name: 'doctor',
  category: 'insight',
  summary: 'Check the installation, the keys, the settings and the store',
  where: ['shell'],
  whileBusy: 'run',
  options: {
    fix: { kind: 'flag', description: 'fix what can be fixed; ask before what changes your settings or data' },
    yes: { kind: 'flag', description: 'fix everything without asking' },
  },
  ownerOnly: ({ fix }) => (fix === true ? 'doctor --fix' : undefined),
  json: 'one JSON array',
  examples: ['hermes doctor', 'hermes doctor --fix', "hermes doctor --json | jq '.[] | select(.ok == false)'"],
  needs: ['checkup', 'configuration', 'storeCare'],
  run: async ({ fix = false, yes = false }, services, context): Promise<DoctorResult> => {
    const found = await services.checkup.look();
    const { findings, fixes } = fix ? await fixAll(found, yes, services, context) : { findings: found, fixes: [] };
    return { findings, fixes, ok: findings.every(({ ok }) => ok) };
  },
});

type DoctorServices = FixServices & Pick<Services, 'checkup'>;

export interface DoctorResult {
  readonly findings: readonly CheckupFinding[];
  readonly fixes: readonly AppliedFix[];
  readonly ok: boolean;
}
export interface AppliedFix {
  /** The finding. */
  readonly name: string;
  readonly result: 'done' | 'failed' | 'declined' | 'needs_yes';
  /** What was done, why it failed, or what it would do. */
  readonly words: string;
}

/** One fix may bring to light what stood behind it, and what did not help is still a finding: so it is looked again. */
async function fixAll(
  found: readonly CheckupFinding[],
  yes: boolean,
  services: DoctorServices,
  context: CommandContext,
  seen: ReadonlySet<string> = new Set(),
): Promise<Omit<DoctorResult, 'ok'>> {
  const due = found.filter(({ ok, fix, words }) => !ok && fix !== undefined && !seen.has(words));
  const fixes = await applyFixes(due, yes, services, context);
  if (!fixes.some(({ result }) => result === 'done')) return { findings: found, fixes };
  const tried = new Set([...seen, ...due.map(({ words }) => words)]);
  const later = await fixAll(await services.checkup.look(), yes, services, context, tried);
  return { findings: later.findings, fixes: [...fixes, ...later.fixes] };
}

async function applyFixes(
  findings: readonly CheckupFinding[],
  yes: boolean,
  services: DoctorServices,
  { confirm }: CommandContext,
): Promise<readonly AppliedFix[]> {
  const applied: AppliedFix[] = [];
  for (const { name, words, fix } of findings) {
    if (fix === undefined) continue;
    const agreed = fix.isSafe || yes || (confirm === undefined ? undefined : await confirm(`${words}. Fix it: ${fix.words}?`));
    applied.push({
      name,
      ...(agreed === true ? await applyOne(fix, services) : { result: agreed === false ? 'declined' : 'needs_yes', words: fix.words }),
    });
  }
  return applied;
}

async function applyOne(fix: CheckupFix, services: FixServices): Promise<Omit<AppliedFix, 'name'>> {
  try {
    return { result: 'done', words: await applyFix(fix, services) };
  } catch (error) {
    return { result: 'failed', words: toErrorMessage(error) };
  }
}
