import { wrapText } from '../../../../base/screen/wrap.ts';
import { toVisibleLine } from '../../../../base/visible.ts';
import type { DrawContext } from '../../contract.ts';
import { splitToColumns } from '../fit.ts';
import { readKey } from '../key-names.ts';
import { createTextField } from '../text-field.ts';
import { createDialogScroll, roomBeside } from './scroll.ts';
import { drawWords, type DialogView } from './view.ts';

export interface ConsentOptions {
  /** Lines that always stand above. */
  readonly title: (context: DrawContext) => readonly string[];
  /** Lines that scroll where there is no room for all of them. A yes counts once the last of them was seen. */
  readonly body: (context: DrawContext) => readonly string[];
  readonly no: string;
  /** From the shortest to the longest. */
  readonly yes: readonly string[];
  /** A further yes, which has to be typed out. */
  readonly typedAnswer?: string | undefined;
  /** What typed text does, in words for the person. */
  readonly typing: string;
}

const HINTS = {
  unseen: 'There is more to read: press Space until the end, then answer.',
  word: (word: string) => `Type the word ${word}, then press Enter.`,
  yes: 'Nothing was answered. To say yes, choose it with the arrow keys and press Enter.',
} as const;
const KEYS = 'Arrows choose, Enter answers.';
const REFUSING = 'Enter refuses with these words, Esc goes back to the list.';

/** Before the words of a refusal, so that no reader of the answer takes them for a yes. */
const REFUSAL = 'No: ';
const PLAIN_NO = /^no?[.!]?$/i;
const PLAIN_YES = /^y(?:es)?[.!]?$/i;

/**
 * A list that begins with no. A yes is a choice and Enter, or the one word that is to be typed out and Enter; all other text is
 * a refusal in those words. No single key is a yes.
 */
export function createConsentView({ title, body: drawBody, no, yes, typedAnswer, typing }: ConsentOptions): DialogView {
  const choices = [no, ...yes, ...(typedAnswer === undefined ? [] : [`Yes, ${typedAnswer} (you type the word)`])];
  const body = createDialogScroll();
  const field = createTextField();
  let selected = 0;
  let hint = '';

  const allow = (words: string) => (body.seenEnd ? { words } : void (hint = HINTS.unseen));
  const choose = () => {
    if (selected === 0) return { words: no };
    const chosen = yes[selected - 1];
    return chosen === undefined ? void (hint = HINTS.word(typedAnswer ?? '')) : allow(chosen);
  };
  const send = (text: string) => {
    if (text === typedAnswer) return allow(text);
    if (!PLAIN_YES.test(text)) return { words: text === '' || PLAIN_NO.test(text) ? no : `${REFUSAL}${text}` };
    field.set('');
    return void (hint = HINTS.yes);
  };
  const move = (by: number): void => void (selected = (selected + by + choices.length) % choices.length);
  const list: Readonly<Record<string, () => ReturnType<DialogView['handleKey']> | void>> = {
    enter: choose,
    up: () => move(-1),
    down: () => move(1),
    escape: () => void (selected = 0),
  };
  return {
    render: (context) => {
      const isTyping = field.read() !== '';
      const above = title(context);
      const below = [
        ...(context.rows < ROOMY_ROWS ? [] : ['']),
        ...drawChoices(choices, isTyping ? undefined : selected, context),
        ...drawWords(hint, 'warn', context),
        ...drawWords(isTyping ? REFUSING : `${KEYS} ${typing}`, 'faint', context),
      ];
      const typed = isTyping ? [field.render(context.columns - 4)] : [];
      const room = roomBeside(above.length + below.length + typed.length, context.rows);
      const lines = [...above, ...body.render(drawBody(context), room, context), ...below];
      return {
        lines: [...lines, ...typed.map(({ text }) => `  > ${text}`)],
        ...(typed[0] && { cursor: { row: lines.length, column: typed[0].cursor + 4 } }),
      };
    },
    handleKey: (data) => {
      hint = '';
      const key = readKey(data) ?? '';
      if (field.read() === '') {
        if (body.handleKey(data)) return undefined;
        const act = list[key];
        if (act !== undefined) return act() ?? undefined;
      } else if (key === 'enter') return send(field.read().trim());
      if (key === 'escape') field.set('');
      else field.handleKey(data);
      return undefined;
    },
    forget: () => field.set(''),
  };
}

/** Fewer rows than this, and the choices stand side by side: what is consented to needs the room. */
const LOW_ROWS = 20;
/** From here on there is room for a free line above the choices. */
const ROOMY_ROWS = 28;

function drawChoices(choices: readonly string[], selected: number | undefined, { columns, rows, style }: DrawContext): string[] {
  const shown = choices.map((words, index) => ({ words: toVisibleLine(words), isSelected: index === selected }));
  if (rows < LOW_ROWS)
    return wrapText(shown.map(({ words, isSelected }) => `${isSelected ? '›' : '·'} ${words}`).join('  '), columns)
      .flatMap((line) => splitToColumns(line, columns))
      .map((line) => style('accent', line));
  const room = Math.max(1, columns - 2);
  return shown.flatMap(({ words, isSelected }) =>
    wrapText(words, room)
      .flatMap((line) => splitToColumns(line, room))
      .map((line, row) => `${isSelected && row === 0 ? '›' : ' '} ${isSelected ? style('selected', line) : line}`),
  );
}
