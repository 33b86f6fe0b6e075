/** The scrollback oracle in full size: `node scripts/proofs/prove-screen.ts [stories] [in tmux]`. Writes docs/proofs/screen.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { createMainScreen } from '../../src/faces/tui/screen/main-screen.ts';
import { judgeOnXterm, type MakeScreen, type Verdict } from '../../test/faces/tui/screen/oracle.ts';
import { toNarrowStory } from '../../test/faces/tui/screen/narrow.ts';
import { plantPiScreen } from '../../test/faces/tui/screen/planted.ts';
import { kindOf, STORY_KINDS } from '../../test/faces/tui/screen/stories.ts';
import { tellStory, type Story } from '../../test/faces/tui/screen/story.ts';
import { judgeOnTmux, noTmux } from '../../test/faces/tui/screen/tmux.ts';

interface Count {
  stories: number;
  frames: number;
  resizes: number;
  lines: number;
  wrong: number;
  /** The same, after the terminal itself tore lines and misplaced the cursor. */
  torn: number;
  left: number;
  pushedOut: number;
}
type Counts = Readonly<Record<string, Count>>;

const ours: MakeScreen = (write, size, now) => createMainScreen(write, size, { reflow: () => 'wraps', now });
const PLANTED = 20;

/** Judges so many stories, and writes the page. Says whether everything held. */
export async function proveScreen(stories: number, inTmux: number): Promise<boolean> {
  console.log(`${stories} stories into xterm.js …`);
  const xterm = await judgeAll(stories, (story) => judgeOnXterm(story, ours));
  console.log(`${inTmux} stories through tmux …`);
  if (noTmux !== false) console.log(`  left out: ${noTmux}`);
  const tmux = noTmux === false ? await judgeAll(inTmux, judgeTwiceOnTmux) : undefined;
  const planted = await judgePlanted();
  const page = pageOf(xterm, tmux, planted);
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync('docs/proofs/screen.md', page);
  console.log(page);
  const wrong = [xterm, tmux ?? {}].flatMap((counts) => Object.values(counts)).reduce((sum, count) => sum + count.wrong, 0);
  return wrong === 0 && tmux !== undefined && planted === PLANTED;
}

async function judgeAll(stories: number, judge: (story: Story) => Promise<Verdict>): Promise<Counts> {
  const none = (): Count => ({ stories: 0, frames: 0, resizes: 0, lines: 0, wrong: 0, torn: 0, left: 0, pushedOut: 0 });
  const counts: Record<string, Count> = Object.fromEntries(STORY_KINDS.map(({ name }) => [name, none()]));
  for (let seed = 0; seed < stories; seed += 1) {
    const { name, tell } = kindOf(seed);
    const story = tell(seed);
    const { problem, left, pushedOut, torn = 0 } = await judge(story);
    if (problem !== undefined) console.log(`  story ${seed} (${name}): ${problem}`);
    const count = (counts[name] ??= none());
    const resizes = story.steps.filter(({ type }) => type === 'resize').length;
    count.stories += 1;
    count.frames += story.steps.length - resizes;
    count.resizes += resizes;
    count.lines += story.printed.length;
    if (problem !== undefined && torn > 0) count.torn += 1;
    else if (problem !== undefined) count.wrong += 1;
    count.left += left;
    count.pushedOut += pushedOut;
    if ((seed + 1) % 100 === 0) console.log(`  ${seed + 1}/${stories}`);
  }
  return counts;
}

/** A torn line excuses a story only if it is kept without wide characters. */
async function judgeTwiceOnTmux(story: Story): Promise<Verdict> {
  const verdict = await judgeOnTmux(story);
  if (verdict.problem === undefined || verdict.torn === 0) return verdict;
  const { problem } = await judgeOnTmux(toNarrowStory(story));
  return problem === undefined ? verdict : { ...verdict, torn: 0, problem: `${verdict.problem}; without wide characters: ${problem}` };
}

/** How many stories the main screen of pi-tui fails by taking lines of the shell away. */
async function judgePlanted(): Promise<number> {
  let failed = 0;
  for (let seed = 0; seed < PLANTED; seed += 1) {
    const { problem = '' } = await judgeOnXterm(tellStory(seed), plantPiScreen);
    if (/expected "\$line\d+oftheshell/.test(problem)) failed += 1;
  }
  return failed;
}

const HEAD = '| Stories | number | frames | resizes | lines printed | stories with a line lost, doubled or out of order |';
const tableOf = (counts: Counts, withRows: boolean): string =>
  [
    `${HEAD}${withRows ? ' rows of old frames left | pushed out of reach by the terminal |' : ' the same, after tmux itself tore a line |'}`,
    `|---|---|---|---|---|---|${withRows ? '---|---|' : '---|'}`,
    ...Object.entries(counts).map(
      ([name, { stories, frames, resizes, lines, wrong, torn, left, pushedOut }]) =>
        `| ${name} | ${stories} | ${frames} | ${resizes} | ${lines} | ${wrong} |${withRows ? ` ${left} | ${pushedOut} |` : ` ${torn} |`}`,
    ),
  ].join('\n');

const pageOf = (xterm: Counts, tmux: Counts | undefined, planted: number): string => `# The scrollback of the terminal UI

500 lines of a shell stand in a terminal before each story. Afterwards every one of them and every line that the story printed must be in the scrollback exactly once and in order, with rows that the terminal wrapped put together again; \`2J\`, \`3J\`, \`1047\`, \`1049\` and a full reset must not have been written.

- *lines*: frames of random lines with Chinese, Japanese, Korean, emoji and styles; live text, dialogs and widgets that come and go, some higher than the screen; three sizes to begin with; one resize at a time.
- *lines, late*: writes that the terminal takes only after a resize, or between several, that the program has not heard of.
- *session*: events of an agent (streamed Markdown with tables and code, thinking, tools with live output, questions, notices) drawn by the transcript, the widgets, the dialogs and the layout of the terminal UI, resized in the middle of words.
- *session, dragged*: up to six resizes with nothing drawn in between. The program hears of the last one and of few before it, as of signals that were merged.

In stories without late writes or drags, more rows of an old frame than the terminal pushed out of reach (or than emoji and rows that wrapped below the cursor make uncertain) count as a failure too.

## @xterm/headless

${tableOf(xterm, true)}

## tmux

${tmux === undefined ? `Left out: ${noTmux}.` : tableOf(tmux, false)}

tmux 3.3a forgets now and then that a row goes on in the next one when it wraps a line with wide characters anew, and puts the cursor a row too high for each. The program is not told; a printed row may then be drawn over. Stories with such a line are counted apart if they are kept once two narrow characters stand for each wide one.

## Planted

The main screen of pi-tui in the place of ours fails ${planted} of ${PLANTED} stories: the lines of the shell are gone.

Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB. Repeat with \`npm run prove -- screen\`.
`;

if (import.meta.main) process.exitCode = (await proveScreen(Number(process.argv[2] ?? 2_000), Number(process.argv[3] ?? 50))) ? 0 : 1;
