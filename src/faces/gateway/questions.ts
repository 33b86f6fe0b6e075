import { toErrorMessage } from '../../base/errors.ts';
import { randomHex } from '../../base/ids.ts';
import type { GatewayStore, NewDelivery } from '../../contracts/gateway-store.ts';
import type { ButtonPress } from '../../contracts/platform-adapter.ts';
import type { UserQuestion } from '../../contracts/ports.ts';
import type { ApprovalService } from '../../contracts/services/owner.ts';
import { isSameAccount, type FindAccount, type ReplyAddress } from './contract.ts';

/**
 * Questions of the agent in chats: a card with buttons, or words. Each belongs to one chat and to the people who may answer it
 * there; a question for consent outlives the process that asked it, and is answered once.
 */
export interface Questions {
  /** Asks in the chat and waits for the answer. Asked again under the same id it shows no second card. */
  ask(question: UserQuestion, address: ReplyAddress, signal: AbortSignal): Promise<string>;
  /** Whether these words answer what was asked in the chat. */
  answerByWords(words: string, address: ReplyAddress): Promise<boolean>;
  /** Gives what the chat is told of it. */
  answerByPress(press: ButtonPress, address: ReplyAddress): Promise<readonly NewDelivery[]>;
  /** `/approve` and `/deny`: gives the words for the chat. */
  decide(verdict: 'approve' | 'deny', scope: string, address: ReplyAddress): Promise<string>;
}
export interface ChatQuestionsDeps {
  readonly store: Pick<GatewayStore, 'plan' | 'deliveries'>;
  readonly findAccount: FindAccount;
  readonly approvals: ApprovalService;
  /** Where an owner is asked about what somebody else wants done; nothing when no owner can be reached. */
  readonly findOwner: (address: ReplyAddress) => Promise<ReplyAddress | undefined>;
  /** Lets a session go on with an answer that came late. */
  readonly wake: (sessionId: string) => void;
}

interface PendingQuestion {
  readonly token: string;
  readonly question: UserQuestion;
  /** Where it is asked, and who wants it done. */
  readonly address: ReplyAddress;
  readonly asker: ReplyAddress;
  answer(words: string): void;
}

const YES = new Set(['approve', 'yes', 'ok', 'okay', 'confirm', 'y', '👍']);
const NO = new Set(['deny', 'no', 'reject', 'cancel', 'n', '👎']);

export function createQuestions(deps: ChatQuestionsDeps): Questions {
  const pending = new Map<string, PendingQuestion>();
  const inChat = ({ routeKey }: ReplyAddress): PendingQuestion[] =>
    [...pending.values()].filter(({ address }) => address.routeKey === routeKey);
  const mayAnswer = ({ question, address }: PendingQuestion, by: ReplyAddress): boolean =>
    by.role === 'owner' || (question.act === undefined && by.senderId === address.senderId);
  return {
    ask: async (question, address, signal) => {
      const asked = question.act === undefined || address.role === 'owner' ? address : await deps.findOwner(address);
      if (asked === undefined)
        throw new Error('No owner can be asked: set platforms.PLATFORM.owners, and write to the agent once as the owner.');
      const token = question.id ?? randomHex(8);
      const answered = Promise.withResolvers<string>();
      const leave = () => answered.reject(new Error('Nobody answered in time.'));
      signal.addEventListener('abort', leave, { once: true });
      pending.set(token, { token, question, address: asked, asker: address, answer: answered.resolve });
      try {
        await deps.store.plan([toCard(token, question, asked, address)]);
        const words = await answered.promise;
        await closeCard(token, question, words, asked, deps);
        return words;
      } finally {
        signal.removeEventListener('abort', leave);
        pending.delete(token);
      }
    },
    answerByWords: async (words, address) => {
      // A word in the owner's chat belongs to the owner's own conversation: what others want done takes a press or /approve.
      const mine = inChat(address).filter((each) => each.asker.routeKey === address.routeKey && mayAnswer(each, address));
      const [first] = mine;
      if (first === undefined) return false;
      const said = words.trim().toLowerCase();
      if (first.question.act !== undefined) {
        const verdict = YES.has(said)
          ? first.question.choices[0]
          : NO.has(said)
            ? first.question.choices[1]
            : first.question.choices.find((choice) => choice.toLowerCase() === said);
        if (verdict === undefined) return false;
        first.answer(verdict);
        return true;
      }
      first.answer(words);
      return true;
    },
    answerByPress: async (press, address) => pressed(press, address, pending, mayAnswer, deps),
    decide: async (verdict, scope, address) => {
      const [first] = inChat(address).filter((each) => each.question.act !== undefined);
      if (first === undefined) return decideStored(verdict, address, deps);
      if (!mayAnswer(first, address)) return 'Only the owner of this agent can answer this.';
      const { choices } = first.question;
      const wanted =
        verdict === 'deny'
          ? choices[1]
          : scope === ''
            ? choices[0]
            : (choices.find((choice) => choice.toLowerCase().includes(scope.toLowerCase())) ?? first.question.typedAnswer);
      first.answer(wanted ?? (verdict === 'deny' ? 'no' : 'yes'));
      return verdict === 'deny' ? 'Denied.' : 'Approved.';
    },
  };
}

/** The value of a button: which question, and which of its choices. */
const buttonValue = (token: string, index: number): string => `q:${token}:${index}`;
function readButton(value: string): { readonly token: string; readonly index: number } | undefined {
  const [, token, index] = /^q:([^:]+):(\d+)$/.exec(value) ?? [];
  return token === undefined || index === undefined ? undefined : { token, index: Number(index) };
}

function toCard(token: string, question: UserQuestion, address: ReplyAddress, asker: ReplyAddress): NewDelivery {
  const { act, notes = [], choices } = question;
  const markdown = [
    question.question,
    ...(act === undefined ? [] : [toCodeBlock(act)]),
    ...(asker.routeKey === address.routeKey ? [] : [`- Asked for by somebody else: user ${asker.senderId} on ${asker.target.platform}.`]),
    // Folders of this machine are nobody’s business in a chat.
    ...notes.filter((note) => !note.startsWith('In /')).map((note) => `- ${note}`),
    ...(choices.length === 0 ? [] : [HOW_TO_ANSWER]),
  ].join('\n\n');
  const look = (index: number) =>
    act === undefined ? {} : index === 0 ? { look: 'good' as const } : index === 1 ? { look: 'bad' as const } : {};
  const buttons = choices.map((label, index) => ({ label, value: buttonValue(token, index), ...look(index) }));
  return {
    key: `question:${token}`,
    target: address.target,
    content: { type: 'card', markdown, questionId: token, buttons },
    ...(address.messageId !== undefined && { replyTo: address.messageId }),
  };
}
/** The card says what was answered and has no buttons any more. */
async function closeCard(
  token: string,
  { question }: UserQuestion,
  words: string,
  { target }: ReplyAddress,
  { store }: ChatQuestionsDeps,
): Promise<void> {
  const [card] = await store.deliveries({ key: `question:${token}` });
  const messageId = card?.parts?.at(-1)?.messageId;
  if (messageId === undefined) return;
  const content = { type: 'edit', messageId, markdown: `${question}\n\n**${words}**`, buttons: [] } as const;
  await store.plan([{ key: `answered:${token}`, target, content }]);
}

/** What would run, to the letter: no words in it can close the block. */
function toCodeBlock(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const HOW_TO_ANSWER = '_Press a button, or answer with_ `/approve` _or_ `/deny`_._';

async function pressed(
  press: ButtonPress,
  address: ReplyAddress,
  pending: ReadonlyMap<string, PendingQuestion>,
  mayAnswer: (question: PendingQuestion, by: ReplyAddress) => boolean,
  deps: ChatQuestionsDeps,
): Promise<readonly NewDelivery[]> {
  const read = readButton(press.value);
  if (read === undefined) return [];
  const asked = pending.get(read.token);
  const closed = (words: string): NewDelivery => ({
    key: `pressed:${read.token}:${words}`,
    target: address.target,
    content: { type: 'edit', messageId: press.messageId, markdown: words, buttons: [] },
  });
  const acknowledge = (words: string) => {
    const account = deps.findAccount(address.target);
    if (press.handle !== undefined)
      void account?.sender.answerPress?.(press.handle, words, AbortSignal.timeout(5_000)).catch(() => undefined);
  };
  if (asked === undefined) {
    const words = await decideLate(read, address, deps, acknowledge);
    return words === undefined ? [] : [closed(words)];
  }
  if (asked.address.routeKey !== address.routeKey || !mayAnswer(asked, address)) {
    acknowledge('Only the owner of this agent can answer this.');
    return [];
  }
  const choice = asked.question.choices[read.index];
  if (choice === undefined) return [];
  acknowledge(choice);
  asked.answer(choice);
  // Whoever asked closes the card, however it was answered.
  return [];
}

/** Nobody waits for it here: the answer is kept, and the call that asked takes it when its turn goes on. */
async function decideLate(
  { token, index }: { readonly token: string; readonly index: number },
  { role }: ReplyAddress,
  deps: ChatQuestionsDeps,
  acknowledge: (words: string) => void,
): Promise<string | undefined> {
  if (role !== 'owner') {
    acknowledge('Only the owner of this agent can answer this.');
    return undefined;
  }
  const words = await keepVerdict(token, index === 1 ? 'denied' : 'allowed', deps);
  acknowledge(words);
  return words;
}

async function decideStored(verdict: 'approve' | 'deny', address: ReplyAddress, deps: ChatQuestionsDeps): Promise<string> {
  if (address.role !== 'owner') return 'Only the owner of this agent can answer this.';
  const open = (await deps.approvals.list()).filter(({ state }) => state === 'open');
  for (const { id } of open.toReversed()) {
    const [card] = await deps.store.deliveries({ key: `question:${id}` });
    if (card !== undefined && isSameAccount(card.target, address.target) && card.target.chatId === address.target.chatId)
      return keepVerdict(id, verdict === 'deny' ? 'denied' : 'allowed', deps);
  }
  return 'Nothing is waiting for your approval in this chat.';
}

async function keepVerdict(id: string, state: 'allowed' | 'denied', { approvals, wake }: ChatQuestionsDeps): Promise<string> {
  try {
    const decided = await approvals.decide(id, state);
    if (decided === undefined) return 'This question was answered already, or is no longer open.';
    if (decided.sessionId !== undefined) {
      if (state === 'allowed')
        await approvals.leave({
          sessionId: decided.sessionId,
          questionId: id,
          text: `I now allow, once, what you asked for before:\n${decided.summary}\nDo it exactly so if it still makes sense.`,
        });
      wake(decided.sessionId);
    }
    return state === 'allowed' ? 'Approved.' : 'Denied.';
  } catch (error) {
    return `Your answer could not be kept: ${toErrorMessage(error)}`;
  }
}
