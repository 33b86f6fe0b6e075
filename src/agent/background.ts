import { toErrorMessage } from '../base/errors.ts';
import { takeStart } from '../base/text.ts';
import type { Outcome } from '../contracts/event.ts';
import type { ApiMode, Host, Notice, SessionHandle } from '../contracts/host.ts';
import type { BackgroundService } from '../contracts/services/background.ts';
import type { ProtocolId } from '../contracts/runtime.ts';
import type { Session } from '../contracts/session-store.ts';
import { shortenTitle } from './naming.ts';

export interface BackgroundDeps extends Pick<Host, 'openSession'> {
  tell(notice: Notice): void;
  /** Aborted when the host closes: what runs is stopped then. */
  readonly closed: AbortSignal;
}

/** Characters of an answer that a notice shows. */
const MAX_SHOWN = 1_500;

/** Sessions in the background of a host. Nobody can be asked there: what needs consent is refused and can be allowed later. */
export function createBackground({ openSession, tell, closed }: BackgroundDeps): BackgroundService {
  const started: { readonly session: Session; done: boolean }[] = [];
  return {
    list: () => started,
    start: async (beside, { model, provider, baseUrl, protocol }, words) => {
      const { platform, source, cwd } = beside;
      const route = { model, provider, baseUrl, apiMode: API_MODES[protocol] };
      const open = await openSession({ platform, source, cwd, title: shortenTitle(words), model: route });
      const row = { session: open.session, done: false };
      started.push(row);
      void finish(open, words, closed).then((text) => {
        row.done = true;
        if (!closed.aborted) tell({ text: `Background session ${open.session.id} ${text}`, sessionId: beside.id });
      });
      return open.session;
    },
  };
}

const API_MODES: Readonly<Record<ProtocolId, ApiMode>> = {
  'openai-chat': 'chat_completions',
  'anthropic-messages': 'anthropic_messages',
  'openai-responses': 'responses',
};

/** Runs the one turn and says how it ended, whatever happens. */
async function finish(open: SessionHandle, words: string, signal: AbortSignal): Promise<string> {
  try {
    await using session = open;
    const events = session.send(await session.message(words), signal);
    for (;;) {
      const { value, done } = await events.next();
      if (done === true) return describeOutcome(value);
    }
  } catch (error) {
    return `failed: ${toErrorMessage(error)}`;
  }
}

function describeOutcome({ type, exitReason, text }: Outcome): string {
  const shown = text.length > MAX_SHOWN ? `${takeStart(text, MAX_SHOWN)} …` : text;
  return `${type === 'answered' ? 'is done' : `ended (${exitReason.replaceAll('_', ' ')})`}:\n${shown}`;
}
