/**
 * Mail in full size, against a real dovecot and postfix. Writes docs/proofs/mail.md:
 *   npm run prove -- mail
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { MAX_QUICK, runMailLoops } from '../../test/platforms/email/proofs/loops.ts';
import { runMailStorm } from '../../test/platforms/email/proofs/storm.ts';
import { noMailServers } from '../../test/testing/mail/servers.ts';

const PAGE = 'docs/proofs/mail.md';
const count = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);

export async function proveMail(): Promise<boolean> {
  if (noMailServers !== undefined) {
    console.log(`mail cannot be proved here: ${noMailServers}`);
    return false;
  }
  const seed = process.env['HERMES_SEED'] ?? 'mail/1';
  const kills = count('HERMES_MAIL_KILLS', 50);
  const storm = await runMailStorm({ seed, people: 20, mails: 200, perSecond: 1, kills, lifeMs: 5_000, drops: 20, restarts: 10 });
  console.log(storm);
  const loops = await runMailLoops();
  console.log(loops);
  const files = ['conformance', 'mailbox', 'access', 'reading'].map((name) => `test/platforms/email/${name}.test.ts`);
  const { status } = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' });
  const answers = Object.fromEntries(loops.map((loop) => [loop.who, loop.answers]));
  const isQuiet = answers['vacation'] === 1 && answers['polite'] === 1 && (answers['rude'] ?? Infinity) <= MAX_QUICK + 1;
  const faults = [
    ...storm.faults,
    ...(isQuiet ? [] : [`programs got ${JSON.stringify(answers)} answers`]),
    ...(status === 0 ? [] : ['a test failed']),
  ];
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync(PAGE, renderPage(seed, storm, loops, faults));
  return faults.length === 0;
}

function renderPage(
  seed: string,
  storm: Awaited<ReturnType<typeof runMailStorm>>,
  loops: Awaited<ReturnType<typeof runMailLoops>>,
  faults: readonly string[],
): string {
  const machine = `${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${[
    '# Mail',
    '',
    'A gateway as a process of its own between a real dovecot and a real postfix, which the proof starts. The mailboxes of the people who write are the judge. Repeat with `npm run prove -- mail`.',
    '',
    '## Kills',
    '',
    `People write 200 mails in odd encodings and structures (\`test/testing/mail/corpus.ts\`) through postfix, a fifth of which ask for a command to be run. Meanwhile the gateway is killed, half of the times at random and half at the moment when postfix has taken an answer and the gateway does not know it yet; its line to dovecot is cut; dovecot and postfix are killed and started again. Seed \`${seed}\`.`,
    '',
    '| | |',
    '|---|---|',
    `| mails | ${storm.mails} |`,
    `| SIGKILL of the gateway | ${storm.kills} |`,
    `| of these between the 250 of postfix and our knowing it | ${storm.unheard} |`,
    `| cuts of the line in IDLE | ${storm.drops} |`,
    `| restarts of dovecot or postfix | ${storm.restarts} |`,
    `| mails answered | ${storm.answered} |`,
    `| told as given up after three crashes | ${storm.givenUp} |`,
    `| answers that came again, each with the Message-ID of the first and after a kill | ${storm.repeats} |`,
    `| most connections to dovecot at once | ${storm.connections} |`,
    '',
    'Also judged for each mail: the answer went to its author, into its thread, and its command ran once.',
    '',
    '## Programs that answer everything',
    '',
    '| | automatic replies of theirs | answers of ours |',
    '|---|---|---|',
    ...loops.map(({ who, answers, automatic }) => `| ${LOOPS[who]} | ${automatic} | ${answers} |`),
    '',
    '## The promises of a platform, and access',
    '',
    '`test/platforms/email/conformance.test.ts` and `mailbox.test.ts` run against the same servers; the 200 mails are compared word for word with what their authors meant. `access.test.ts` has 68 headers and what becomes of each.',
    '',
    `- faults: ${faults.length}`,
    ...faults.slice(0, 20).map((fault) => `  - ${fault}`),
    '',
    `Run on ${machine}.`,
  ].join('\n')}\n`;
}

const LOOPS: Readonly<Record<string, string>> = {
  vacation: "dovecot's own vacation (Sieve); it answers a person, and none of our mails, which say what they are",
  polite: 'a program that answers every mail and says so',
  rude: `a program that answers every mail and hides what it is (limit set to ${MAX_QUICK})`,
};
