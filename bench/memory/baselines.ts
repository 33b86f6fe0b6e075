/** Contestants that need no code of the project. */
import type { Asker, History, Message, Session } from './corpus.ts';
import type { Contestant } from './contestant.ts';
import { MAX_RECALLED } from './score.ts';
import { words } from './text.ts';

const contestant = (name: string, prepare: (history: History) => (text: string, asker: Asker) => string): Contestant => ({
  name,
  open: async (history) => {
    const recall = prepare(history);
    return { recall: async (text, asker) => recall(text, asker), [Symbol.asyncDispose]: async () => {} };
  },
});

/** Recalls nothing: right about every unanswerable question, and about no other. */
export const nothing = contestant('nothing', () => () => '');

/** The end of the history, as long as it may be. */
export const full = contestant('full', (history) => {
  const all = linesOf(history).map(({ line }) => line);
  return () => all.join('\n').slice(-MAX_RECALLED);
});

/** The lines that share most words with the question, the newest first among equals, as long as they may be. */
export const grep = contestant('grep', (history) => {
  const lines = linesOf(history);
  return (text) => matching(lines, text);
});

/** The same, but it knows who wrote a line and who may read it: nothing foreign, no tainted answer, nobody else's private chat. */
export const carefulGrep = contestant('grep-careful', (history) => {
  const lines = linesOf(history).filter(({ message, isTainted }) => !message.foreign && (!isTainted || message.role === 'user'));
  return (text, { person }) =>
    matching(
      lines.filter(({ session }) => session.chat.members.includes(person)),
      text,
    );
});

interface Line {
  readonly session: Session;
  readonly message: Message;
  readonly isTainted: boolean;
  readonly line: string;
  readonly words: ReadonlySet<string>;
}

const linesOf = (history: History): readonly Line[] =>
  history.sessions.flatMap((session) =>
    session.turns.flatMap(({ at, tainted, messages }) =>
      messages.flatMap((message) =>
        message.text.split('\n').map((text) => ({
          session,
          message,
          isTainted: tainted,
          line: `${at.slice(0, 10)} ${message.person ?? message.source ?? message.role}: ${text}`,
          words: words(text),
        })),
      ),
    ),
  );

function matching(lines: readonly Line[], text: string): string {
  const asked = words(text);
  const ranked = lines
    .map((line, order) => ({ line: line.line, order, shared: asked.intersection(line.words).size }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared || b.order - a.order);
  return ranked
    .map(({ line }) => line)
    .join('\n')
    .slice(0, MAX_RECALLED);
}
