import type { Clock } from '../../base/clock.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import { waitAtMost } from '../../base/waits.ts';
import type { AccountRef, NewDelivery, Route } from '../../contracts/gateway-store.ts';
import type { Host, PlanAnswer, SessionHandle, SessionOptions } from '../../contracts/host.ts';
import type { EmitGatewayHook } from '../../contracts/hooks.ts';
import type { MenuCommand } from '../../contracts/platform-adapter.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import type { Blobs } from '../../contracts/blobs.ts';
import type { GatewayAccount } from './accounts.ts';
import { createAnswerPlanner } from './answers.ts';
import type { GatewayCommand } from './chat-commands.ts';
import { isSameAccount, type ReplyAddress, type RunningAccount, type WriteLog } from './contract.ts';
import { createAuthoriser } from './authoriser.ts';
import { createMove } from './move-chat.ts';
import { createConversations, type Conversations, type ConversationsDeps } from './conversations.ts';
import { refreshDirectory } from './directory.ts';
import { handleArrival, type DispatchDeps } from './dispatch.ts';
import { createHookEvents } from './hook-events.ts';
import { createIntake, type KeptEvent } from './intake.ts';
import { openLink } from './link/link.ts';
import type { AdapterHandle, LinkState, LinkTimes, PlatformLink } from './link/contract.ts';
import { LEASE_MS, sendDelivery } from './outbox.ts';
import { createQuestions, type Questions, type ChatQuestionsDeps } from './questions.ts';
import { createOwnCommands } from './own-commands.ts';
import { createRates } from './rates.ts';
import { readAddress, writeAddress } from './reply-address.ts';
import { createDeliverPort, type DeliverFrom } from './sends.ts';
import { sweepBlobs, sweepChats, type SweepDeps } from './sweep.ts';
import { startWorkLoop } from './work-loop.ts';

/** A gateway that runs: it receives, answers and delivers until it is closed. */
export interface Gateway extends AsyncDisposable {
  readonly accounts: readonly { readonly ref: AccountRef; readonly state: LinkState; readonly isPaused: boolean }[];
  readonly running: number;
  /** Takes nothing new and waits for the turns that run, at most so long. What is left is gone on with after the next start. */
  drain(ms: number): Promise<void>;
  /** Has a session go on that is the gateway's and no chat's. */
  wake(sessionId: string): void;
  /** Plans something for a chat that no turn has said. */
  deliver(deliveries: readonly NewDelivery[]): Promise<readonly string[]>;
  /** Closes the link of an account, or opens it again. What is to go out meanwhile waits. `false` when there is no such account. */
  setPaused(ref: AccountRef, isPaused: boolean): Promise<boolean>;
  /** Every command that can be given in a chat. */
  listCommands(): Promise<readonly MenuCommand[]>;
  /** Ends the sessions that nobody writes to any more, and removes files that went out. */
  sweep(policy: Pick<SweepDeps, 'policyOf' | 'timeZone'>, signal: AbortSignal): Promise<void>;
}
export interface GatewayOptions
  extends
    Pick<DispatchDeps, 'answerStranger' | 'readMessage' | 'newSession' | 'isForGuests'>,
    Pick<ChatQuestionsDeps, 'approvals' | 'findOwner'> {
  readonly host: Host;
  readonly accounts: readonly GatewayAccount[];
  readonly openAdapter: (account: GatewayAccount) => Promise<AdapterHandle>;
  readonly redeem: (account: AccountRef, event: KeptEvent) => Promise<boolean>;
  /** What a session of a chat is opened with, besides what every one has. */
  readonly sessionOptions: (session: Session, route: Route | undefined) => Promise<Partial<SessionOptions>>;
  readonly commands: Readonly<Record<string, GatewayCommand>>;
  /** Each service gets the list of commands as its menu, once it is connected. */
  readonly hasMenus?: true;
  readonly blobs: Blobs;
  /** The profile's folder. */
  readonly root: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly log: WriteLog;
  readonly linkTimes?: LinkTimes;
  /** Tells hooks what happens; they change nothing. */
  readonly emit: EmitGatewayHook;
  readonly onEvent?: ConversationsDeps['onEvent'];
  /** Called when nothing happens any more. */
  readonly onClosed?: () => Promise<void>;
  readonly onLinkChange?: (account: AccountRef, state: LinkState) => void;
}

/** Chats whose messages are handled at once, and deliveries that are on their way at once. */
const MAX_ARRIVALS = 32;
const MAX_DELIVERIES = 64;
const MAX_CRASHES = 3;
/** How long a gateway that closes waits for what is being sent. */
const CLOSE_MS = 10_000;
const PUBLISH_MS = 60_000;

export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const links: GatewayLink[] = [];
  const core = createCore(options, links);
  let hintArrivals = (): void => {};
  const own = { ...createOwnCommands({ store: options.host.store, ...core }), ...options.commands };
  const listCommands = async (): Promise<readonly MenuCommand[]> => {
    const rows = [...(await options.host.commands.list('chat')).filter(({ name }) => !(name in own)), ...Object.entries(own).map(toNamed)];
    return rows.map(({ name, summary }) => ({ name, summary }));
  };
  const open = (config: GatewayAccount): GatewayLink =>
    openAccount(config, options, { core, hintArrivals: () => hintArrivals(), listCommands });
  for (const config of options.accounts) links.push(open(config));
  // Not before there is an account for each row.
  const loops = startLoops(options, core, own);
  hintArrivals = loops.arrivals.hint;
  const stop = new AbortController();
  const following = Promise.all([
    keepFollowing(() => followChanges(options, core, loops, stop.signal), options, stop.signal),
    keepFollowing(() => followPosts(options, core, stop.signal), options, stop.signal),
  ]);
  // What was cut off, and what waits since before this start.
  for (const { session } of await options.host.store.pending()) if (await isOurs(options, session.id)) core.conversations.wake(session.id);
  return {
    get accounts() {
      return links.map(({ account: { ref }, link, isPaused }) => ({ ref, state: link.state(), isPaused }));
    },
    get running() {
      return core.conversations.running;
    },
    wake: core.conversations.wake,
    deliver: (planned) => options.host.store.gateway.plan(planned),
    setPaused: async (ref, isPaused) => {
      const at = links.findIndex(({ account }) => isSameAccount(account.ref, ref));
      const found = links[at];
      if (found === undefined) return false;
      if (isPaused && !found.isPaused) await pauseAccount(links, at, found);
      if (!isPaused && found.isPaused) links[at] = open(found.account.config);
      return true;
    },
    listCommands,
    sweep: async (policy, signal) => {
      const { host, clock, log } = options;
      await sweepBlobs(host.store.gateway, options.blobs);
      await sweepChats({ ...policy, store: host.store, conversations: core.conversations, now: clock.now, log }, signal);
    },
    drain: async (ms) => {
      await waitAtMost(loops.arrivals.drain(), ms);
      await waitAtMost(core.conversations.idle(), ms);
    },
    [Symbol.asyncDispose]: async () => {
      await loops.arrivals[Symbol.asyncDispose]();
      await core.conversations[Symbol.asyncDispose]();
      // What the last turns said goes out if it can; the rest is in the store.
      await waitAtMost(loops.deliveries.drain(), CLOSE_MS);
      await loops.deliveries[Symbol.asyncDispose]();
      await Promise.all(links.map(({ link }) => link[Symbol.asyncDispose]()));
      stop.abort();
      await following;
      await options.onClosed?.();
    },
  };
}

const toNamed = ([name, { summary }]: readonly [string, GatewayCommand]): MenuCommand => ({ name, summary });

interface GatewayLink {
  readonly account: RunningAccount;
  readonly link: PlatformLink;
  readonly isPaused: boolean;
}
async function pauseAccount(links: GatewayLink[], at: number, found: GatewayLink): Promise<void> {
  links[at] = { ...found, isPaused: true };
  await found.link[Symbol.asyncDispose]();
}
type GatewayCore = ReturnType<typeof createCore>;
type GatewayLoops = ReturnType<typeof startLoops>;

/** What all work stands on. */
function createCore(options: GatewayOptions, links: readonly GatewayLink[]) {
  const { clock, log, onEvent, approvals, findOwner, blobs } = options;
  const { store } = options.host;
  const rates = createRates(clock.now);
  const hookEvents = createHookEvents(options.emit);
  const findAccount = (ref: AccountRef): RunningAccount | undefined =>
    links.find(({ account }) => isSameAccount(account.ref, ref))?.account;
  const conversations: Conversations = createConversations({
    store,
    openSession: (session) => openChatSession(session, options, { conversations, ask: questions.ask, planAnswer, deliver }),
    findAccount,
    rates,
    clock,
    log,
    onEvent: (event, context) => {
      hookEvents.onEvent(event, context);
      onEvent?.(event, context);
    },
  });
  const deliver = createDeliverPort({ store, accounts: options.accounts, root: options.root, clock, blobs }, () =>
    links.map(({ account }) => account),
  );
  const questions = createQuestions({ store: store.gateway, findAccount, approvals, findOwner, wake: conversations.wake });
  const planAnswer = createAnswerPlanner({ store: store.gateway, findAccount, pauseView: conversations.pauseView, blobs });
  return {
    conversations,
    questions,
    rates,
    hookEvents,
    findAccount,
    authorise: createAuthoriser(store.gateway),
    move: createMove(store.gateway),
  };
}

interface ChatSessionDeps extends Pick<Questions, 'ask'> {
  readonly conversations: Conversations;
  readonly planAnswer: PlanAnswer;
  readonly deliver: DeliverFrom;
}

/** A session as every chat has it. What it says without being asked goes to the chat that leads to it. */
async function openChatSession(
  session: Session,
  options: GatewayOptions,
  { conversations, ask, planAnswer, deliver }: ChatSessionDeps,
): Promise<SessionHandle> {
  const { host } = options;
  const { route, home } = await findHome(session.id, host.store);
  const address = (): ReplyAddress | undefined => conversations.addressOf(session.id) ?? home;
  return host.openSession({
    ...(await options.sessionOptions(session, route)),
    session,
    planAnswer,
    maxCrashes: MAX_CRASHES,
    ...(home !== undefined && { replyTo: writeAddress(home) }),
    ports: {
      clarify: async (question, signal) => {
        const asked = address();
        if (asked === undefined) throw new Error('Nobody can be asked here.');
        return conversations.whileAsking(() => ask(question, asked, signal));
      },
      deliver: (request, signal) => deliver(request, { sessionId: session.id, address: address() }, signal),
    },
  });
}

/** The chat that leads to a session; for one that works in the background, the chat it was begun in. */
async function findHome(sessionId: string, store: SessionStore): Promise<{ readonly route?: Route; readonly home?: ReplyAddress }> {
  const [route] = await store.gateway.routes({ sessionId, limit: 1 });
  if (route !== undefined) {
    const role = route.facts['owner'] === true ? 'owner' : 'guest';
    return { route, home: { routeKey: route.key, target: route.target, senderId: '', role } };
  }
  const [first] = await store.inbox(sessionId);
  const home = readAddress(first?.replyTo);
  const begunIn = home && (await store.gateway.route(home.routeKey));
  return { ...(begunIn !== undefined && { route: begunIn }), ...(home !== undefined && { home }) };
}

function startLoops(options: GatewayOptions, core: GatewayCore, own: DispatchDeps['own']) {
  const { host, accounts, owner, clock, log, blobs } = options;
  const { store } = host;
  const shared = { store: store.gateway, owner, accounts, leaseMs: LEASE_MS, clock, log };
  const dispatch: DispatchDeps = {
    ...options,
    ...core,
    store,
    authorise: ({ config }, event) => core.authorise(config, event, 'again'),
    own,
    move: ({ platform, account, event }) => core.move({ platform, account, ...event.chat }, event.to),
  };
  return {
    arrivals: startWorkLoop({
      ...shared,
      kind: 'arrival',
      maxAtOnce: MAX_ARRIVALS,
      handle: (row, signal) => handleArrival(row, dispatch, signal),
    }),
    deliveries: startWorkLoop({
      ...shared,
      kind: 'delivery',
      maxAtOnce: MAX_DELIVERIES,
      handle: (row, signal) => sendDelivery(row, { ...core, store: store.gateway, blobs, clock, log }, signal),
    }),
  };
}

/** A store that gives an error for a moment is listened to again. */
async function keepFollowing(follow: () => Promise<void>, { clock, log }: GatewayOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await follow().catch((error: unknown) => log(`the store gave an error, and is listened to again: ${toErrorMessage(error)}`));
    await clock.sleep(FOLLOW_AGAIN_MS, signal);
  }
}
const FOLLOW_AGAIN_MS = 1_000;

async function followChanges(
  { host }: GatewayOptions,
  { hookEvents }: GatewayCore,
  { arrivals, deliveries }: GatewayLoops,
  signal: AbortSignal,
): Promise<void> {
  for await (const change of host.store.changes(signal)) {
    if (change.type === 'ended') {
      const [route] = await host.store.gateway.routes({ sessionId: change.sessionId, limit: 1 });
      hookEvents.ended(change.sessionId, change.reason, route);
    }
    if (change.type === 'any' || (change.type === 'work' && change.kind === 'arrival')) arrivals.hint();
    if (change.type === 'any' || (change.type === 'work' && change.kind === 'delivery')) deliveries.hint();
  }
}

/** A process in the background has ended, or an answer came late: its session goes on. */
async function followPosts(options: GatewayOptions, { conversations }: GatewayCore, signal: AbortSignal): Promise<void> {
  for await (const { sessionId } of options.host.posted(signal)) if (await isOurs(options, sessionId)) conversations.wake(sessionId);
}
/** A chat's session, or one that was begun here and belongs to no chat: in the background, at the start. */
async function isOurs({ host: { store } }: GatewayOptions, sessionId: string): Promise<boolean> {
  if ((await store.gateway.routes({ sessionId, limit: 1 })).length > 0) return true;
  return (await store.find(sessionId)).some(({ id, source }) => id === sessionId && OWN_SOURCES.has(source));
}
/** What sessions of a gateway say who opened them. */
const OWN_SOURCES: ReadonlySet<string> = new Set(['background', 'hook']);

interface AccountDeps extends Pick<Gateway, 'listCommands'> {
  readonly core: GatewayCore;
  readonly hintArrivals: () => void;
}

function openAccount(config: GatewayAccount, options: GatewayOptions, { core, hintArrivals, listCommands }: AccountDeps): GatewayLink {
  const { host, clock, log, redeem, linkTimes, onLinkChange } = options;
  const ref = { platform: config.platform, account: config.account };
  const store = host.store.gateway;
  const intake = createIntake({ store, authorise: (_account, event) => core.authorise(config, event, 'first'), redeem, now: clock.now });
  // Never in the way of connecting, and once for each start: only an update changes it.
  const publish = lazy(async () => link.publishCommands(await listCommands(), AbortSignal.timeout(PUBLISH_MS)));
  const link = openLink({
    account: ref,
    openAdapter: () => options.openAdapter(config),
    receive: async (batch) => {
      if ((await intake(ref, batch)) > 0) hintArrivals();
    },
    cursors: () => store.cursors(ref),
    log,
    ...(linkTimes !== undefined && { times: linkTimes }),
    onChange: (state) => {
      if (options.hasMenus === true && state.type === 'connected') void publish();
      // What chats there are changes seldom; a store that is closing needs no list.
      if (state.type === 'connected') void refreshDirectory([account], host.store).catch(() => undefined);
      onLinkChange?.(ref, state);
    },
  });
  const account: RunningAccount = { ref, kind: config.kind, config, sender: link };
  return { link, isPaused: false, account };
}
