import { toPrintable } from '../../base/printable.ts';
import { fitWidth } from '../../base/width.ts';
import { composeFrame } from './compose.ts';
import type { DrawContext, Frame, KeyWidget, SlotContents, Widget } from './contract.ts';
import type { Face } from './face.ts';

/** What the frame is made of, and with which styles. */
export interface Frames {
  context(): DrawContext;
  compose(live: readonly string[], context: DrawContext): Frame;
}

/** Puts together what stands below the finished text. */
export function createFrames(face: () => Face): Frames {
  const rule: Widget = { render: ({ columns, style: tint }) => [tint('rule', '─'.repeat(columns))] };
  return {
    context: () => {
      const { deps, state } = face();
      return { ...deps.terminal.size, style: state.look.style, now: Date.now(), showThinking: state.settings['display.show_reasoning'] };
    },
    compose: (live, context) => {
      const { questions, extensions, state, editor, images } = face();
      const question = questions.current();
      const focus: KeyWidget = question?.widget ?? state.overlay ?? editor;
      const slots: SlotContents = {
        ...(question !== undefined && { [question.slot]: question.widget }),
        spinner: { render: (drawn) => [...drawPosted(face(), drawn)] },
        spacer: { render: () => [''] },
        extras: extensions.extras,
        rule_above: rule,
        images,
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
