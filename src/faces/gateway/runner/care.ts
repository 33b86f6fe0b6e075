import { sweepBlobs, sweepChats } from '../chats/sweep.ts';
import { findWorkspaces } from '../chats/workspace.ts';
import { createReceivedPruner } from '../receive/prune-received.ts';
import type { Gateway, GatewayOptions } from './contract.ts';
import type { GatewayCore } from './core.ts';
import { wakeForgotten } from './follow.ts';

/** What is done now and then: messages that were forgotten are answered, sessions that nobody writes to end, and files that nobody needs any more go. */
export function createSweep(options: GatewayOptions, { conversations }: GatewayCore): Gateway['sweep'] {
  const { clock, log, blobs, root, resets, receivedLimits: limits } = options;
  const { store } = options.host;
  const pruneReceived = createReceivedPruner({ workspaces: findWorkspaces(root), store, limits, now: clock.now });
  return async (signal) => {
    await wakeForgotten(store, conversations);
    await sweepBlobs(store.gateway, blobs);
    await pruneReceived();
    await sweepChats({ ...resets, store, conversations, now: clock.now, log }, signal);
  };
}
