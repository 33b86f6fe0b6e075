import { UsageError } from '../../../base/errors.ts';
import { isObject, readStringAt } from '../../../base/json.ts';
import { takeStart } from '../../../base/text.ts';
import { nameArrivalFact } from '../../../contracts/gateway-store.ts';
import { createTextBlock } from '../../../contracts/message.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import { isReadByOwnerAlone } from '../access/read-by-owner.ts';
import { BUSY_MODES, DISPLAY, PROGRESS_LEVELS } from '../accounts/chat-display.ts';
import type { TypedCommand, GatewayCommand } from './typed-command.ts';
import type { Conversations } from '../chats/conversations.ts';
import type { Questions } from '../questions/questions.ts';
import { describePosted } from '../addresses/reply-address.ts';

export interface OwnCommandsDeps {
  readonly store: SessionStore;
  readonly conversations: Pick<Conversations, 'wake' | 'open'>;
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
    start: {
      summary: 'Say what this bot is',
      run: async (_args, { address }) => (address.role === 'owner' && isReadByOwnerAlone(address) ? START.owner : START.others),
    },
    ...createDisplayCommands(store.gateway),
    yolo: {
      summary: 'Run risky commands without asking in this session, or ask again',
      run: (args, typed) => setYolo(args, typed, conversations),
    },
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

/** Telegram sends it when a bot is opened. */
const START = {
  owner: 'I am your agent. Write what you want done. /help shows what you can type.',
  others: 'I am an agent. Write what you want to know or have done. /help shows what you can type.',
} as const;

/** As long as the session is open in this gateway, and only where the owner alone reads and writes. */
async function setYolo(args: string, { address, session }: TypedCommand, conversations: OwnCommandsDeps['conversations']): Promise<string> {
  if (!isReadByOwnerAlone(address)) throw new UsageError('/yolo is for the owner of this agent, in the private chat with it.');
  if (session === undefined) throw new UsageError('there is no session yet; send a message first.');
  if (!/^(?:|on|off)$/i.test(args)) throw new UsageError('/yolo takes on or off.');
  const open = await conversations.open(session);
  const on = args === '' ? open.allowAll === undefined : args.toLowerCase() === 'on';
  open.setAllowAll(on ? '/yolo' : undefined);
  return on
    ? 'This session no longer asks before risky commands, until it ends or the gateway restarts. /yolo off asks again.'
    : 'This session asks before risky commands.';
}

interface ChatSwitch {
  readonly summary: string;
  readonly values: readonly string[];
  readonly means: string;
}
const SWITCHES: Readonly<Record<'busy' | 'verbose' | 'reasoning', ChatSwitch>> = {
  busy: { summary: 'Choose what a message does in this chat while a turn is running', values: BUSY_MODES, means: 'Messages during a turn' },
  verbose: { summary: 'Show more or less of tool calls in this chat', values: PROGRESS_LEVELS, means: 'Tool calls shown' },
  reasoning: {
    summary: 'Show or hide in this chat what the model thinks while it works',
    values: ['show', 'hide'],
    means: 'Reasoning',
  },
};

/** Kept with the chat; elsewhere the settings hold. */
function createDisplayCommands(store: SessionStore['gateway']): Readonly<Record<string, GatewayCommand>> {
  const create = ([name, { summary, values, means }]: readonly [string, ChatSwitch]): readonly [string, GatewayCommand] => [
    name,
    {
      summary,
      run: async (args, { address, route }) => {
        if (address.role !== 'owner') throw new UsageError(`/${name} is for the owner of this agent.`);
        const before = route?.facts[DISPLAY];
        const chosen = args.toLowerCase();
        if (chosen === '')
          return `${means}: ${readStringAt(before, name) ?? 'as the settings say'}. To change it: /${name} ${values.join(' | ')}`;
        if (!values.includes(chosen)) throw new UsageError(`/${name} takes ${values.join(', ')}.`);
        if (route === undefined) throw new UsageError('nobody has written in this chat yet. Send a message first.');
        await store.remember(address.routeKey, { [DISPLAY]: { ...(isObject(before) ? before : {}), [name]: chosen } });
        return `${means} in this chat: ${chosen}.`;
      },
    },
  ];
  return Object.fromEntries(Object.entries(SWITCHES).map(create));
}
