import { toErrorMessage, UsageError } from '../base/errors.ts';
import { formatCount } from '../base/screen/figures.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { UserMessage } from '../contracts/message.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { ModelService } from '../contracts/services/models.ts';
import type { Spending } from '../contracts/ledger.ts';
import type { InboxMode, Session } from '../contracts/session-store.ts';
import { refuseBeforeOthers } from './before-others.ts';
import { findSession, SESSION_REF, withModel } from './find-session.ts';
import { describeCost } from './usage-sums.ts';
import { isTurnRunning, stopRunningTurn, type StopResult } from './running-turn.ts';

const FACTS = { category: 'conversation', where: ['terminal', 'chat'], whileBusy: 'run' } as const;
const SESSION = { ...SESSION_REF, session: 'there is no session yet; send a message first, or continue a stored session.' } as const;
/** The newest of them fit a screen. */
const MAX_LISTED = 10;
const TITLE = { kind: 'text', prose: true, description: 'its title' } as const;

export const newSession = defineCommand({
  ...FACTS,
  whileBusy: 'refuse',
  name: 'new',
  slash: ['new', 'reset'],
  summary: 'Start a new session; this one stays stored',
  arguments: { session: { kind: 'text', description: SESSION_REF.description, session: '' }, title: TITLE },
  examples: ['/new', '/new the release'],
  needs: ['store', 'openSession'],
  run: async ({ session: ref, title }, { store, openSession }, { followUp, signal, othersRead = false }) => {
    const ended = ref === undefined ? undefined : await findSession(ref, store);
    if (ended !== undefined && !(await (await openSession(ended)).end('reset', signal)))
      throw new UsageError(`session ${ended.id} is in use, so it was not ended; stop its turn or wait for its end.`);
    followUp?.({ type: 'new', ...(title !== undefined && { title }) });
    return { ...(ended !== undefined && { ended }), othersRead };
  },
  describe: ({ ended, othersRead }) =>
    `${ended === undefined || othersRead ? '' : `Session ${ended.id} is over. `}The next message begins a new session.`,
});

export const resumeSession = defineCommand({
  ...FACTS,
  whileBusy: 'refuse',
  name: 'resume',
  slash: ['resume', 'switch'],
  summary: 'Continue a stored session',
  arguments: {
    stored: {
      kind: 'text',
      completes: 'session',
      description: `${SESSION_REF.description}; lists the newest when left out`,
      prose: true,
      placeholder: 'session',
    },
  },
  ownerOnly: true,
  examples: ['/resume 20260101_12', '/resume the release'],
  needs: ['store'],
  run: async ({ stored: ref }, { store }, { followUp, othersRead }) => {
    if (ref === undefined) {
      refuseBeforeOthers(othersRead, 'resume');
      return { stored: await store.list({ limit: MAX_LISTED }) };
    }
    const session = await findSession(ref, store);
    followUp?.({ type: 'open', session });
    return { session };
  },
  describe: ({ session, stored = [] }) =>
    session !== undefined
      ? `Continuing session ${nameOf(session)}.`
      : stored.length === 0
        ? 'There is no stored session yet.'
        : [...stored.map((each) => `${nameOf(each)} (${formatCount(each.messages, 'message')})`), 'To continue one: /resume ID'].join('\n'),
});

export const branchSession = defineCommand({
  ...FACTS,
  name: 'branch',
  slash: ['branch', 'fork'],
  summary: 'Continue in a copy of this session',
  arguments: { session: SESSION, title: TITLE },
  examples: ['/branch', '/branch another way'],
  needs: ['store', 'openSession'],
  run: async ({ session: ref, title }, { store, openSession }, { followUp }) => {
    const open = await openSession(await findSession(ref, store));
    const result = await open.branch(title === undefined ? {} : { title });
    if (result.ok) followUp?.({ type: 'open', session: result.session });
    return result;
  },
  describe: (result) => (result.ok ? `Continuing in session ${nameOf(result.session)}.` : result.why),
});

export const switchModel = defineCommand({
  ...FACTS,
  // On a command line `model` changes the settings; this one changes the session.
  name: 'switch-model',
  slash: ['model'],
  summary: 'Switch the model from the next turn on, or show the current one',
  arguments: { session: { ...SESSION, begins: true }, model: { kind: 'text', description: 'the model to use, as its provider names it' } },
  options: {
    provider: { kind: 'text', placeholder: 'name', description: 'the provider to use' },
    save: { kind: 'flag', description: 'also for all sessions to come' },
  },
  ownerOnly: ({ save }) => (save === true ? '/model --save' : undefined),
  examples: ['/model', '/model qwen3', '/model claude-sonnet-4.6 --provider anthropic', '/model qwen3 --save'],
  needs: ['store', 'openSession', 'configuration', 'models'],
  run: async ({ session: ref, model, provider, save }, { store, openSession, configuration, models }, { chat, signal }) => {
    const open = await openSession(await findSession(ref, store));
    const changed = model !== undefined || provider !== undefined;
    const { runtime } = open;
    const now = changed
      ? await open.setModel({ ...(model !== undefined && { model }), ...(provider !== undefined && { provider }) })
      : runtime;
    const saved =
      save === true
        ? await configuration.change({
            ...(provider !== undefined && { 'model.provider': now.provider, 'model.base_url': undefined }),
            'model.default': now.model,
          })
        : undefined;
    // A screen has a list of its own to pick from.
    const offered = changed || chat === undefined ? undefined : await listOffered(now, models, signal);
    return {
      model: now.model,
      provider: now.provider,
      changed,
      ...(saved !== undefined && { file: saved.file }),
      ...(offered !== undefined && { offered }),
    };
  },
  describe: ({ model, provider, changed, file, offered }) =>
    [
      `${changed ? 'From the next turn on the model is' : 'The model is'} ${model} of ${provider}.`,
      ...(file === undefined ? [] : [`New sessions use it too: saved in ${file}.`]),
      ...(offered === undefined ? [] : describeOffered(offered)),
    ].join('\n'),
});

/** What the provider of a session offers. One that cannot be asked now says why. */
async function listOffered(
  { provider }: Pick<Runtime, 'provider'>,
  models: Pick<ModelService, 'current' | 'list'>,
  signal: AbortSignal,
): Promise<readonly string[] | string> {
  try {
    const current = await models.current();
    const found = await models.list({ provider, ...(current?.provider === provider && { baseUrl: current.baseUrl }) }, signal);
    return found.ok ? found.models.map(({ id }) => id) : found.words;
  } catch (error) {
    return toErrorMessage(error);
  }
}
const MAX_OFFERED = 40;
function describeOffered(offered: readonly string[] | string): readonly string[] {
  if (typeof offered === 'string') return [`Its provider could not be asked for others: ${offered}`];
  const more = offered.length - MAX_OFFERED;
  return [
    'It offers:',
    ...offered.slice(0, MAX_OFFERED).map(toVisibleLine),
    ...(more > 0 ? [`and ${more} more`] : []),
    'To switch: /model NAME',
  ];
}

/** What a session is, and what it has taken so far. */
export const sessionStatus = defineCommand({
  ...FACTS,
  category: 'insight',
  name: 'status',
  summary: 'Show the model, folder, length and cost of this session',
  summaryForOthers: 'Show the length of this conversation, and whether an answer is being written',
  arguments: { session: { ...SESSION, begins: true } },
  examples: ['/status'],
  needs: ['store'],
  run: async ({ session: ref }, { store }, context) => {
    const session = withModel(await findSession(ref, store), context);
    const spent = await store.spent(session.id);
    return {
      messages: session.messages,
      unfinished: session.unfinished,
      waiting: (await store.waiting(session.id)).length,
      running: session.unfinished && (context.busy === true || (await isTurnRunning(store, session.id))),
      ...(context.othersRead !== true && { session, spent }),
    };
  },
  describe: ({ messages, unfinished, waiting, running, session, spent }) =>
    [
      ...(session === undefined || spent === undefined
        ? [`This conversation has ${formatCount(messages, 'message')}.`]
        : describeOwn(session, spent)),
      ...(unfinished ? [running ? 'A turn is running.' : 'A turn was cut off and can be resumed.'] : []),
      ...(waiting > 0 ? [`${formatCount(waiting, 'message')} waiting.`] : []),
    ].join('\n'),
});
const describeOwn = (session: Session, { calls, price, unpriced }: Spending): string[] => [
  `Session ${nameOf(session)}`,
  `Model: ${session.model} of ${session.provider}`,
  `Folder: ${toVisibleLine(session.cwd)}`,
  `So far: ${formatCount(session.messages, 'message')}, ${formatCount(calls, 'model call')}, ${describeCost(calls, price, unpriced)}`,
];

const post = (name: string, mode: InboxMode, summary: string, told: string, slash?: readonly [string, ...string[]]) =>
  defineCommand({
    ...FACTS,
    name,
    ...(slash !== undefined && { slash }),
    summary,
    arguments: { session: { ...SESSION, begins: true }, words: { kind: 'text', required: true, prose: true, description: 'the message' } },
    examples: [`/${name} also look at the tests`],
    needs: ['store', 'openSession'],
    run: async ({ session: ref, words }, { store, openSession }, { followUp, busy = false, by }) => {
      const session = await findSession(ref, store);
      const running = busy || (await isTurnRunning(store, session.id));
      const open = await openSession(session);
      const { content } = await open.message(words);
      const item = await open.post({ content: by === 'other' ? content.map(asForeign) : content, mode });
      followUp?.({ type: 'resume' });
      return { id: item.id, mode, running };
    },
    describe: ({ running }) => (running ? told : 'No turn is running, so it is answered now.'),
  });
export const queueMessage = post('queue', 'queue', 'Queue a message for the next turn', 'It is answered when the running turn is over.', [
  'queue',
  'q',
]);
export const steerTurn = post(
  'steer',
  'steer',
  'Add a message to the running turn',
  'It joins the running turn at its next step, or is answered after it.',
);

export const stopTurn = defineCommand({
  ...FACTS,
  name: 'stop',
  summary: 'Stop the running turn',
  arguments: { session: { kind: 'text', description: SESSION_REF.description, session: '' } },
  examples: ['/stop'],
  needs: ['store'],
  run: async ({ session: ref }, { store }, { followUp, busy = false }): Promise<{ readonly result: StopResult | 'by_face' }> => {
    if (!busy && ref !== undefined) return { result: await stopRunningTurn(store, (await findSession(ref, store)).id) };
    followUp?.({ type: 'stop' });
    return { result: busy ? 'by_face' : 'idle' };
  },
  describe: ({ result }) => STOP_WORDS[result],
});
const STOP_WORDS: Readonly<Record<StopResult | 'by_face', string>> = {
  by_face: '',
  idle: 'No turn is running, so there is nothing to stop.',
  stopped: 'The running turn was stopped.',
  asked: 'The running turn was told to stop and has not ended yet.',
};

export const quit = defineCommand({
  ...FACTS,
  where: ['terminal'],
  name: 'quit',
  slash: ['quit', 'exit'],
  summary: 'Leave',
  examples: ['/quit'],
  run: async (_values, _services, { followUp }: CommandContext) => {
    followUp?.({ type: 'leave' });
    return {};
  },
  describe: () => '',
});

/** A message is made of the owner's words; somebody else's inform and never instruct. */
const asForeign = (block: UserMessage['content'][number]): UserMessage['content'][number] =>
  block.type === 'text' ? { ...block, trust: 'foreign', source: 'somebody else in the chat' } : { ...block, trust: 'foreign' };

const nameOf = ({ id, title }: Session): string => (title === undefined ? id : `${id} “${toVisibleLine(title)}”`);
