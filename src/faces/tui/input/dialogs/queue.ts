import { wrapText } from '../../../../base/screen/wrap.ts';
import { toVisibleLine } from '../../../../base/visible.ts';
import { createInterruptedQuestion } from '../../../../contracts/interrupted-question.ts';
import type { Ports, ReadSecret, UserQuestion } from '../../../../contracts/ports.ts';
import type { TerminalSlot } from '../../../../contracts/terminal-extension.ts';
import type { CursorPosition, DrawContext, KeyWidget } from '../../contract.ts';
import { isPaste, pastedText } from '../paste.ts';
import { readKey } from '../key-names.ts';
import { createApprovalView } from './approval.ts';
import { createClarifyView } from './clarify.ts';
import { CONFIRMED, createConfirmView } from './confirm.ts';
import { createSecretView } from './secret.ts';
import { drawWords, type DialogView } from './view.ts';

/**
 * The questions that wait for the person, one at a time and in the order they came.
 *
 * Promises:
 * - a key answers only a question that was on the screen: what was typed before it was drawn, or goes on being typed when it
 *   appears, answers nothing. It counts from the first pause in typing on;
 * - pasted text never answers a question for consent, and sends nothing by its line breaks elsewhere;
 * - a question whose signal aborts closes, whether it is shown or waits; then, and when the person interrupts it, it rejects;
 * - a secret is in the promise of who asked for it and nowhere else.
 */
export interface QuestionQueue {
  readonly ask: NonNullable<Ports['clarify']>;
  readonly readSecret: ReadSecret;
  confirm(question: string, signal?: AbortSignal): Promise<boolean>;
  /** The question that is shown now, and the slot it belongs to. */
  current(): OpenDialog | undefined;
}
export interface OpenDialog {
  readonly slot: TerminalSlot;
  readonly widget: KeyWidget;
  readonly sessionId?: string;
}
export interface QuestionQueueDeps {
  readonly now: () => number;
  /** Another question is shown, or the one that is has changed. */
  readonly onChange: () => void;
  /** Ctrl-C in a question: it has been given up; the turn should stop as well. */
  readonly onInterrupt: () => void;
  /** What to call the session a question comes from; nothing for the one on the screen. */
  readonly nameSession?: (sessionId: string) => string | undefined;
}

export function createQuestionQueue(deps: QuestionQueueDeps): QuestionQueue {
  const waiting: Waiting[] = [];
  const enqueue = (question: Omit<Waiting, 'widget'>, signal?: AbortSignal): Promise<string> => {
    const done = Promise.withResolvers<string>();
    const close = (): void => {
      question.view.forget?.();
      signal?.removeEventListener('abort', stop);
      waiting.splice(waiting.indexOf(entry), 1);
      deps.onChange();
    };
    const stop = (): void => (close(), done.reject(createInterruptedQuestion()));
    const settle = (words: string): void => (close(), done.resolve(words));
    const entry: Waiting = { ...question, widget: guardKeys(question, { ...deps, settle, stop, others: () => waiting.length - 1 }) };
    if (signal?.aborted === true) return Promise.reject(createInterruptedQuestion());
    waiting.push(entry);
    signal?.addEventListener('abort', stop, { once: true });
    deps.onChange();
    return done.promise;
  };
  return {
    ask: (question, signal) => enqueue(toDialog(question), signal),
    readSecret: (question, signal) =>
      enqueue({ slot: /^sudo\b/i.test(question.name) ? 'sudo' : 'secret', view: createSecretView(question) }, signal),
    confirm: async (question, signal) =>
      (await enqueue({ slot: 'approval', view: createConfirmView(question) }, signal).catch(() => '')) === CONFIRMED,
    current: () => waiting[0],
  };
}

interface Waiting extends OpenDialog {
  readonly view: DialogView;
}

const toDialog = (question: UserQuestion): Omit<Waiting, 'widget'> => ({
  slot: question.act === undefined ? 'clarify' : 'approval',
  view: question.act === undefined ? createClarifyView(question) : createApprovalView(question),
  ...(question.sessionId !== undefined && { sessionId: question.sessionId }),
});

/** A pause in typing of this length, with the question on the screen, and the next key is meant for it. */
const PAUSE_MS = 300;
const HINTS = {
  early: 'Keys you were typing when this question appeared do not count. Stop for a moment, then answer.',
  pasted: 'Pasted text does not count as an answer: type it, or choose one.',
} as const;

interface GuardDeps extends QuestionQueueDeps {
  settle(words: string): void;
  stop(): void;
  /** How many more questions wait. */
  others(): number;
}

/** Keeps keys from a question that were not meant for it. */
function guardKeys({ view, sessionId }: Omit<Waiting, 'widget'>, deps: GuardDeps): KeyWidget {
  let quietSince: number | undefined;
  let armed = false;
  let hint = '';
  let cursor: CursorPosition | undefined;
  const isMeant = (): boolean => {
    if (quietSince === undefined) return false;
    armed ||= deps.now() - quietSince >= PAUSE_MS;
    if (!armed) quietSince = deps.now();
    return armed;
  };
  const take = (data: string): void => {
    hint = '';
    if (!isMeant()) return void (hint = HINTS.early);
    if (isPaste(data)) {
      if (view.paste === undefined) hint = HINTS.pasted;
      else view.paste(pastedText(data));
      return;
    }
    const answer = view.handleKey(data);
    if (answer !== undefined) deps.settle(answer.words);
  };
  return {
    render: (context) => {
      quietSince ??= deps.now();
      const above = describePlace(sessionId, deps, context);
      const drawn = view.render(context);
      cursor = drawn.cursor && { row: drawn.cursor.row + above.length, column: drawn.cursor.column };
      const hints = drawWords(hint, 'warn', context);
      return [...above, ...drawn.lines, ...hints];
    },
    handleKey: (data) => {
      if (readKey(data) === 'ctrl+c') {
        deps.stop();
        return deps.onInterrupt();
      }
      take(data);
      deps.onChange();
    },
    cursor: () => cursor,
  };
}

/** Which session asks, where it is another one, and how many more questions wait. */
function describePlace(sessionId: string | undefined, deps: GuardDeps, { columns, style }: DrawContext): string[] {
  const name = sessionId === undefined ? undefined : deps.nameSession?.(sessionId);
  const more = deps.others();
  const words = [
    ...(name === undefined ? [] : [`Session ${toVisibleLine(name)} asks.`]),
    ...(more === 0 ? [] : [`${more} more ${more === 1 ? 'question waits' : 'questions wait'}.`]),
  ];
  return words.length === 0 ? [] : wrapText(words.join(' '), columns).map((line) => style('faint', line));
}
