import { isObject } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { DEFAULT_PROFILE } from '../../../../base/profile.ts';
import type { MemoryScope } from '../../../../contracts/memory-provider.ts';
import type { RemoteMemory } from '../connection.ts';
import { toCount, toText } from '../own-file.ts';
import { toPersonId, toPlainId, type PersonScope } from '../person.ts';

/** The public API of Honcho, v3. */
export const HONCHO: RemoteMemory = {
  name: 'honcho',
  label: 'Honcho',
  keyVariable: 'HONCHO_API_KEY',
  urlVariable: 'HONCHO_BASE_URL',
  urlField: 'baseUrl',
  publicUrl: 'https://api.honcho.dev',
  keysAt: 'https://app.honcho.dev',
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
};

export const RECALL_MODES = ['hybrid', 'context', 'tools'] as const;
export type RecallMode = (typeof RECALL_MODES)[number];
export const REASONING_LEVELS = ['minimal', 'low', 'medium', 'high', 'max'] as const;

/** What `honcho.json` says, with every default filled in. */
export interface HonchoSettings {
  readonly enabled: boolean;
  readonly workspace: string;
  /** What the owner is called there. */
  readonly peerName: string;
  readonly aiPeer: string;
  readonly recallMode: RecallMode;
  readonly reasoningLevel: string;
  /** Tokens of one recall. */
  readonly contextTokens: number;
  /** Characters of an answer of `honcho_reasoning`. */
  readonly dialecticMaxChars: number;
  /** Sessions that go on under one name, by the place they are held in. */
  readonly sessions: Readonly<Record<string, string>>;
}

/** The file of the Python program has a block for each host; what such a block says wins over what stands beside it. */
export function pickHostValues(values: JsonObject, profile: string): JsonObject {
  const host = profile === DEFAULT_PROFILE ? 'hermes' : `hermes_${profile}`;
  const block = isObject(values['hosts']) ? values['hosts'][host] : undefined;
  return isObject(block) ? { ...values, ...block } : values;
}

export function toHonchoSettings(values: JsonObject): HonchoSettings {
  const mode = toText(values['recallMode']);
  const level = toText(values['dialecticReasoningLevel']);
  return {
    enabled: values['enabled'] !== false,
    workspace: toId(values['workspace']) ?? 'hermes',
    peerName: toId(values['peerName']) ?? 'owner',
    aiPeer: toId(values['aiPeer']) ?? 'hermes',
    recallMode: RECALL_MODES.find((each) => each === mode) ?? 'hybrid',
    reasoningLevel: REASONING_LEVELS.find((each) => each === level) ?? 'low',
    contextTokens: toCount(values['contextTokens'], 1_500, 50_000),
    dialecticMaxChars: toCount(values['dialecticMaxChars'], 1_200, 20_000),
    sessions: readSessions(values['sessions']),
  };
}
const toId = (value: Json | undefined): string | undefined => {
  const id = toPlainId(toText(value) ?? '');
  return id === '' ? undefined : id;
};
const readSessions = (value: Json | undefined): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).flatMap(([place, name]) => (typeof name === 'string' ? [[place, name]] : [])))
    : {};

/** Who is who in a scope: each person has a peer, and an assistant's peer of their own, so that nothing said to one is known of another. */
export interface HonchoNames {
  readonly peer: string;
  readonly ai: string;
  readonly session: string;
}
export function toHonchoNames(settings: HonchoSettings, scope: PersonScope): HonchoNames {
  const peer = toPersonId(scope, settings.peerName);
  const isOwner = peer === settings.peerName;
  const mapped = isOwner ? settings.sessions[toPlace(scope)] : undefined;
  return { peer, ai: isOwner ? settings.aiPeer : `${settings.aiPeer}-${peer}`, session: toPlainId(mapped ?? `hermes-${scope.sessionId}`) };
}

/** A place by which sessions are mapped: `cli`, or `telegram:CHAT`. */
export const toPlace = ({ platform, chatId }: Pick<MemoryScope, 'platform' | 'chatId'>): string =>
  chatId === undefined ? platform : `${platform}:${chatId}`;
