import type { Route } from '../../../contracts/gateway-store.ts';
import type { Host, PlanAnswer, SessionHandle, SessionOptions } from '../../../contracts/host.ts';
import type { Ports, UserQuestion } from '../../../contracts/ports.ts';
import type { Session, SessionStore } from '../../../contracts/session-store.ts';
import type { FindAccount } from '../accounts/account.ts';
import { readAddress, writeAddress } from '../addresses/reply-address.ts';
import { readTaskAddress } from '../addresses/task-facts.ts';
import type { ReplyAddress } from '../contract.ts';
import type { DeliverFrom } from '../send/sends.ts';
import type { Conversations } from './conversations.ts';

/** A turn that got no further between so many crashes is not tried again. */
const MAX_CRASHES = 3;

export interface ChatSessionDeps {
  readonly host: Host;
  /** What it is opened with, besides what every session of a chat has. */
  readonly sessionOptions: (session: Session, route: Route | undefined) => Promise<Partial<SessionOptions>>;
  readonly conversations: Pick<Conversations, 'addressOf' | 'whileAsking'>;
  readonly ask: (question: UserQuestion, address: ReplyAddress, signal: AbortSignal) => Promise<string>;
  readonly planAnswer: PlanAnswer;
  readonly deliver: DeliverFrom;
  readonly findAccount: FindAccount;
}

/** A session as every chat has it. What it says without being asked goes to the chat that leads to it. */
export async function openChatSession(session: Session, deps: ChatSessionDeps): Promise<SessionHandle> {
  const { host, conversations, ask, planAnswer, deliver } = deps;
  const { route, home } = await findHome(session.id, host.store);
  const address = (): ReplyAddress | undefined => conversations.addressOf(session.id) ?? home;
  const clarify: NonNullable<Ports['clarify']> = async (question, signal) => {
    const asked = address();
    if (asked === undefined) throw new Error('Nobody can be asked here.');
    return conversations.whileAsking(session.id, () => ask(question, asked, signal));
  };
  // What a program sent could ask the owner again and again, until one yes too many.
  const isMachine = route !== undefined && deps.findAccount(route.target)?.kind.traits.isMachine === true;
  return host.openSession({
    ...(await deps.sessionOptions(session, route)),
    session,
    planAnswer,
    maxCrashes: MAX_CRASHES,
    holdsOutages: true,
    ...(home !== undefined && { replyTo: writeAddress(home) }),
    ports: {
      ...(!isMachine && { clarify }),
      deliver: (request, signal) => deliver(request, { sessionId: session.id, address: address() }, signal),
    },
  });
}

/** The chat that leads to a session; for one that works in the background, the chat it was begun in. */
async function findHome(sessionId: string, store: SessionStore): Promise<{ readonly route?: Route; readonly home?: ReplyAddress }> {
  const [route] = await store.gateway.routes({ sessionId, limit: 1 });
  if (route !== undefined) {
    const role = route.facts['owner'] === true ? 'owner' : 'guest';
    return { route, home: readTaskAddress(route) ?? { routeKey: route.key, target: route.target, senderId: '', role } };
  }
  const [first] = await store.inbox(sessionId);
  const home = readAddress(first?.replyTo);
  const begunIn = home && (await store.gateway.route(home.routeKey));
  return { ...(begunIn !== undefined && { route: begunIn }), ...(home !== undefined && { home }) };
}
