import { toPrintable } from '../../base/printable.ts';
import { fitWidth } from '../../base/width.ts';
import { composeFrame } from './compose.ts';
import type { DrawContext, Frame, KeyWidget, SlotContents, Styles, Widget } from './contract.ts';
import type { Face } from './face.ts';

/** What the frame is made of, and with which styles. */
export interface Frames {
  context(): DrawContext;
  compose(live: readonly string[], context: DrawContext): Frame;
  restyle(): void;
}

/** Puts together what stands below the finished text. */
export function createFrames(face: () => Face): Frames {
  let style: Styles = (_name, text) => text;
  const rule: Widget = { render: ({ columns, style: tint }) => [tint('rule', '─'.repeat(columns))] };
  return {
    restyle: () => {
      style = face().style();
    },
    context: () => {
      const { deps, state } = face();
      return { ...deps.terminal.size, style, now: Date.now(), showThinking: state.settings['display.show_reasoning'] };
    },
    compose: (live, context) => {
      const { questions, extensions, state, editor } = face();
      const question = questions.current();
      const focus: KeyWidget = question?.widget ?? state.overlay ?? editor;
      const slots: SlotContents = {
        ...(question !== undefined && { [question.slot]: question.widget }),
        spinner: { render: (drawn) => [...drawPosted(face(), drawn)] },
        extras: extensions.extras,
        rule_above: rule,
        input: state.overlay ?? editor,
        rule_below: rule,
        completions: { render: ({ columns, style: tint }) => (state.hint === '' ? [] : [tint('faint', fitWidth(state.hint, columns))]) },
      };
      return composeFrame({ live, slots, layout: extensions.layout, focus, context, wrap: extensions.wrap });
    },
  };
}

/** Messages that wait, and what a shell command of the owner's writes. */
function drawPosted({ state }: Face, { columns, style }: DrawContext): string[] {
  const shell = state.shell;
  return [
    ...(shell === undefined ? [] : shell.lines.slice(-5).map((line) => style('faint', fitWidth(`  ${toPrintable(line)}`, columns)))),
    ...state.posted.map(({ words, mode }) =>
      style('faint', fitWidth(`${MODES[mode]} ${toPrintable(words).replaceAll('\n', ' ')}`, columns)),
    ),
  ];
}
const MODES = { steer: '↪ joins:', queue: '⋯ next:', interrupt: '■ instead:' } as const;
