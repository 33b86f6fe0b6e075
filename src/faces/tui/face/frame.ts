import { setTimeout as sleep } from 'node:timers/promises';
import { lazy } from '../../../base/lazy.ts';
import { toOneLine, toPrintable } from '../../../base/printable.ts';
import { fitWidth } from '../../../base/width.ts';
import { composeFrame } from './compose.ts';
import type { Block, DrawContext, Frame, KeyWidget, SlotContents, Widget } from '../contract.ts';
import type { Highlighter } from '../draw/highlight.ts';
import type { Transcript } from '../transcript/state.ts';
import { collectStatus } from './status.ts';
import type { Face } from './face.ts';
import type { RunningShell } from './state.ts';
import { formatElapsed } from '../status/figures.ts';
import { createSpinner, SPINNER_FRAME_MS } from '../status/spinner.ts';
import { createStatusBar } from '../status/status-bar.ts';
import { knowsSequences } from '../terminal/identity.ts';
import { promptMarks } from '../terminal/sequences.ts';

/** What the frame is made of, and with which styles. */
export interface Frames {
  context(): DrawContext;
  compose(live: readonly string[], context: DrawContext): Frame;
  /** From now on code has colors; what they are made with is loaded for it. */
  colorCode(): Promise<void>;
  /** Whether all code that is to be printed has its colors: printed without them it would stay so. */
  hasColors(transcript: Transcript): boolean;
  /** Loads the colors of all code in blocks that are to be shown at once. */
  loadColors(blocks: readonly Block[]): Promise<void>;
}
/** Longer nobody waits for colors. */
const MAX_COLORS_MS = 500;
const isReady = (highlighter: Highlighter | undefined, block: Block): boolean =>
  block.kind !== 'answer' || (highlighter?.isReadyFor(block.text) ?? true);

/** Puts together what stands below the finished text. */
export function createFrames(face: () => Face): Frames {
  let highlighter: Highlighter | undefined;
  let ticking: NodeJS.Timeout | undefined;
  /** While a turn runs, the spinner moves and the time counts. */
  const tick = (): void => {
    if (face().stage.transcript.activity.what === 'idle' && face().state.shell === undefined) return;
    ticking ??= setTimeout(() => {
      ticking = undefined;
      face().stage.invalidate('stream');
    }, SPINNER_FRAME_MS);
  };
  const spinner = createSpinner({
    transcript: () => face().stage.transcript,
    own: () => face().state.look.skin.spinner,
    isAsking: () => face().questions.current() !== undefined,
  });
  // Extensions are read with the first frame: they are opened after this.
  const statusBar = lazy(() =>
    createStatusBar({
      facts: () => collectStatus(face()),
      fields: () => face().state.settings['display.status_bar.fields'],
      extensions: face().extensions.statusFields,
    }),
  );
  const rule: Widget = { render: ({ columns, style: tint }) => [tint('rule', '─'.repeat(columns))] };
  return {
    context: () => {
      const { deps, state, keys } = face();
      return {
        ...deps.terminal.size,
        style: state.look.style,
        now: Date.now(),
        showThinking: state.settings['display.show_reasoning'],
        ...(state.look.skin.branding.promptSymbol !== undefined && { sign: state.look.skin.branding.promptSymbol }),
        keyNames: { interrupt: keys.keysOf('interrupt')[0] ?? 'Ctrl+C', viewer: keys.keysOf('viewer')[0] ?? 'Ctrl+O' },
        toolCalls: state.settings['display.tool_progress'],
        hidesDiffs: !state.settings['display.inline_diffs'],
        timestamps: state.settings['display.timestamps'],
        ...(knowsSequences(deps.env) && { links: true }),
        ...(knowsSequences(deps.env) && state.settings['display.screen'] === 'main' && { marks: promptMarks }),
        ...(highlighter && { highlight: highlighter.highlight }),
      };
    },
    colorCode: async () => {
      const { createHighlighter } = await import('../draw/highlight.ts');
      highlighter = createHighlighter(() => face().stage.invalidate('stream'));
    },
    hasColors: ({ finished, live }) => [...finished, ...live].every(({ block }) => isReady(highlighter, block)),
    loadColors: async (blocks) => {
      for (const block of blocks) isReady(highlighter, block);
      await Promise.race([highlighter?.settled(), sleep(MAX_COLORS_MS)]);
    },
    compose: (live, context) => {
      tick();
      const { questions, extensions, state, editor, images, completer } = face();
      const question = questions.current();
      const focus: KeyWidget = question?.widget ?? state.overlay ?? editor;
      const slots: SlotContents = {
        ...(question !== undefined && { [question.slot]: question.widget }),
        spinner: { render: (drawn) => [...spinner.render(drawn), ...drawPosted(face(), drawn)] },
        spacer: { render: () => [''] },
        extras: extensions.extras,
        ...(state.settings['display.status_bar.enabled'] && { status: statusBar() }),
        ...(question === undefined
          ? { rule_above: rule, images, input: state.overlay ?? editor, rule_below: rule }
          : { input: drawDraft(face()) }),
        completions: completer.isOpen && question === undefined ? completer.menu : drawHint(state.hint),
      };
      return composeFrame({ live, slots, layout: extensions.layout, focus, context, wrap: extensions.wrap });
    },
  };
}

const drawHint = (hint: string): Widget => ({
  render: ({ columns, style }) => (hint === '' ? [] : [style('faint', fitWidth(hint, columns))]),
});

/** In place of the editor while a question has the keys: what is typed goes there. */
const drawDraft = ({ editor, deps }: Face): Widget => ({
  render: ({ columns, style }) =>
    editor.isEmpty() ? [] : [style('faint', fitWidth(`Your draft is kept: ${toOneLine(deps.redact(editor.read()))}`, columns))],
});

/** Messages that wait, and what a shell command of the owner's writes. */
function drawPosted({ state, submitted, deps }: Face, context: DrawContext): string[] {
  const { columns, style } = context;
  return [
    ...(state.shell === undefined ? [] : drawShell(state.shell, context)),
    ...[...state.posted, ...submitted.waiting.map(({ text }) => ({ words: deps.redact(text), mode: 'queue' as const }))].map(
      ({ words, mode }) => style('faint', fitWidth(`${MODES[mode]} ${toPrintable(words).replaceAll('\n', ' ')}`, columns)),
    ),
  ];
}

/** Most commands are over sooner, and a row for them would only flicker. */
const LEAST_SHOWN_MS = 400;

/** The end of what a shell command of the owner's has written, in the look of a call. */
function drawShell({ sign, command, lines, since }: RunningShell, { columns, style, now, keyNames }: DrawContext): string[] {
  if (sign === '/' && now - since < LEAST_SHOWN_MS) return [];
  const end = ` · ${formatElapsed(now - since)} · ${keyNames?.interrupt ?? 'Ctrl+C'} interrupts`;
  const words = fitWidth(sign === '!' ? toOneLine(command) : 'Running', Math.max(8, columns - 2 - end.length));
  return [
    '',
    // A command stands above it as it was typed.
    `${sign === '!' ? style('prompt', '!') : style('accent', '•')} ${style(sign === '!' ? 'user' : 'text', words)}${style('faint', end)}`,
    ...lines.slice(-5).map((line) => `  ${style('rule', '│')} ${style('faint', fitWidth(toOneLine(line), Math.max(1, columns - 4)))}`),
  ];
}
const MODES = { steer: '↪ joins:', queue: '⋯ next:', interrupt: '■ instead:' } as const;
