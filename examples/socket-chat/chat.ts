import { EventEmitter, once } from 'node:events';
import { visibleText, type AgentEvent, type Host, type Question, type SessionOptions } from '../../src/index.ts';
import { linesOfEvent, linesOfQuestion, type Line } from './lines.ts';

/** Tells the client one thing about one session. */
export type Tell = (...line: Line) => void;

/** What is asked in one session: the first question is answered first, and a turn that is stopped takes its question along. */
function openQuestions(tell: Tell) {
  const open: { readonly question: Question; readonly answers: EventEmitter }[] = [];
  return {
    clarify: async (question: Question, signal: AbortSignal): Promise<string> => {
      const asked = { question, answers: new EventEmitter() };
      open.push(asked);
      for (const line of linesOfQuestion(question)) tell(...line);
      return once(asked.answers, 'answer', { signal })
        .then(([words]) => String(words))
        .finally(() => open.splice(open.indexOf(asked), 1));
    },
    answer: (choose: (question: Question) => string | undefined): void => {
      const [asked] = open;
      const words = asked && choose(asked.question);
      if (words === undefined) tell('error', asked ? 'There is no such choice.' : 'Nothing is asked now.');
      else asked?.answers.emit('answer', words);
    },
  };
}

/** One session in use by one client. */
export type Chat = Awaited<ReturnType<typeof openChat>>;
export async function openChat(host: Host, options: SessionOptions, tell: Tell) {
  const { clarify, answer } = openQuestions(tell);
  const session = await host.openSession({ ...options, ports: { clarify } });
  let running: { readonly stop: AbortController; readonly over: Promise<void> } | undefined;
  const posted: Promise<unknown>[] = [];

  const show = async (events: AsyncIterable<AgentEvent>): Promise<void> => {
    for await (const event of events) for (const line of linesOfEvent(event)) tell(...line);
  };
  /** What was posted too late to join the turn gets a turn of its own. */
  const run = async (events: AsyncIterable<AgentEvent>, signal: AbortSignal): Promise<void> => {
    try {
      await show(events);
      while (posted.length > 0 && !signal.aborted) {
        await Promise.all(posted.splice(0));
        await show(session.resume(signal));
      }
    } catch (error) {
      tell('error', String(error));
    }
    running = undefined;
  };
  const start = (work: (signal: AbortSignal) => AsyncIterable<AgentEvent>): void => {
    const stop = new AbortController();
    running = { stop, over: run(work(stop.signal), stop.signal) };
  };
  async function* rewind(signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
    const result = yield* session.rewind({ turns: 1 }, signal);
    if (!result.ok) return tell('error', result.why);
    tell('undone', visibleText(result.message));
    for (const { path, fate } of result.files) tell('kept', `${path} stays ${fate}`);
  }
  return {
    session,
    tell,
    answer,
    /** Sends a message, or lets it join the turn that is running. */
    say: async (words: string): Promise<void> => {
      const message = await session.message(words);
      if (running === undefined) return start((signal) => session.send(message, signal));
      await posted[posted.push(session.post({ content: message.content, mode: 'steer' })) - 1];
      tell('posted', 'waiting');
    },
    undo: (): void => (running === undefined ? start(rewind) : tell('error', 'A turn is running: /stop it first, or wait for its end.')),
    stop: (): void => running?.stop.abort(),
    close: async (): Promise<void> => {
      running?.stop.abort();
      await running?.over;
      await session[Symbol.asyncDispose]();
    },
  };
}
