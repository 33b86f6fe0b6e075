import { sweepBlobs, sweepChats } from '../chats/sweep.ts';
import { findWorkspaces } from '../chats/workspace.ts';
import { createReceivedPruner } from '../receive/prune-received.ts';
import type { Gateway, GatewayOptions } from './contract.ts';
import type { GatewayCore } from './core.ts';
import { wakeForgotten } from './follow.ts';

/** What is done now and then. Neither waits for the other: to end many sessions takes as long as their models take. */
export function createCare(options: GatewayOptions, { conversations }: GatewayCore): Pick<Gateway, 'tend' | 'sweep'> {
  const { clock, log, blobs, root, resets, receivedLimits: limits } = options;
  const { store } = options.host;
  const pruneReceived = createReceivedPruner({ workspaces: findWorkspaces(root), store, limits, now: clock.now });
  return {
    tend: async () => {
      await wakeForgotten(store, conversations);
      await sweepBlobs(store.gateway, blobs);
      await pruneReceived();
    },
    sweep: (signal) => sweepChats({ ...resets, store, conversations, now: clock.now, log }, signal),
  };
}
