import type { GatewayStore, NewDelivery } from '../../../contracts/gateway-store.ts';
import type { UserQuestion } from '../../../contracts/ports.ts';
import type { FindAccount } from '../accounts/account.ts';
import type { ReplyAddress } from '../contract.ts';

/** The value of a button: which question, and which of its choices. */
const buttonValue = (token: string, index: number): string => `q:${token}:${index}`;
export interface PressedChoice {
  readonly token: string;
  readonly index: number;
}
export function readButton(value: string): PressedChoice | undefined {
  const [, token, index] = /^q:([^:]+):(\d+)$/.exec(value) ?? [];
  return token === undefined || index === undefined ? undefined : { token, index: Number(index) };
}

/** A question as a chat gets it: what is asked, what would be done, and a button for each choice. */
export interface CardPlace {
  /** Where it is asked, and who wants it done. */
  readonly address: ReplyAddress;
  readonly asker: ReplyAddress;
  readonly hasButtons: boolean;
}
export function toCard(token: string, question: UserQuestion, { address, asker, hasButtons }: CardPlace): NewDelivery {
  const { act, notes = [], choices } = question;
  const markdown = [
    question.question,
    ...(act === undefined ? [] : [toCodeBlock(act)]),
    ...(asker.routeKey === address.routeKey ? [] : [`- Asked for by somebody else: user ${asker.senderId} on ${asker.target.platform}.`]),
    // Folders of this machine are nobody’s business in a chat.
    ...notes.filter((note) => !note.startsWith('In /')).map((note) => `- ${note}`),
    ...(choices.length === 0 ? [] : [hasButtons ? describePress(question) : describeTypedAnswer(question)]),
  ].join('\n\n');
  const look = (index: number) =>
    act === undefined ? {} : index === 0 ? { look: 'good' as const } : index === 1 ? { look: 'bad' as const } : {};
  const buttons = choices.map((label, index) => ({ label, value: buttonValue(token, index), ...look(index) }));
  return {
    key: `question:${token}`,
    target: address.target,
    content: { type: 'card', markdown, questionId: token, buttons },
    ...(question.sessionId !== undefined && { sessionId: question.sessionId }),
    ...(address.messageId !== undefined && { replyTo: address.messageId }),
  };
}

/**
 * The card says what was answered and has no buttons any more, the one that was pressed as well: it may be there twice. Comes
 * before the answer is kept: a question that was answered is not found by its chat any more.
 */
export async function closeCard(token: string, words: string, { store, findAccount }: CardDeps, pressed?: string): Promise<void> {
  const key = `question:${token}`;
  const [card] = await store.deliveries({ key });
  if (card?.content.type !== 'card' || findAccount(card.target)?.kind.traits.canEdit === false) return;
  const { target, content, parts } = card;
  const [question = ''] = content.markdown.split(BEHIND_QUESTION);
  const closed = { type: 'edit', markdown: `${question}\n\n**${words}**`, buttons: [] } as const;
  const isOther = pressed !== undefined && pressed !== parts?.at(-1)?.messageId;
  await store.plan([
    { key: `answered:${token}`, target, content: { ...closed, of: key } },
    ...(isOther ? [{ key: `answered:${token}:${pressed}`, target, content: { ...closed, messageId: pressed } }] : []),
  ]);
}
export interface CardDeps {
  readonly store: Pick<GatewayStore, 'plan' | 'deliveries'>;
  readonly findAccount: FindAccount;
}
/** The act, what is noted about it, and how it is answered. */
const BEHIND_QUESTION = /\n\n(?:`{3}|- |_Press a button|Answer with )/;

/** What would run, to the letter: no words in it can close the block. */
function toCodeBlock(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const describePress = ({ act }: UserQuestion): string =>
  act === undefined ? '_Press a button, or type your answer._' : '_Press a button, or answer with_ `/approve` _or_ `/deny`_._';
/** Where nothing can be pressed. */
const describeTypedAnswer = ({ act, choices }: UserQuestion): string =>
  act === undefined ? `Answer with one of these: ${choices.join(', ')}` : 'Answer with `/approve` or `/deny`.';
