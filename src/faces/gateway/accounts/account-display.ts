import type { Env } from '../../../base/env.ts';
import type { commandSettings } from '../../../commands/settings.ts';
import type { PlatformKind } from '../../../contracts/platform-adapter.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import type { gatewaySettings } from '../settings.ts';
import { createTableReader, type TableReader } from './table-reader.ts';

/** How an account shows what the agent does. */
export interface AccountDisplay {
  readonly toolProgress: ToolProgress;
  readonly streaming: false | StreamingDisplay;
  readonly typing: boolean;
  readonly reactions: boolean;
  /** Which messages of an answer point to the one they answer. */
  readonly replyTo: 'off' | 'first' | 'all';
  readonly busyInput: BusyInput;
}
export interface StreamingDisplay {
  readonly intervalMs: number;
  readonly threshold: number;
  readonly cursor: string;
}
type ToolProgress = 'off' | 'new' | 'all' | 'verbose';
type BusyInput = 'steer' | 'queue' | 'interrupt';
export type AccountDisplaySettings = Pick<SliceValues<typeof gatewaySettings>, StreamingKey | 'display.platforms'> &
  Pick<SliceValues<typeof commandSettings>, 'display.busy_input_mode'>;
type StreamingKey = 'streaming.enabled' | 'streaming.edit_interval' | 'streaming.buffer_threshold' | 'streaming.cursor';

/** Where lines about tools are in place; elsewhere they are noise in a conversation. */
const TOOL_PROGRESS: Readonly<Record<string, ToolProgress>> = {
  discord: 'all',
  mattermost: 'new',
  matrix: 'new',
  feishu: 'new',
  whatsapp: 'new',
};
/** A reaction there sends a notification of its own. */
const NO_REACTIONS: ReadonlySet<string> = new Set(['telegram']);
/** A mail is answered by a mail: it waits for its turn. */
const BUSY_INPUT: Readonly<Record<string, BusyInput>> = { email: 'queue' };
const REPLY_TO: readonly AccountDisplay['replyTo'][] = ['off', 'first', 'all'];
const BUSY: readonly BusyInput[] = ['steer', 'queue', 'interrupt'];

/** `display.platforms.PLATFORM` wins over what holds for all; what a service cannot do is off. */
export function readAccountDisplay(
  { id, traits }: Pick<PlatformKind, 'id' | 'traits'>,
  read: TableReader,
  { settings, env }: { readonly settings: AccountDisplaySettings; readonly env: Env },
  tell: (problem: string) => void,
): AccountDisplay {
  const own = createTableReader(settings['display.platforms'], 'display.platforms', tell).below(id);
  own.refuseOthers(['tool_progress', 'streaming', 'busy_input_mode']);
  const streams = traits.canEdit && (own.flag('streaming') ?? settings['streaming.enabled']);
  const said = env['HERMES_GATEWAY_BUSY_INPUT_MODE']?.trim();
  return {
    toolProgress: own.choice('tool_progress', ['off', 'new', 'all', 'verbose'] as const) ?? TOOL_PROGRESS[id] ?? 'off',
    streaming: streams && {
      intervalMs: settings['streaming.edit_interval'] * 1_000,
      threshold: settings['streaming.buffer_threshold'],
      cursor: settings['streaming.cursor'],
    },
    typing: traits.canType && (read.flag('typing_indicator') ?? true),
    reactions: traits.canReact && (read.flag('reactions') ?? !NO_REACTIONS.has(id)),
    replyTo: read.below('extra').choice('reply_to_mode', REPLY_TO) ?? read.choice('reply_to_mode', REPLY_TO) ?? 'first',
    busyInput:
      BUSY.find((mode) => mode === said) ?? own.choice('busy_input_mode', BUSY) ?? BUSY_INPUT[id] ?? settings['display.busy_input_mode'],
  };
}
