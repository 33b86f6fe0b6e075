import type { Json } from '../../../base/json-types.ts';
import { isObject } from '../../../base/json.ts';
import type { Route } from '../../../contracts/gateway-store.ts';
import type { InboundTask } from '../../../contracts/platform-adapter.ts';
import type { ReplyAddress } from '../contract.ts';
import { readAddress, writeAddress } from './reply-address.ts';

const ADDRESS = 'task_address';
const TOOLSETS = 'task_toolsets';

/** What is remembered of the chat of a task: where all its results go, and what it may work with. */
export const rememberTask = ({ toolsets }: InboundTask, address: ReplyAddress): Readonly<Record<string, Json | null>> => ({
  [ADDRESS]: writeAddress(address),
  [TOOLSETS]: toolsets === undefined ? null : [...toolsets],
});

export const readTaskAddress = ({ facts }: Pick<Route, 'facts'>): ReplyAddress | undefined => {
  const kept = facts[ADDRESS];
  return isObject(kept) ? readAddress(kept) : undefined;
};
export const readTaskToolsets = ({ facts }: Pick<Route, 'facts'>): readonly string[] | undefined => {
  const kept = facts[TOOLSETS];
  return Array.isArray(kept) ? kept.map(String) : undefined;
};
