import type { RunOptions } from '../../../contracts/terminal.ts';
import type { ReachableServer, UnreachedHost, WallBlock, WallGrant } from '../../../contracts/wall.ts';
import type { SandboxLoopback } from '../loopback/loopback.ts';
import type { PathInside } from './inside-paths.ts';
import type { ShownFolder } from './mounts.ts';

/** Opens the network of one sandbox, with its first command. */
export type OpenSandboxNetwork = (options: SandboxNetworkOptions) => Promise<SandboxNetwork>;

export interface SandboxNetworkOptions {
  /** A folder of the host, and where commands find it: what listens there is reached from inside. */
  readonly sockets: FolderInside;
  /** A folder of the host, and where commands find it, read-only and first in their `PATH`: shims go there. */
  readonly bin: FolderInside;
  readonly loopback: SandboxLoopback;
  /** The folders commands may write to, the workspace first. */
  readonly writable: readonly string[];
  /** What of the home stays out of sight whatever names it. */
  readonly hidden: readonly string[];
  /** What stands at a path inside by now. */
  look(path: string): PathInside;
  /** What commands get without a network of ours. */
  readonly env: Readonly<Record<string, string>>;
}

export interface FolderInside {
  readonly here: string;
  readonly inside: string;
}

/** What lets commands of a sandbox talk to others: they reach nobody but through the ports of ours on their loopback. */
export interface SandboxNetwork {
  /** Variables commands get in addition. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of the host that commands see in addition, read-only. */
  readonly shown: readonly ShownFolder[];
  /** A command begins, in the foreground or the background. `pause` stops the clock of its time-out until it is called again with false. */
  begin(command: NetworkedCommand): CommandOnNetwork;
  /** What commands were turned away from so far has been told to those that run. */
  settle(): Promise<void>;
  /** What listens inside and is reached from out here, as of now. */
  reachable(): readonly ReachableServer[];
  /** The socket of this machine that stands, or would stand, at a path inside. */
  socketAt(inside: string): string | undefined;
  /** Lets one thing through until the terminal closes. */
  grant(grant: NetworkGrant): Promise<void>;
  close(): Promise<void>;
}
export type NetworkGrant = Extract<WallGrant, { readonly type: 'host' | 'port' | 'socket' }>;
export interface NetworkedCommand extends Pick<RunOptions, 'askHost'> {
  /** It outlives the call: what it listens on is reached from this machine's loopback while it runs. */
  readonly background?: true;
  pause(waiting: boolean): void;
}
export interface CommandOnNetwork {
  /** It is over: what it was turned away from. */
  end(): readonly WallBlock[];
  /** Whether it or anything beside it wanted connections and got none. */
  reachedNobody(): boolean;
  /** Hosts that did not answer so far. */
  unreached(): readonly UnreachedHost[];
}
