import { readPath, readStringAt } from '../../../base/json.ts';
import type { Delivery, GatewayStore } from '../../../contracts/gateway-store.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import { isWaitingForPerson } from '../../../contracts/turn.ts';
import type { ReplyAddress } from '../contract.ts';
import { closeCard, type CardDeps } from './cards.ts';

/**
 * Answers to questions that ask for no consent (the `clarify` tool), kept with the chat: a process that ends between the answer
 * and the result of the call leaves the answer to the process that comes after it.
 */
export interface OpenCardDeps extends CardDeps {
  readonly store: Pick<GatewayStore, 'plan' | 'deliveries' | 'route' | 'remember'>;
  readonly sessions: Pick<SessionStore, 'turn'>;
}

const ANSWERS = 'answers';
/** More than one call can ask. */
const MAX_KEPT = 20;

type KeptAnswer = { readonly token: string; readonly words: string };

export async function keepAnswer(token: string, words: string, { routeKey }: ReplyAddress, { store }: OpenCardDeps): Promise<void> {
  const before = (await listKept(routeKey, store)).filter((kept) => kept.token !== token);
  await store.remember(routeKey, { [ANSWERS]: [...before, { token, words }].slice(-MAX_KEPT) });
}

export const readKeptAnswer = async (token: string, { routeKey }: ReplyAddress, { store }: OpenCardDeps): Promise<string | undefined> =>
  (await listKept(routeKey, store)).find((kept) => kept.token === token)?.words;

async function listKept(routeKey: string, store: OpenCardDeps['store']): Promise<readonly KeptAnswer[]> {
  const kept = readPath((await store.route(routeKey))?.facts, ANSWERS);
  return (Array.isArray(kept) ? kept : []).flatMap((each) => {
    const [token, words] = [readStringAt(each, 'token'), readStringAt(each, 'words')];
    return token === undefined || words === undefined ? [] : [{ token, words }];
  });
}

/** The card of a question that a turn of this session waits with, whichever process asked it. */
export async function findOpenCard(sessionId: string, deps: OpenCardDeps): Promise<Delivery | undefined> {
  if (!isWaitingForPerson(await deps.sessions.turn(sessionId))) return undefined;
  for (const card of (await deps.store.deliveries({ sessionId })).toReversed()) if (await isOpenCard(card, deps)) return card;
  return undefined;
}

/** The card by its question, while nothing has answered it. */
export async function readOpenCard(token: string, deps: OpenCardDeps): Promise<Delivery | undefined> {
  const [card] = await deps.store.deliveries({ key: `question:${token}` });
  return card !== undefined && (await isOpenCard(card, deps)) ? card : undefined;
}

async function isOpenCard({ content }: Delivery, { store }: OpenCardDeps): Promise<boolean> {
  if (content.type !== 'card' || !content.questionId.startsWith('ask-')) return false;
  return (await store.deliveries({ key: `answered:${content.questionId}` })).length === 0;
}

/** The call finds this when it asks again. */
export async function answerOpenCard({ content }: Delivery, words: string, address: ReplyAddress, deps: OpenCardDeps): Promise<void> {
  if (content.type !== 'card') return;
  await keepAnswer(content.questionId, words, address, deps);
  await closeCard(content.questionId, words, deps);
}
