/**
 * The exam of `exam-f/`, written by somebody who had not seen the compressor, with three summarisers of its own.
 *   node bench/recall/fresh-exam.ts [tune|held-out] [--only NAME] [--misses]
 * In view: the answer stands in what the model would see. The other columns: or in what one call of `context_recall` gives
 * for the question, for its paraphrase, for the question in another language. A value that was superseded is stale where
 * only a former one is there. Of the held-out half totals alone are printed.
 */
import { FRESH_SUMMARISERS } from './fresh-summarisers.ts';
import { readFresh, type FreshQuestion, type FreshTranscript } from './fresh-transcripts.ts';
import { holdsAny, sitThrough, type Sitting } from './sitting.ts';

const WINDOW = 200_000;
const ASKED = ['question', 'paraphrase', 'cross'] as const;

interface FreshMark {
  readonly transcript: string;
  readonly summariser: string;
  readonly question: FreshQuestion;
  readonly view: boolean;
  /** View, or one recall with the question so asked. */
  readonly found: Readonly<Record<(typeof ASKED)[number], boolean>>;
  readonly stale: boolean;
}
interface FreshResult {
  readonly transcript: string;
  readonly summariser: string;
  readonly compactions: number;
  readonly tokens: number;
  readonly marks: readonly FreshMark[];
}

async function sit(transcript: FreshTranscript, summariser: string): Promise<FreshResult> {
  const model = FRESH_SUMMARISERS[summariser];
  const sitting = await sitThrough(transcript.name, transcript.entries, model === undefined ? [] : [model], WINDOW);
  const { compactions, tokens } = sitting;
  const marks = [];
  for (const question of transcript.questions) marks.push({ transcript: transcript.name, summariser, ...(await mark(question, sitting)) });
  return { transcript: transcript.name, summariser, compactions, tokens, marks };
}

async function mark(question: FreshQuestion, { seen, recall }: Sitting): Promise<Omit<FreshMark, 'transcript' | 'summariser'>> {
  const view = holdsAny(seen, question.answer);
  const asked = async (by: (typeof ASKED)[number]) => view || holdsAny(await recall(question[by]), question.answer);
  return {
    question,
    view,
    found: { question: await asked('question'), paraphrase: await asked('paraphrase'), cross: await asked('cross') },
    stale: !view && holdsAny(seen, question.stale ?? []),
  };
}

const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
const share = (marks: readonly FreshMark[], has: (mark: FreshMark) => boolean): string => percent(marks.filter(has).length, marks.length);
const scores = (marks: readonly FreshMark[]): string =>
  [share(marks, ({ view }) => view), ...ASKED.map((by) => share(marks, ({ found }) => found[by]))].join(' | ');

const kindOf = ({ question: { kind, cue } }: FreshMark): string =>
  cue === undefined ? kind : `${kind}, ${cue ? 'with' : 'without'} a cue word`;

function tables(results: readonly FreshResult[]): string {
  const all = results.flatMap(({ marks }) => marks);
  const rules = all.filter(({ question }) => question.kind === 'constraint');
  const bySummariser = Object.entries(Object.groupBy(results, ({ summariser }) => summariser)).map(([name, own = []]) => {
    const marks = own.flatMap((result) => result.marks);
    const kept = Math.max(...own.map(({ tokens }) => tokens)).toLocaleString('en-US');
    const constraints = marks.filter(({ question }) => question.kind === 'constraint');
    return `| ${name} | ${own.map(({ compactions }) => compactions).join(', ')} | ${kept} | ${share(constraints, ({ view }) => view)} | ${scores(marks)} |`;
  });
  const kinds = Object.entries(Object.groupBy([...all.filter(({ question }) => question.kind !== 'constraint'), ...rules], kindOf)).map(
    ([kind, marks = []]) => `| ${kind} | ${marks.length} | ${scores(marks)} |`,
  );
  return [
    '| summariser | compactions | most tokens kept | constraints in view | all in view | or recall | or paraphrase | or cross-language |',
    '|---|---|---|---|---|---|---|---|',
    ...bySummariser,
    `| all | | ${Math.max(...results.map(({ tokens }) => tokens)).toLocaleString('en-US')} | ${share(rules, ({ view }) => view)} | ${scores(all)} |`,
    '',
    '| kind | answers | in view | or recall | or paraphrase | or cross-language |',
    '|---|---|---|---|---|---|',
    ...kinds,
    '',
    `Stale value alone in view: ${all.filter(({ stale }) => stale).length}.`,
  ].join('\n');
}

function misses(results: readonly FreshResult[]): string[] {
  const marks = results.flatMap((result) => result.marks).filter(({ view, found }) => !view || !found.paraphrase);
  return marks.map(({ summariser, question, view, found }) => {
    const missed = [...(view ? [] : ['view']), ...ASKED.filter((by) => !found[by])];
    return `${question.id} ${kindOf({ question } as FreshMark)} (${question.source}, ${summariser}) ${missed.join('+')}: ${question.paraphrase} → ${question.answer[0]}`;
  });
}

if (process.argv[1] === import.meta.filename) {
  const half = process.argv.includes('held-out') ? 'held-out' : 'tune';
  const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
  const results: FreshResult[] = [];
  for (const transcript of readFresh(half))
    for (const summariser of Object.keys(FRESH_SUMMARISERS).filter((name) => only === undefined || name === only))
      results.push(await sit(transcript, summariser));
  console.log(`${half}, window ${WINDOW}\n\n${tables(results)}`);
  if (process.argv.includes('--misses') && half === 'tune') console.log(misses(results).join('\n'));
}
