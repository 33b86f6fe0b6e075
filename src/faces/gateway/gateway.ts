import type { Clock } from '../../base/clock.ts';
import type { AccountRef, ChatTarget, NewDelivery } from '../../contracts/gateway-store.ts';
import type { Host, SessionOptions } from '../../contracts/host.ts';
import type { ChatPlace } from '../../contracts/platform-adapter.ts';
import type { Session } from '../../contracts/session-store.ts';
import type { Blobs } from '../../contracts/blobs.ts';
import { authorise as decideAccess, countBotChain, type AccessDecision } from './access.ts';
import type { GatewayAccount } from './accounts.ts';
import { createAnswerPlanner, type AnswerDeps } from './answers.ts';
import type { GatewayCommand } from './chat-commands.ts';
import { isSameAccount, type ReplyAddress, type RunningAccount, type WriteLog } from './contract.ts';
import { createConversations, type Conversations, type ConversationsDeps } from './conversations.ts';
import { handleArrival, type DispatchDeps } from './dispatch.ts';
import { createIntake, type KeptEvent } from './intake.ts';
import { openLink } from './link/link.ts';
import type { AdapterHandle, LinkState, LinkTimes, PlatformLink } from './link/contract.ts';
import { LEASE_MS, sendDelivery } from './outbox.ts';
import { createQuestions, type QuestionsDeps } from './questions.ts';
import { createRates } from './rates.ts';
import { writeAddress } from './reply-address.ts';
import { buildSessionKey } from './session-key.ts';
import { startWorkLoop } from './work-loop.ts';

/** A gateway that runs: it receives, answers and delivers until it is closed. */
export interface Gateway extends AsyncDisposable {
  readonly accounts: readonly { readonly ref: AccountRef; readonly state: LinkState }[];
  readonly running: number;
  /** Takes nothing new and waits for the turns that run, at most so long. What is left is gone on with after the next start. */
  drain(ms: number): Promise<void>;
  /** Plans something for a chat that no turn has said. */
  deliver(deliveries: readonly NewDelivery[]): Promise<readonly string[]>;
}
export interface GatewayOptions extends Pick<DispatchDeps, 'answerStranger' | 'readMessage' | 'newSession' | 'isForGuests'>, Pick<AnswerDeps, 'takeFiles'>, Pick<QuestionsDeps, 'approvals' | 'findOwner'> {
  readonly host: Host;
  readonly accounts: readonly GatewayAccount[];
  readonly openAdapter: (account: GatewayAccount) => Promise<AdapterHandle>;
  readonly redeem: (account: AccountRef, event: KeptEvent) => Promise<boolean>;
  /** What a session of a chat is opened with, besides what every one has. */
  readonly sessionOptions: (session: Session, address: ReplyAddress | undefined) => Promise<Partial<SessionOptions>>;
  readonly commands: Readonly<Record<string, GatewayCommand>>;
  readonly blobs: Blobs;
  readonly owner: string;
  readonly clock: Clock;
  readonly log: WriteLog;
  readonly linkTimes?: LinkTimes;
  readonly onEvent?: ConversationsDeps['onEvent'];
  readonly onLinkChange?: (account: AccountRef, state: LinkState) => void;
}

/** Chats whose messages are handled at once, and deliveries that are on their way at once. */
const MAX_ARRIVALS = 32;
const MAX_DELIVERIES = 64;
const MAX_CRASHES = 3;
/** How long a gateway that closes waits for what is being sent. */
const CLOSE_MS = 10_000;

export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  await using opened = new AsyncDisposableStack();
  const { host, clock, log, owner } = options;
  const { store } = host;
  const { gateway } = store;
  const rates = createRates(clock.now);
  const links: { readonly account: RunningAccount; readonly link: PlatformLink }[] = [];
  const findAccount = (ref: AccountRef): RunningAccount | undefined => links.find(({ account }) => isSameAccount(account.ref, ref))?.account;
  const stop = new AbortController();
  opened.defer(() => stop.abort());

  const conversations: Conversations = opened.use(
    createConversations({
      store,
      openSession: async (session) => openChatSession(session),
      findAccount,
      rates,
      clock,
      log,
      ...(options.onEvent !== undefined && { onEvent: options.onEvent }),
    }),
  );
  const questions = createQuestions({ store: gateway, findAccount, approvals: options.approvals, findOwner: options.findOwner, wake: conversations.wake });
  const planAnswer = createAnswerPlanner({ store: gateway, findAccount, pauseView: conversations.pauseView, takeFiles: options.takeFiles });

  async function openChatSession(session: Session) {
    const [route] = await gateway.routes({ sessionId: session.id, limit: 1 });
    const home: ReplyAddress | undefined = route && { routeKey: route.key, target: route.target, senderId: '', role: 'guest' };
    return host.openSession({
      ...(await options.sessionOptions(session, home)),
      session,
      planAnswer,
      maxCrashes: MAX_CRASHES,
      ...(home !== undefined && { replyTo: writeAddress(home) }),
      ports: {
        clarify: (question, signal) => {
          const address = conversations.addressOf(session.id) ?? home;
          return address === undefined ? Promise.reject(new Error('Nobody can be asked here.')) : questions.ask(question, address, signal);
        },
      },
    });
  }

  const move = async (from: ChatTarget, to: ChatPlace): Promise<void> => {
    for (const { key, chat, target } of await gateway.routes({ platform: from.platform })) {
      if (!isSameAccount(target, from) || target.chatId !== from.chatId) continue;
      await gateway.moveChat(from, target, { ...target, ...to }, { from: key, to: buildSessionKey(from, { ...chat, ...to }) });
    }
  };
  const authorise = createAuthoriser(options, gateway);
  const arrivals = startWorkLoop({
    kind: 'arrival',
    store: gateway,
    owner,
    accounts: options.accounts,
    leaseMs: LEASE_MS,
    maxAtOnce: MAX_ARRIVALS,
    handle: (row) =>
      handleArrival(row, {
        ...options,
        store,
        conversations,
        findAccount,
        authorise: ({ config }, event) => authorise(config, event),
        questions,
        own: options.commands,
        move: ({ event, ...arrival }) => move({ ...arrival, ...event.chat }, event.to),
      }),
    clock,
    log,
  });
  const deliveries = startWorkLoop({
    kind: 'delivery',
    store: gateway,
    owner,
    accounts: options.accounts,
    leaseMs: LEASE_MS,
    maxAtOnce: MAX_DELIVERIES,
    handle: (row, signal) => sendDelivery(row, { store: gateway, findAccount, rates, blobs: options.blobs, move, clock, log }, signal),
    clock,
    log,
  });
  void followChanges();
  async function followChanges(): Promise<void> {
    for await (const change of store.changes(stop.signal)) {
      if (change.type === 'any' || (change.type === 'work' && change.kind === 'arrival')) arrivals.hint();
      if (change.type === 'any' || (change.type === 'work' && change.kind === 'delivery')) deliveries.hint();
    }
  }
  void followPosts();
  async function followPosts(): Promise<void> {
    for await (const { sessionId } of host.posted(stop.signal)) if (await isChat(sessionId)) conversations.wake(sessionId);
  }
  const isChat = async (sessionId: string): Promise<boolean> => (await gateway.routes({ sessionId, limit: 1 })).length > 0;

  // What was cut off, and what waits since before this start.
  for (const { session } of await store.pending()) if (await isChat(session.id)) conversations.wake(session.id);

  const intake = createIntake({ store: gateway, authorise: (account, event) => authorise(configOf(options, account), event), redeem: options.redeem, now: clock.now });
  for (const config of options.accounts) {
    const ref = { platform: config.platform, account: config.account };
    const link = openLink({
      account: ref,
      openAdapter: () => options.openAdapter(config),
      receive: async (batch) => {
        if ((await intake(ref, batch)) > 0) arrivals.hint();
      },
      cursors: () => gateway.cursors(ref),
      log,
      ...(options.linkTimes !== undefined && { times: options.linkTimes }),
      ...(options.onLinkChange !== undefined && { onChange: (state: LinkState) => options.onLinkChange?.(ref, state) }),
    });
    links.push({ link, account: { ref, kind: config.kind, config, sender: link } });
  }
  const closing = opened.move();
  const closeLinks = () => Promise.all(links.map(({ link }) => link[Symbol.asyncDispose]()));
  return {
    get accounts() {
      return links.map(({ account: { ref }, link }) => ({ ref, state: link.state() }));
    },
    get running() {
      return conversations.running;
    },
    deliver: (planned) => gateway.plan(planned),
    drain: async (ms) => {
      await arrivals.drain();
      const late = new AbortController();
      await Promise.race([conversations.idle(), clock.sleep(ms, late.signal)]);
      late.abort();
    },
    [Symbol.asyncDispose]: async () => {
      await arrivals[Symbol.asyncDispose]();
      await closing.disposeAsync();
      // What the last turns said goes out if it can; the rest is in the store.
      const late = new AbortController();
      await Promise.race([deliveries.drain(), clock.sleep(CLOSE_MS, late.signal)]);
      late.abort();
      await deliveries[Symbol.asyncDispose]();
      await closeLinks();
    },
  };
}

const configOf = ({ accounts }: Pick<GatewayOptions, 'accounts'>, ref: AccountRef): GatewayAccount => {
  const found = accounts.find((account) => isSameAccount(account, ref));
  if (found === undefined) throw new Error(`There is no account ${ref.account} of ${ref.platform}.`);
  return found;
};

/** Who may speak, with what the store knows of them. Chains of bots are counted in memory: a restart breaks one. */
function createAuthoriser(_options: GatewayOptions, store: Host['store']['gateway']) {
  const chains = new Map<string, number>();
  return async (account: GatewayAccount, event: KeptEvent): Promise<AccessDecision> => {
    const { platform } = account;
    const key = buildSessionKey(account, event.chat);
    const botChain = countBotChain(chains.get(key) ?? 0, event.sender);
    if (botChain === 0) chains.delete(key);
    else chains.set(key, botChain);
    const ids = [event.sender.id, ...(event.sender.otherIds ?? [])];
    const people = await Promise.all(ids.map((userId) => store.findPerson({ platform, userId })));
    const paired = new Set(people.flatMap((person) => (person === undefined ? [] : [person.userId])));
    const isAddressed = event.type !== 'message' || event.isAddressed;
    return decideAccess({ chat: event.chat, sender: event.sender, isAddressed, botChain }, account.access, (id) => paired.has(id));
  };
}
