/**
 * The floor on kernels of Debian for both machines, in emulated machines without anything else: every promise at every level of
 * Landlock that a kernel has. Writes docs/proofs/floor.md.
 */
import { writeFileSync } from 'node:fs';
import { listLost } from '../../src/app/services/checkup.ts';
import { ATTEMPTS, type FloorAttempt } from './floor/attempts.ts';
import { boot, buildImage, fetchKernel, findMissing, MACHINES } from './floor/machine.ts';

const SUITES = ['bullseye', 'bookworm', 'trixie'] as const;
interface Ran {
  readonly machine: string;
  readonly kernel: string;
  readonly level: number;
  /** What is said where there is no Landlock. */
  readonly none?: string;
  /** By level, what each attempt came to. */
  readonly said: ReadonlyMap<number, readonly string[]>;
}

/** Reads what a machine said: `@said LEVEL ATTEMPT WORDS`. */
function readConsole(machine: string, told: string): Ran {
  const lines = told.split(/\r?\n/);
  const after = (mark: string): string | undefined => new RegExp(`@${mark} (.*?)\r?$`, 'm').exec(told)?.[1];
  const said = new Map<number, string[]>();
  for (const line of lines) {
    const [, level, at, words] = /^@said (\d+) (\d+) (.*)$/.exec(line) ?? [];
    if (level === undefined || words === undefined) continue;
    const rows = said.get(Number(level)) ?? [];
    rows[Number(at)] = words.trim();
    said.set(Number(level), rows);
  }
  const none = after('none');
  return {
    machine,
    kernel: after('kernel') ?? 'none came up',
    level: Number(after('level') ?? NaN),
    ...(none !== undefined && { none }),
    said,
  };
}

/** What went otherwise than it must. */
function findFailures({ machine, kernel, level, none, said }: Ran): readonly string[] {
  const at = `${kernel} ${machine}`;
  if (level === 0) return none?.includes('Landlock is off') === true ? [] : [`${at}: it is not said that there is no Landlock: ${none}`];
  if (Number.isNaN(level)) return [`${machine}: it did not start`];
  return Array.from({ length: Math.min(level, NEWEST) }, (_, index) => index + 1).flatMap((each) => [
    ...ATTEMPTS.flatMap(({ promise, says }, index) => {
      const [want, got] = [answerAt(says, each), said.get(each)?.[index]];
      return want === got ? [] : [`${at}, level ${each}, ${promise}: ${got ?? 'nothing'} in place of ${want}`];
    }),
    ...compareWithDoctor(each, said.get(each) ?? []).map((words) => `${at}, level ${each}: ${words}`),
  ]);
}

const NEWEST = 6;
const answerAt = (says: FloorAttempt['says'], level: number): string => (typeof says === 'string' ? says : says(level));

/** Each promise that was measured not to hold is told by `hermes doctor`, and nothing else is. */
function compareWithDoctor(level: number, said: readonly string[]): readonly string[] {
  const lost = ATTEMPTS.filter(({ says }, index) => said[index] !== answerAt(says, NEWEST));
  const words = listLost(level);
  return [
    ...lost
      .filter(({ doctor }) => !words.some((each) => doctor?.test(each)))
      .map(({ promise }) => `doctor does not say that it is lost: ${promise}`),
    ...words.filter((each) => !lost.some(({ doctor }) => doctor?.test(each))).map((each) => `doctor says what was not measured: ${each}`),
  ];
}

const rowsOf = ({ machine, kernel, level, none, said }: Ran): readonly string[] =>
  level === 0
    ? [`| ${kernel} | ${machine} | none | – | everything: \`${none}\` |`]
    : [...said].map(([each, rows]) => {
        const lost = ATTEMPTS.flatMap(({ promise, from = 1 }) => (each < from ? [promise] : []));
        const which = each === Math.min(level, 6) ? `${each}${level > 6 ? ` (of ${level})` : ''}` : `${each}, masked`;
        return `| ${kernel} | ${machine} | ${which} | ${rows.length - lost.length} of ${ATTEMPTS.length} | ${lost.join('; ') || 'nothing'} |`;
      });

const page = (all: readonly Ran[]): string => `# The floor on older kernels and on arm64

\`npm run prove -- floor\` starts kernels of Debian in emulated machines (QEMU without the help of the processor) with busybox, the launcher and a small server in place of Hermes, and makes ${ATTEMPTS.length} attempts as an ordinary user at every level of Landlock that the kernel has. Plans and rules are made by the code that makes them for sessions. It needs \`qemu-system-x86\`, \`qemu-system-arm\`, \`cpio\` and compilers for both machines, and fetches kernels by apt into \`.cache/floor\`. ${new Date().toISOString().slice(0, 10)}.

A level below that of its kernel is masked: plan and rules are those of the older level. Of the levels between, no release of Debian has a kernel.

| Kernel | Machine | Level | Holds | Lost |
|---|---|---|---|---|
${all.flatMap(rowsOf).join('\n')}

What was measured to be lost is compared with what \`hermes doctor\` says at that level: each is in the other. \`test/parts/terminals/floor.test.ts\` does the same on the kernel it runs on, with its level masked to each older one.

## What is tried

${ATTEMPTS.map(({ promise, from }) => `- ${promise}${from === undefined ? '' : ` (from level ${from} on)`}`).join('\n')}
`;

export function proveFloor(): boolean {
  const missing = findMissing();
  if (missing.length > 0) throw new Error(`The floor cannot be proved here: ${missing.join(', ')} must be installed.`);
  const all = MACHINES.flatMap((machine) =>
    SUITES.map((suite) => {
      const { kernel, busybox } = fetchKernel(suite, machine);
      const ran = readConsole(machine.name, boot(machine, kernel, buildImage(machine, busybox)));
      console.log(`${ran.kernel} ${ran.machine}: level ${ran.level}`);
      return ran;
    }),
  );
  const failures = all.flatMap(findFailures);
  for (const each of failures) console.log(each);
  if (failures.length === 0) writeFileSync('docs/proofs/floor.md', page(all));
  return failures.length === 0;
}
