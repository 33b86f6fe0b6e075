import { toPrintable } from '../../../base/printable.ts';
import type { AgentEvent } from '../../../contracts/event.ts';
import type { SessionHandle } from '../../../contracts/host.ts';
import type { InboxMode } from '../../../contracts/session-store.ts';
import type { Conversation } from './conversation.ts';
import type { Extensions } from './extensions.ts';
import type { UserMessage } from '../../../contracts/message.ts';
import type { AsideBlock } from '../contract.ts';
import { parseLine } from '../input/parse-line.ts';

export interface SubmitDeps {
  readonly conversation: Conversation;
  readonly extensions: Pick<Extensions, 'command'>;
  aside(block: AsideBlock): void;
  /** Makes the message, with what is attached to it. */
  compose(session: SessionHandle, words: string): Promise<UserMessage>;
  /** What a message does while a turn runs, unless a key said otherwise. */
  busyMode(): InboxMode;
  /** Runs work behind other work of its kind, while the next line may begin. */
  beside(work: () => Promise<void>): void;
  /** A shell command runs, or has ended. */
  shell(running: AbortController | undefined, event?: AgentEvent): void;
}

/** What somebody typed and sent: a command, a shell command, or words for the model. */
export async function submitLine(text: string, deps: SubmitDeps, mode: InboxMode = deps.busyMode()): Promise<void> {
  const { conversation, extensions } = deps;
  const line = parseLine(text);
  if (line.type === 'shell') {
    // It may run for long: what is sent meanwhile does not wait for its end.
    const session = conversation.session ?? (await conversation.open());
    return deps.beside(() => runShellLine(line.command, session, deps));
  }
  if (line.type === 'command') {
    if (await extensions.command(line.line)) return;
    if (await conversation.command(line.line)) return;
  }
  const words = line.type === 'message' ? line.text : text;
  await conversation.send((session) => deps.compose(session, words), words, mode);
}

/** `!command`: in the session's terminal, through the same door as a command of the model, outside the conversation. */
async function runShellLine(command: string, session: SessionHandle, { aside, shell }: SubmitDeps): Promise<void> {
  const stop = new AbortController();
  shell(stop);
  try {
    const events = session.shell(command, stop.signal);
    for (;;) {
      const step = await events.next();
      if (step.done === true) {
        const { ok, output } = step.value;
        return aside({ kind: 'aside', tone: ok ? 'plain' : 'warn', command: toPrintable(command), text: toPrintable(output) });
      }
      shell(stop, step.value);
    }
  } finally {
    shell(undefined);
  }
}
