import { readNumberAt, readPath, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { TelegramMediaKind } from './files.ts';
import type { TelegramChat, TelegramMessageState, TelegramVersion } from './model.ts';
import type { TelegramUpdateRecord } from './updates.ts';
import type { TelegramPress, TelegramWorld } from './world.ts';

/** One request of a bot, as it came, and what became of it. */
export interface TelegramRequestRecord {
  readonly index: number;
  readonly at: number;
  readonly token: string;
  /** As the client wrote it; `download` for a file. */
  readonly method: string;
  readonly params: JsonObject;
  readonly files: readonly string[];
  /** Whether it was carried out, told or not. A call that was refused was not. */
  performed: boolean;
  /** The status that went out; absent while it waits, and for good when nothing did. */
  status?: number;
  description?: string;
  /** The fault it met. */
  fault?: string;
}

/** A message as people in the chat see it now. */
export interface TelegramVisible {
  readonly id: number;
  readonly from: number;
  /** Or the caption. */
  readonly text: string;
  readonly topic?: number;
  readonly replyTo?: number;
  readonly media?: { readonly kind: TelegramMediaKind; readonly name?: string; readonly bytes: Uint8Array };
  readonly buttons?: readonly (readonly string[])[];
  readonly reactions?: readonly string[];
  /** The request that made it; none for a person's. */
  readonly request?: number;
  /** What stood there before and what came after, the newest last; absent when it was never changed. */
  readonly versions?: readonly TelegramVersion[];
}

/** What the server itself knows. Nothing here comes from a client's word. */
export class TelegramLog {
  readonly requests: TelegramRequestRecord[] = [];
  readonly #world: TelegramWorld;

  constructor(world: TelegramWorld) {
    this.#world = world;
  }

  /** In the order people read them; what was removed is gone. */
  visible(chat: TelegramChat): TelegramVisible[] {
    return this.#world
      .stateOf(chat)
      .messages.filter(({ deletedAt }) => deletedAt === undefined)
      .map((message) => this.#view(message));
  }

  /** Every message that ever stood there, also what was removed since. */
  all(chat: TelegramChat): (TelegramVisible & { readonly deletedAt?: number })[] {
    return this.#world
      .stateOf(chat)
      .messages.map((message) => ({ ...this.#view(message), ...(message.deletedAt !== undefined && { deletedAt: message.deletedAt }) }));
  }

  /** Of all bots, each bot's in order. */
  get updates(): readonly TelegramUpdateRecord[] {
    return [...this.#world.queues.values()].flatMap(({ records }) => records);
  }
  get presses(): readonly TelegramPress[] {
    return this.#world.presses;
  }
  actions(chat: TelegramChat): readonly { readonly action: string; readonly topic?: number }[] {
    return this.#world.stateOf(chat).actions;
  }

  #view({ id, from, body, versions, reactions }: TelegramMessageState): TelegramVisible {
    const topic = readNumberAt(body, 'message_thread_id');
    const replyTo = readNumberAt(body, 'reply_to_message', 'message_id');
    const shown = this.#world.files.shown(body);
    const rows = readPath(body, 'reply_markup', 'inline_keyboard');
    const request = versions[0]?.request;
    const given = [...reactions.values()].flat();
    return {
      id,
      from: from.id,
      text: versions.at(-1)?.text ?? '',
      ...(topic !== undefined && { topic }),
      ...(replyTo !== undefined && replyTo !== topic && { replyTo }),
      ...(shown && { media: mediaView(shown.kind, shown.file) }),
      ...(Array.isArray(rows) && { buttons: rows.map(wordsOf) }),
      ...(given.length > 0 && { reactions: given }),
      ...(request !== undefined && { request }),
      ...(versions.length > 1 && { versions }),
    };
  }
}

const mediaView = (
  kind: TelegramMediaKind,
  { name, bytes }: { readonly name?: string; readonly bytes: Uint8Array },
): NonNullable<TelegramVisible['media']> => ({ kind, ...(name !== undefined && { name }), bytes });

const wordsOf = (row: Json): string[] => (Array.isArray(row) ? row : []).map((button: Json) => readStringAt(button, 'text') ?? '');
