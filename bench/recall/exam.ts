import { httpSse } from '../../src/parts/providers/transports/http-sse.ts';
import { resolveHome } from '../../src/base/home.ts';
/**
 * The recall exam: each transcript is lived through with the compressor at its defaults, then asked about.
 *   node bench/recall/exam.ts [tune|held-out] [--window N] [--real] [--misses] [--json]
 * Closed book: the answer stands in what the model would see. With one recall: or in what `context_recall` gives for the
 * question as it is. Reads nothing but the transcripts; the same numbers on every machine. With `--real` the summaries are
 * written by the model of your settings (a key must be set), and cost what it costs.
 */
import type { Summariser } from '../../src/contracts/complete.ts';
import { holdsAny, sitThrough, type Sitting } from './sitting.ts';
import { standIn } from './stand-in.ts';
import { readTranscripts, type Question, type Transcript } from './transcript.ts';

const argument = (name: string): string | undefined => process.argv[process.argv.indexOf(name) + 1];
const WINDOW = process.argv.includes('--window') ? Number(argument('--window')) : 200_000;
const half = process.argv.includes('held-out') ? 'held-out' : 'tune';

export interface Mark {
  readonly question: Question;
  readonly closed: boolean;
  readonly recalled: boolean;
}
export interface Result {
  readonly name: string;
  readonly compactions: number;
  readonly tokens: number;
  readonly marks: readonly Mark[];
}

export async function sit({ name, entries, questions }: Transcript, summarisers: readonly Summariser[] = [standIn]): Promise<Result> {
  const sitting = await sitThrough(name, entries, summarisers, WINDOW);
  const marks = await Promise.all(questions.map((question) => mark(question, sitting)));
  return { name, compactions: sitting.compactions, tokens: sitting.tokens, marks };
}

/** The model the owner works with, as it would write the summaries of their sessions. */
async function realSummarisers(): Promise<readonly Summariser[]> {
  const { openHost } = await import('../../src/app/host/host.ts');
  const { connect, resolveRoute } = await import('../../src/parts/providers/connect.ts');
  const { openSummarisers } = await import('../../src/app/host/side-models.ts');
  const { snapshotRegistries } = await import('../../src/app/tools/registries.ts');
  const { config, env, store, registries } = await openHost({ env: process.env, home: resolveHome(process.env) });
  const runtime = await resolveRoute({ selection: {}, config, env, kept: undefined, store, notice: (words) => console.error(words) });
  const summarisers = await openSummarisers(
    {
      config,
      env,
      store,
      transport: httpSse(),
      guard: (line) => line,
      notice: (words) => console.error(words),
      registered: snapshotRegistries(registries),
    },
    { runtime, connection: connect({ config, env, store, runtime, transport: httpSse() }) },
  );
  return summarisers(runtime);
}

async function mark(question: Question, { seen, recall }: Sitting): Promise<Mark> {
  const closed = holdsAny(seen, question.answer);
  return { question, closed, recalled: closed || holdsAny(await recall(question.question), question.answer) };
}

const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;

function table(results: readonly Result[]): string {
  const rows = results.map(({ name, compactions, tokens, marks }) => {
    const closed = marks.filter((each) => each.closed).length;
    const recalled = marks.filter((each) => each.recalled).length;
    return `| ${name} | ${compactions} | ${tokens.toLocaleString('en-US')} | ${marks.length} | ${percent(closed, marks.length)} | ${percent(recalled, marks.length)} |`;
  });
  const all = results.flatMap(({ marks }) => marks);
  const kinds = Object.entries(Object.groupBy(all, ({ question }) => question.kind)).map(([kind, marks = []]) => {
    const [closed, recalled] = [marks.filter((each) => each.closed).length, marks.filter((each) => each.recalled).length];
    return `| ${kind} | ${marks.length} | ${percent(closed, marks.length)} | ${percent(recalled, marks.length)} |`;
  });
  const [closed, recalled] = [all.filter((each) => each.closed).length, all.filter((each) => each.recalled).length];
  return [
    '| transcript | compactions | tokens kept | questions | closed book | with one recall |',
    '|---|---|---|---|---|---|',
    ...rows,
    `| all | | most ${Math.max(...results.map(({ tokens }) => tokens)).toLocaleString('en-US')} | ${all.length} | ${percent(closed, all.length)} | ${percent(recalled, all.length)} |`,
    '',
    '| kind | questions | closed book | with one recall |',
    '|---|---|---|---|',
    ...kinds,
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const results: Result[] = [];
  const summarisers = process.argv.includes('--real') ? await realSummarisers() : [standIn];
  for (const transcript of readTranscripts(half)) results.push(await sit(transcript, summarisers));
  console.log(process.argv.includes('--json') ? JSON.stringify(results, undefined, 2) : `${half}, window ${WINDOW}\n\n${table(results)}`);
  if (process.argv.includes('--misses') && half === 'tune')
    for (const { name, marks } of results)
      for (const { question, recalled } of marks)
        if (!recalled) console.log(`${name} ${question.kind}: ${question.question} → ${question.answer.join(' | ')}`);
}
