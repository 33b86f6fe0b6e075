import { TERMINAL_SLOTS } from '../../../../src/contracts/terminal-extension.ts';
import type { DrawContext, Frame, KeyWidget, SlotContents, TerminalSize, Widget } from '../../../../src/faces/tui/contract.ts';
import { createTranscriptView } from '../../../../src/faces/tui/draw/view.ts';
import { composeFrame } from '../../../../src/faces/tui/face/compose.ts';
import { createQuestionQueue } from '../../../../src/faces/tui/input/dialogs/queue.ts';
import { clipLine, stripSequences } from '../../../../src/faces/tui/screen/lines.ts';
import { createSpinner } from '../../../../src/faces/tui/status/spinner.ts';
import { createStyles } from '../../../../src/faces/tui/theme/styles.ts';
import { THEMES } from '../../../../src/faces/tui/theme/themes.ts';
import { applyEvent } from '../../../../src/faces/tui/transcript/events.ts';
import { createTranscript } from '../../../../src/faces/tui/transcript/state.ts';
import { createSeededRandom, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import { randomMarkdown } from '../sample-text.ts';
import { tellEvents, type SessionEvent } from './session-events.ts';
import { FRAME_MARK, SIZES, type Step, type Story } from './story.ts';

/**
 * A session as a story: what an agent tells, drawn by the face's own view, widgets, dialogs and layout, while the terminal
 * is resized, in the middle of words too; or dragged, which is many resizes with nothing drawn in between.
 */
export function tellSession(seed: number, { dragged = false } = {}): Story {
  const chance = createSeededRandom(`session ${seed}`);
  const view = createTranscriptView();
  const start = chance.pick(SIZES);
  const bottom = createBottom(chance);
  const steps: Step[] = [];
  const printed: string[] = [];
  let size: TerminalSize = start;
  let state = createTranscript();
  let now = 0;

  const style = createStyles(chance.pick(['none', '16', 'truecolor']), THEMES[chance.int(0, THEMES.length - 1)]?.styles ?? {});
  const showThinking = chance.hits(0.5);
  const draw = (): void => {
    const ms = chance.int(60, 260);
    now += ms;
    const context: DrawContext = { ...size, style, now, showThinking };
    const drawn = view.draw(state, context);
    state = drawn.rest;
    printed.push(...drawn.printed);
    steps.push({ type: 'update', printed: drawn.printed, frame: markFrame(bottom.compose(drawn.live, context), size.columns), ms });
  };
  const spinner = createSpinner({ transcript: () => state });
  bottom.setSpinner(spinner);
  draw();
  for (const event of tellEvents(chance.fork('events'))) {
    if (event.type === 'question' || event.type === 'answered') bottom.ask(event);
    else state = applyEvent(state, event, now);
    if (chance.hits(0.04)) {
      size = resizeBy(chance, size, steps, dragged ? chance.int(1, 6) : 1);
      draw();
    } else if (chance.hits(0.4)) draw();
  }
  draw();
  return { seed, size: start, steps, printed, late: dragged };
}

function resizeBy(chance: SeededRandom, start: TerminalSize, steps: Step[], times: number): TerminalSize {
  let size = start;
  for (let count = 0; count < times; count += 1) {
    const wanted = chance.hits(0.3) ? chance.pick(SIZES) : { columns: chance.int(24, 140), rows: chance.int(8, 45) };
    // Which rows a terminal of the kind of xterm.js throws away when it loses both, nobody can say.
    const losesBoth = wanted.columns < size.columns && wanted.rows < size.rows;
    const way = losesBoth && times === 1 ? chance.pick(['width', 'height']) : chance.pick(['width', 'height', 'both']);
    size = { columns: way === 'height' ? size.columns : wanted.columns, rows: way === 'width' ? size.rows : wanted.rows };
    // Some steps of a drag are told, most are not; the last one always is.
    const unheard = count < times - 1 && chance.hits(0.7);
    steps.push({ type: 'resize', size, ...(unheard && { unheard }) });
  }
  return size;
}

/** The bottom area with what comes and goes in it. */
function createBottom(chance: SeededRandom) {
  const queue = createQuestionQueue({ now: () => 0, onChange: () => {}, onInterrupt: () => {} });
  let question = new AbortController();
  let spinner: Widget | undefined;
  const rule: Widget = { render: ({ columns }) => ['─'.repeat(columns)] };
  const lines = (name: string, most: number): Widget => {
    const shown = chance.list(0, most, () => `${name} ${randomMarkdown(chance, 3).replaceAll(/\s/g, ' ')}`);
    return { render: ({ columns }) => shown.map((line) => clipLine(stripSequences(line), columns)) };
  };
  return {
    setSpinner: (widget: Widget): void => void (spinner = widget),
    ask: (event: Extract<SessionEvent, { readonly type: 'question' | 'answered' }>): void => {
      question.abort();
      question = new AbortController();
      if (event.type === 'answered') return;
      queue
        .ask({ question: 'Run this command?', act: event.act, notes: [], choices: ['Yes, this once', 'No'] }, question.signal)
        .catch(() => {});
    },
    compose: (live: readonly string[], context: DrawContext): Frame => {
      const open = queue.current();
      const typed = lines('❯', 3);
      const editor: KeyWidget = {
        render: (drawn) => ['❯ ', ...typed.render(drawn)],
        handleKey: () => {},
        cursor: () => ({ row: 0, column: chance.int(0, context.columns - 1) }),
      };
      const slots: SlotContents = {
        ...(open !== undefined && { [open.slot]: open.widget }),
        ...(spinner && { spinner }),
        extras: lines('widget', chance.pick([0, 0, 3])),
        status: lines('status', 1),
        rule_above: rule,
        input: editor,
        rule_below: rule,
      };
      return composeFrame({
        live,
        slots,
        layout: TERMINAL_SLOTS.map((slot) => ({ slot })),
        focus: open?.widget ?? editor,
        context,
        wrap: (_, own) => own,
      });
    },
  };
}

/** The same frame with marks that tell what is left of it from what was printed; what it looks like does not matter here. */
function markFrame({ lines, cursor }: Frame, columns: number): Frame {
  const marked = lines.map((line) => FRAME_MARK + clipLine(stripSequences(line), columns - 1).replaceAll(' ', FRAME_MARK));
  return cursor === undefined ? { lines: marked } : { lines: marked, cursor };
}
