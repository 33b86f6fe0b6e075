import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../../../src/testing/seeded-random.ts';
import type { ChatStage, StageChat } from '../stages/contract.ts';

/** What a person can do to a gateway; `judge.ts` knows what must come of each. */
export type SaidKind =
  | 'do'
  | 'ask'
  | 'tell'
  | 'give'
  | 'read'
  /** Words that were changed afterwards; the new ones are a `tell` of their own. */
  | 'edited'
  /** Commands, and what answers a card. */
  | 'queue'
  | 'background'
  | 'aside'
  | 'stop'
  | 'new'
  | 'undo'
  | 'unknown'
  | 'approve'
  | 'yes'
  /** A pairing code of the owner's. */
  | 'code';

/** Something that was said to the gateway. */
export interface Said {
  readonly kind: SaidKind;
  readonly chat: StageChat;
  /** Stands in its answer, where it has one, and in nothing else. */
  readonly nonce: string;
  readonly at: number;
  readonly messageId: string;
  /** How many files came with it. */
  readonly files: number;
  readonly isEdit: boolean;
}

/** Somebody who writes in one chat. */
export interface Speaker {
  readonly chat: StageChat;
  nonce(): string;
  /** `NONCE` in the text stands for a new one. */
  say(kind: SaidKind, text: string, files?: number): Said;
  edit(said: Said, text: string): void;
}

export interface SpeakerOptions {
  readonly stage: ChatStage;
  readonly chat: StageChat;
  readonly said: Said[];
  /** `n3x7`: what every nonce of this chat in this round begins with. */
  readonly prefix: string;
}

export function createSpeaker({ stage, chat, said, prefix }: SpeakerOptions): Speaker {
  let turns = 0;
  const nonce = (): string => `${prefix}x${turns++}`;
  const note = (kind: SaidKind, own: string, messageId: string, files: number, isEdit = false): Said => {
    const one = { kind, chat, nonce: own, at: Date.now(), messageId, files, isEdit };
    said.push(one);
    return one;
  };
  return {
    chat,
    nonce,
    say: (kind, text, files = 0) => {
      const own = nonce();
      const attached = Array.from({ length: files }, (_, index) => ({
        name: `notes-${index}.txt`,
        bytes: Buffer.from(`notes ${own}-${index}`),
      }));
      return note(kind, own, stage.say(chat, { text: text.replace('NONCE', own), files: attached }), files);
    },
    edit: (before, text) => {
      const own = nonce();
      stage.edit(chat, before.messageId, text.replace('NONCE', own));
      note('tell', own, before.messageId, 0, true);
    },
  };
}

/** A few messages of one person that belong together. */
export type Story = (speaker: Speaker) => void | Promise<void>;

const PAUSE_MS = 250;
export const STORIES = {
  do: ({ say }) => void say('do', 'do NONCE'),
  tell: ({ say }) => void say('tell', 'tell NONCE'),
  slow: ({ say }) => void say('tell', 'tell NONCE slow'),
  full: ({ say }) => void say('tell', 'tell NONCE full'),
  ask: ({ say }) => void say('ask', 'ask NONCE'),
  file: ({ say }) => void say('read', 'read NONCE', 1),
  album: ({ say }) => void say('read', 'read NONCE', 3),
  give: ({ say }) => void say('give', 'give NONCE'),
  edit: async ({ say, edit }) => {
    const before = say('edited', 'tell NONCE');
    await sleep(PAUSE_MS);
    edit(before, 'tell NONCE');
  },
  queue: ({ say }) => {
    say('tell', 'tell NONCE slow');
    say('queue', '/queue tell NONCE');
  },
  background: ({ say }) => void say('background', '/background do NONCE'),
  aside: ({ say }) => void say('aside', '/btw tell NONCE slow'),
  stop: async ({ say }) => {
    say('tell', 'tell NONCE slow');
    await sleep(PAUSE_MS);
    say('stop', '/stop');
  },
  new: async ({ say }) => {
    say('tell', 'tell NONCE slow');
    say('tell', 'tell NONCE');
    await sleep(PAUSE_MS);
    say('new', '/new');
    say('tell', 'tell NONCE');
  },
  undo: async ({ say }) => {
    say('tell', 'tell NONCE');
    await sleep(PAUSE_MS);
    say('undo', '/undo');
    say('tell', 'tell NONCE');
  },
  unknown: ({ say }) => void say('unknown', '/zzNONCE'),
} satisfies Readonly<Record<string, Story>>;
export type StoryName = keyof typeof STORIES;

/** What two people say in a round of which every moment is found: one list each. Short, so that each moment can be met. */
export const SCRIPTS = {
  words: [['do', 'tell'], ['do']],
  consent: [['ask'], ['ask']],
  files: [['file', 'give'], ['album']],
  edits: [['edit'], ['slow']],
  tidying: [['full', 'full'], ['unknown']],
  queues: [['queue'], ['background']],
  undo: [['tell', 'undo'], ['stop']],
  new: [['new'], ['tell']],
  pairing: [[], ['tell']],
  // What goes past what takes long.
  passing: [
    ['tell', 'aside', 'tell'],
    ['album', 'stop'],
  ],
} satisfies Readonly<Record<string, readonly [readonly StoryName[], readonly StoryName[]]>>;
export type ScriptName = keyof typeof SCRIPTS;

/** How likely each story is under random kills. Chats are of kinds: what one story leaves behind must not be another's fault. */
const COMMON = {
  do: 40,
  tell: 15,
  slow: 10,
  ask: 8,
  file: 8,
  album: 5,
  give: 6,
  edit: 4,
  queue: 4,
  background: 4,
  aside: 4,
  unknown: 2,
} as const;
const CHAT_KINDS: readonly Readonly<Partial<Record<StoryName, number>>>[] = [
  COMMON,
  COMMON,
  { full: 1 },
  COMMON,
  { stop: 2, do: 1, tell: 1 },
  COMMON,
  { new: 1, do: 1, tell: 1 },
  COMMON,
  { undo: 1, tell: 1 },
  COMMON,
];
export function pickStory(chance: SeededRandom, chatIndex: number): StoryName {
  const weights = CHAT_KINDS[chatIndex % CHAT_KINDS.length] ?? COMMON;
  return chance.weighed(weights as Readonly<Record<StoryName, number>>);
}

/** How somebody answers cards, always in the same way: a late answer of one card may meet the next. */
export const VERDICTS = ['press', '/approve', 'yes', 'refuse', '/deny'] as const;
export type Verdict = (typeof VERDICTS)[number];
export const verdictOf = (chatIndex: number): Verdict => VERDICTS[chatIndex % VERDICTS.length] ?? 'press';
export const isConsent = (verdict: Verdict): boolean => verdict !== 'refuse' && verdict !== '/deny';

/**
 * Words and commands are said once. A press is kept by Telegram; elsewhere nobody hears it while the gateway is away, and the
 * person presses again.
 */
const againMs = (verdict: Verdict, { platform }: ChatStage): number => {
  return (verdict === 'press' || verdict === 'refuse') && platform !== 'telegram' ? 3_000 : Infinity;
};

/** Answers the cards of all chats, as long as it is not disposed. */
export function answerCards(stage: ChatStage, speakers: ReadonlyMap<StageChat, Speaker>): Disposable {
  const answered = new Map<string, number>();
  const timer = setInterval(() => {
    for (const [index, chat] of stage.chats.entries())
      for (const { id, hasButtons } of stage.ours(chat)) {
        const [name, verdict] = [`${chat.account} ${chat.chatId} ${id}`, verdictOf(index)];
        if (!hasButtons || Date.now() - (answered.get(name) ?? -Infinity) < againMs(verdict, stage)) continue;
        answered.set(name, Date.now());
        if (verdict === 'press' || verdict === 'refuse') stage.press(chat, id, verdict === 'press' ? 0 : 1);
        else speakers.get(chat)?.say(verdict === 'yes' ? 'yes' : 'approve', verdict);
      }
  }, 200);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
