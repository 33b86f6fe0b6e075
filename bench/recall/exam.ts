import { httpSse } from '../../src/parts/providers/transports/http-sse.ts';
import { homeAt } from '../../src/base/home.ts';
/**
 * The recall exam: each transcript is lived through with the compressor at its defaults, then asked about.
 *   node bench/recall/exam.ts [tune|held-out] [--window N] [--real] [--misses] [--json]
 * Closed book: the answer stands in what the model would see. With one recall: or in what `context_recall` gives for the
 * question as it is. Reads nothing but the transcripts; the same numbers on every machine. With `--real` the summaries are
 * written by the model of your settings (a key must be set), and cost what it costs.
 */
import { compressorEngine } from '../../src/parts/context/compressor/engine.ts';
import { contextSettings } from '../../src/parts/context/settings.ts';
import { summaryAnchors } from '../../src/parts/context/recall/summary-anchors.ts';
import { contextRecallTool } from '../../src/parts/context/recall/tool.ts';
import type { Summariser } from '../../src/contracts/complete.ts';
import type { Entry } from '../../src/contracts/entry.ts';
import { visibleText, type Message } from '../../src/contracts/message.ts';
import type { Runtime } from '../../src/contracts/runtime.ts';
import { defaultsOf } from '../../src/contracts/settings.ts';
import type { ToolContext } from '../../src/contracts/tool.ts';
import { standIn } from './stand-in.ts';
import { readTranscripts, type Question, type Transcript } from './transcript.ts';

const argument = (name: string): string | undefined => process.argv[process.argv.indexOf(name) + 1];
const WINDOW = process.argv.includes('--window') ? Number(argument('--window')) : 200_000;
const half = process.argv.includes('held-out') ? 'held-out' : 'tune';

const RUNTIME: Runtime = {
  provider: 'exam',
  model: 'exam',
  baseUrl: 'none:',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: WINDOW },
};

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

export async function sit(transcript: Transcript, summarisers: readonly Summariser[] = [standIn]): Promise<Result> {
  let now = 0;
  const engine = compressorEngine({
    settings: defaultsOf(contextSettings),
    summarisers: () => summarisers,
    clock: { now: () => now },
    anchors: summaryAnchors,
    recall: 'context_recall',
  });
  const log: Entry[] = [];
  const compact = async (reason: 'threshold' | 'asked') => {
    const done = await engine.compress({ entries: log, runtime: RUNTIME, system: '', tools: [], reason, calibration: 1, signal: NEVER });
    const head = { id: `k${log.length}`, sessionId: transcript.name, seq: log.length + 1, at: now, origin: 'summary' } as const;
    if (done.ok)
      log.push({ ...head, type: 'compaction', fromSeq: done.fromSeq, toSeq: done.toSeq, summary: done.summary, report: done.report });
    else if (done.report !== undefined) log.push({ ...head, type: 'note', text: done.why, compaction: done.report });
  };
  const sizeOf = () => engine.estimate({ system: '', tools: [], view: engine.view(log) });
  for (const [index, entry] of transcript.entries.entries()) {
    log.push({ ...entry, seq: log.length + 1 });
    now = entry.at;
    const next = transcript.entries[index + 1];
    // As in a turn: before the model is asked, when every call has its result.
    const asks = next === undefined || (next.type === 'message' && next.message.role === 'assistant');
    if (!asks || !engine.shouldCompress({ tokens: sizeOf(), window: WINDOW })) continue;
    await compact('threshold');
  }
  // The exam is about what a compaction keeps, not about what came after the last one.
  await compact('asked');
  const seen = plain(
    engine
      .view(log)
      .map(({ message }) => textOf(message))
      .join('\n'),
  );
  const recall = contextRecallTool({ entries: async () => log });
  const marks = await Promise.all(transcript.questions.map((question) => mark(question, seen, recall, transcript.name)));
  return { name: transcript.name, compactions: log.filter(({ type }) => type === 'compaction').length, tokens: sizeOf(), marks };
}

/** The model the owner works with, as it would write the summaries of their sessions. */
async function realSummarisers(): Promise<readonly Summariser[]> {
  const { openHost } = await import('../../src/app/host/host.ts');
  const { connect, routeFor } = await import('../../src/parts/providers/connect.ts');
  const { openSummarisers } = await import('../../src/app/host/side-models.ts');
  const { registeredIn } = await import('../../src/app/tools/registries.ts');
  const { config, env, store, registries } = await openHost({ env: process.env, home: homeAt(process.env) });
  const runtime = await routeFor({ selection: {}, config, env, kept: undefined, store, notice: (words) => console.error(words) });
  const summarisers = await openSummarisers(
    {
      config,
      env,
      store,
      transport: httpSse(),
      guard: (line) => line,
      notice: (words) => console.error(words),
      registered: registeredIn(registries),
    },
    { runtime, connection: connect({ config, env, store, runtime, transport: httpSse() }) },
  );
  return summarisers(runtime);
}

const NEVER = new AbortController().signal;

async function mark(question: Question, seen: string, recall: ReturnType<typeof contextRecallTool>, sessionId: string): Promise<Mark> {
  const closed = holds(seen, question.answer);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tool reads the session's name and nothing else
  const output = await recall.run({ query: question.question }, { sessionId } as ToolContext);
  const words = output.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { question, closed, recalled: closed || holds(plain(words), question.answer) };
}

const holds = (text: string, answers: readonly string[]): boolean => answers.some((answer) => text.includes(plain(answer)));
const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s`*]+/g, ' ');
const textOf = (message: Message): string =>
  `${visibleText(message)} ${message.content.map((block) => (block.type === 'tool_call' ? JSON.stringify(block.input) : '')).join(' ')}`;

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
