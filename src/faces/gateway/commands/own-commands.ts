import { UsageError } from '../../../base/errors.ts';
import { takeStart } from '../../../base/text.ts';
import { nameArrivalFact } from '../../../contracts/gateway-store.ts';
import { createTextBlock } from '../../../contracts/message.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import type { TypedCommand, GatewayCommand } from './typed-command.ts';
import type { Conversations } from '../chats/conversations.ts';
import type { Questions } from '../questions/questions.ts';
import { describePosted } from '../addresses/reply-address.ts';

export interface OwnCommandsDeps {
  readonly store: SessionStore;
  readonly conversations: Pick<Conversations, 'wake'>;
  readonly questions: Pick<Questions, 'decide'>;
}

/** Commands of chats alone: they act at once, whatever runs. */
export function createOwnCommands({ store, conversations, questions }: OwnCommandsDeps): Readonly<Record<string, GatewayCommand>> {
  const background: GatewayCommand = {
    summary: 'Work on something in a session of its own; the answer comes to this chat',
    run: async (args, typed) => {
      if (typed.address.role !== 'owner') throw new UsageError('/background is for the owner of this agent.');
      if (args === '') throw new UsageError('say what to do, as in: /background run the tests and list what fails');
      const sessionId = await beginBackground(args, typed, store);
      conversations.wake(sessionId);
      return `Started in the background, as session ${sessionId}. The answer comes to this chat.`;
    },
  };
  return {
    background,
    bg: background,
    approve: {
      summary: 'Approve what the agent asks for: once, for this session, or always',
      run: (args, typed) => {
        if (!/^(?:|once|session|always)$/i.test(args)) throw new UsageError('/approve takes once, session or always.');
        return questions.decide('approve', args.toLowerCase() === 'once' ? '' : args, typed);
      },
    },
    deny: { summary: 'Deny what the agent asks for', run: (_args, typed) => questions.decide('deny', '', typed) },
  };
}

const MAX_LABEL = 60;

/** One session for each command, however often it is handled: which one it is stands in the store before its message does. */
async function beginBackground(args: string, { arrivalId, key, begin, address }: TypedCommand, store: SessionStore): Promise<string> {
  const fact = nameArrivalFact(arrivalId, 'background');
  const sessionId = (await store.fact(fact)) ?? (await store.create({ ...(await begin()), source: 'background' })).id;
  await store.learn(fact, sessionId);
  const short = takeStart(args.replaceAll(/\s+/g, ' '), MAX_LABEL);
  const label = `In the background: ${short.replaceAll(/[_*`]/g, '')}${short.length < args.length ? '…' : ''}`;
  await store.post({
    sessionId,
    content: [createTextBlock(args, 'owner')],
    mode: 'queue',
    ...describePosted({ ...address, label }, key),
  });
  return sessionId;
}
