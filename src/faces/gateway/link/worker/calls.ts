import type {
  AccountSettings,
  AdapterOptions,
  ConnectionEnd,
  ConnectOptions,
  EventBatch,
  InboundAnswer,
  InboundRequest,
  InboundRoute,
  PlatformIdentity,
  PostRequest,
  PostResult,
} from '../../../../contracts/platform-adapter.ts';
import type { PluginStart } from '../../../../contracts/plugin-manifest.ts';
import type { SendingCalls } from '../contract.ts';

/** What a worker is started with. */
export interface WorkerStart {
  readonly platform: string;
  readonly settings: AccountSettings;
  readonly folder?: string;
  /** The plugin that brings the platform, where one does. */
  readonly plugin?: PluginStart;
  /** What can be asked of the thread that started it. */
  readonly offers: readonly HostOffer[];
}
/** Of what an adapter may get, the calls. */
export type HostOffer = keyof Pick<AdapterOptions, 'listen' | 'records' | 'post'>;

type WithoutSignal<Args> = Args extends [...infer Rest, AbortSignal] ? Rest : never;
/** The sending half of an adapter: a call's arguments, and its signal apart. */
export type ForwardedCalls = {
  readonly [Name in keyof SendingCalls]: {
    readonly args: WithoutSignal<Parameters<SendingCalls[Name]>>;
    readonly result: Awaited<ReturnType<SendingCalls[Name]>>;
  };
};
/** How long ago something was received, by a thread's own clock: the clocks of two threads do not begin at the same time. */
export interface HeardAgo {
  readonly heardAgoMs: number;
}
export type ConnectReply =
  | ({ readonly type: 'connected'; readonly identity: PlatformIdentity } & HeardAgo)
  | ({ readonly type: 'failed' } & ConnectionEnd);

export type EventStream = 'catchUp' | 'events';
type Nothing = undefined | void;

/** What the worker answers. Connections are known by a number that the other side gives. */
export type WorkerCalls = ForwardedCalls & {
  readonly connect: {
    readonly args: { readonly id: number } & Omit<ConnectOptions, 'signal'>;
    readonly result: ConnectReply;
  };
  readonly abortConnection: { readonly args: number; readonly result: Nothing };
  /** The next batch; without one when there are no more. Only one is under way at a time. */
  readonly next: {
    readonly args: { readonly id: number; readonly stream: EventStream };
    readonly result: { readonly batch?: EventBatch } & HeardAgo;
  };
  readonly closeConnection: { readonly args: number; readonly result: Nothing };
  /** Whether it is there, and how that connection does. */
  readonly ping: { readonly args: number | undefined; readonly result: Partial<HeardAgo> };
  readonly answer: { readonly args: { readonly route: number; readonly request: InboundRequest }; readonly result: InboundAnswer };
  readonly dispose: { readonly args: undefined; readonly result: Nothing };
};

/** What the thread that started it answers. */
export type HostCalls = {
  /** The adapter is there, with these of the calls that an adapter may lack. */
  readonly ready: { readonly args: readonly (keyof SendingCalls)[]; readonly result: Nothing };
  readonly log: { readonly args: string; readonly result: Nothing };
  readonly ended: { readonly args: { readonly id: number; readonly end: ConnectionEnd }; readonly result: Nothing };
  readonly listen: {
    readonly args: Omit<InboundRoute, 'answer'> & { readonly route: number };
    readonly result: { readonly port: number };
  };
  readonly unlisten: { readonly args: number; readonly result: Nothing };
  readonly isKnown: { readonly args: string; readonly result: boolean };
  readonly count: { readonly args: { readonly what: string; readonly windowMs: number }; readonly result: number };
  readonly post: { readonly args: PostRequest; readonly result: PostResult };
};
