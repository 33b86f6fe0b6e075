import type {
  AccountSettings,
  Cursor,
  ConnectionEnd,
  EventBatch,
  InboundAnswer,
  InboundRequest,
  InboundRoute,
  PlatformIdentity,
} from '../../../../contracts/platform-adapter.ts';
import type { Json } from '../../../../base/json-types.ts';
import type { SendingCalls } from '../contract.ts';

/** What a worker is started with. */
export interface WorkerStart {
  readonly platform: string;
  readonly settings: AccountSettings;
  /** Requests from outside can be listened to. */
  readonly listens: boolean;
}

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
    readonly args: { readonly id: number; readonly resume?: Json; readonly cursors: readonly Cursor[] };
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
    readonly args: Pick<InboundRoute, 'path' | 'maxBytes'> & { readonly route: number };
    readonly result: Nothing;
  };
  readonly unlisten: { readonly args: number; readonly result: Nothing };
};
