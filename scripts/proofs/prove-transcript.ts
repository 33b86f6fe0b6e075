/** Live equals rebuilt in full size: `node scripts/proofs/prove-transcript.ts [sessions]`. Writes docs/proofs/transcript.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { openStage } from '../../test/agent/invariants/stage.ts';
import { compareBlocks, compareLines, playSession, rebuild, WIDTHS, type PlayedSession } from '../../test/faces/tui/sessions.ts';

type Counts = Map<string, number>;
const add = (counts: Counts, name: string, by = 1): void => void counts.set(name, (counts.get(name) ?? 0) + by);

/** Plays so many sessions, compares each live and rebuilt, and writes the page. Says whether all were the same. */
export async function proveTranscript(count: number): Promise<boolean> {
  console.log(`sessions live and rebuilt, ${count} of them at ${WIDTHS.join(', ')} columns …`);
  const stage = await openStage();
  const [shown, lines]: [Counts, Counts] = [new Map(), new Map()];
  const failures: string[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const chance = createSeededRandom(String(seed));
    const session = await playSession(chance, stage);
    countShown(session, shown);
    try {
      compareBlocks(session, chance);
      for (const columns of WIDTHS) {
        const { equal, between } = compareLines(session, columns, chance);
        add(lines, `${columns}`, equal);
        add(lines, `${columns} between`, between);
      }
    } catch (error) {
      failures.push(`session ${seed}: ${error instanceof Error ? error.message.slice(0, 400) : String(error)}`);
      console.log(`  ${failures.at(-1)}`);
    }
    if (seed % 50 === 0) console.log(`  ${seed}/${count}`);
  }
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync('docs/proofs/transcript.md', pageOf(count, failures, shown, lines));
  return failures.length === 0;
}

/** What happened in a session, by names for the page. */
function countShown({ lives, entries }: PlayedSession, counts: Counts): void {
  add(counts, 'processes', lives.length);
  for (const block of rebuild(entries)) {
    add(counts, `block: ${block.kind === 'outcome' ? `outcome ${block.exitReason}` : block.kind}`);
    if (block.kind === 'user')
      add(counts, `message: ${block.attachments === undefined ? block.origin : `${block.origin}, with attachments`}`);
    if (block.kind === 'tool') add(counts, `call: ${block.state}, ${block.details?.kind ?? 'no'} details`);
  }
  for (const { events } of lives) {
    for (const event of events) {
      if (event.type === 'recovering') add(counts, 'event: a reply made void');
      if (event.type === 'asking') add(counts, 'event: a question');
      if (event.type === 'tool_progress') add(counts, `event: live output${event.childId === undefined ? '' : ' of a child'}`);
    }
  }
  const told = lives.flatMap(({ events }) => events.filter(({ type }) => type === 'entry')).length;
  if (told < entries.length) add(counts, 'event: a kill that lost the word of what was stored');
}

const number = (value: number): string => value.toLocaleString('en-US');

function pageOf(count: number, failures: readonly string[], shown: Counts, lines: Counts): string {
  const of = (kind: string): string =>
    [...shown]
      .filter(([name]) => name.startsWith(`${kind}: `))
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, times]) => `${name.slice(kind.length + 2)} ${number(times)}`)
      .join('; ');
  return [
    '# Live equals rebuilt',
    '',
    `${number(count)} random sessions in ${number(shown.get('processes') ?? 0)} processes, on the real agent, tools and store: long and broken Markdown in pieces of any size, thinking, calls with details of every kind, questions, steered and queued messages, failures and replies that are made void, interruptions, kills, undo, compaction, another model, images and attached texts. A face follows each process event by event and draws frames at random moments, in a random theme and with random display settings; another is made from the stored log alone.`,
    '',
    'Compared are the finished blocks as data, in every process and with the face itself started anew at a random event of each, and the printed lines byte for byte. The same sessions are then drawn with void words and notices in between: every line of the log must still stand there in its order. No line may be wider than the terminal, also with everything unfolded.',
    '',
    '| Columns | lines equal byte for byte | lines in between that are in no log |',
    '|---|---|---|',
    ...WIDTHS.map(
      (columns) => `| ${columns} | ${number(lines.get(`${columns}`) ?? 0)} | ${number(lines.get(`${columns} between`) ?? 0)} |`,
    ),
    '',
    `Sessions that differ: **${failures.length}**${failures.length === 0 ? '.' : `:\n\n${failures.map((failure) => `- ${failure}`).join('\n')}`}`,
    '',
    `Blocks: ${of('block')}.`,
    '',
    `Messages: ${of('message')}.`,
    '',
    `Calls: ${of('call')}.`,
    '',
    `On the way: ${of('event')}.`,
    '',
    'What it does not show: a store that fails in the middle of a turn. Then the last words are on the screen and in no log; the screen says so.',
    '',
    `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB. Repeat with \`npm run prove -- transcript\`; \`HERMES_SEED=N HERMES_PROPERTY_RUNS=1 node --test test/faces/tui/live-equals-rebuilt.test.ts\` runs one session again.`,
    '',
  ].join('\n');
}

if (import.meta.main) process.exitCode = (await proveTranscript(Number(process.argv[2] ?? 500))) ? 0 : 1;
