import type { SenderOrigin } from './entry.ts';
import type { Json, TextBlock, UserMessage } from './message.ts';
import type { Sampling } from './provider.ts';

/** A whole message on its way to a session. It comes back byte for byte: whose words each block holds is never lost or guessed. */
export interface NewInboxItem {
  readonly sessionId: string;
  /** Each block says whose words it holds: those of a group member or a webhook are `foreign` and name their source. */
  readonly content: UserMessage['content'];
  readonly mode: InboxMode;
  /** Who caused it; becomes the origin of the entry it opens. Absent: the user. */
  readonly origin?: SenderOrigin;
  /** What the face adds to this message alone, each text labelled by who wrote it. Wire-only. */
  readonly overlay?: readonly TextBlock[];
  /** What the message repeats of earlier ones, as mails do. It becomes part of the log; the model does not see it. */
  readonly quoted?: string;
  /** Where an answer goes. Only the face that posted it can read this; it is stored and given back as it came. */
  readonly replyTo?: Json;
  /** How the model is to choose its words in the turn that this message opens. */
  readonly sampling?: Sampling;
  /** When the sender sent it by the sender's own clock, in milliseconds since the epoch; `at` is when it arrived here. */
  readonly sentAt?: number;
  /** The sender's own id for it; posting it twice gives the first item back. */
  readonly key?: string;
  /** What already became of it. Such a message is kept for the record and never waits. */
  readonly fate?: MessageFate;
}
export type InboxMode = 'steer' | 'queue' | 'interrupt';
export interface InboxItem extends NewInboxItem {
  readonly id: string;
  readonly at: number;
  /** The turn that took it in; absent while it waits and for a fate outside a turn. */
  readonly turnId?: string;
}
/** What became of a message. Written once. */
export type MessageFate =
  /** It joined the running turn. */
  | 'steered'
  /** It opened a turn of its own. */
  | 'turn'
  /** It stopped the running turn and opened the next. */
  | 'interrupted'
  /** It was a command and was carried out; the model never saw it. */
  | 'command'
  /** Its sender may not speak here. */
  | 'refused'
  /** Its words went out as part of another message. */
  | 'merged'
  /** It waited too long to still be meant. */
  | 'expired'
  /** It was answered on another way (a press on a card, another chat). */
  | 'answered_elsewhere'
  /** Its sender took it back before a turn took it in. */
  | 'withdrawn';

/** Fates of a message that no turn took. */
export type DismissalFate = Exclude<MessageFate, 'steered' | 'turn' | 'interrupted'>;
