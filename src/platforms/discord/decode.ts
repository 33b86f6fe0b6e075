import { readPath, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { PlatformEvent } from '../../contracts/platform-adapter.ts';
import { isKnown, type ChannelBook, type KnownChannel } from './channels.ts';
import { readInteraction, readMessage, type DecodeContext } from './codec.ts';
import { readThreadPlan, type ThreadPlan } from './outbound.ts';
import type { DiscordSettings } from './settings.ts';

/** An event as Discord sends it. */
export interface RawDispatch {
  readonly type: string;
  readonly data: Json;
}

export interface DecodeOptions {
  readonly channels: ChannelBook;
  readonly settings: DiscordSettings;
  readonly signal: AbortSignal;
  /** A message is to be answered in a thread of its own. */
  readonly onThread: (id: string, plan: ThreadPlan) => void;
}

/** Reads events in order; throws when a place that an event does not describe cannot be asked for now. */
export async function decodeAll(events: readonly RawDispatch[], options: DecodeOptions): Promise<PlatformEvent[]> {
  const decoded: PlatformEvent[] = [];
  for (const event of events) {
    const found = await decode(event, options);
    if (found !== undefined) decoded.push(found);
  }
  return decoded;
}

async function decode({ type, data }: RawDispatch, options: DecodeOptions): Promise<PlatformEvent | undefined> {
  const { channels, settings } = options;
  const channel = await findChannel(data, options);
  if (channel === undefined) return undefined;
  const { selfId, ownRoles } = channels;
  const context: DecodeContext = { selfId, ownRoles, channel, gate: settings.listens, startsThreads: settings.startsThreads };
  if (type === 'INTERACTION_CREATE') return readInteraction(data, context);
  const message = readMessage(data, context, type === 'MESSAGE_UPDATE');
  const plan = readThreadPlan(message?.handle);
  if (message !== undefined && plan !== undefined) options.onThread(message.messageId, plan);
  return message;
}

/** Where an event happened; nothing for a place that is gone or closed to us. */
async function findChannel(data: Json, { channels, signal }: DecodeOptions): Promise<KnownChannel | undefined> {
  const told = readPath(data, 'channel');
  const id = readStringAt(data, 'channel_id') ?? '';
  const found = (told === undefined ? undefined : channels.add(told)) ?? (await channels.find(id, signal));
  if (isKnown(found)) return found;
  if (found.type === 'refused') return undefined;
  throw new Error('why' in found ? found.why : 'too many calls');
}
