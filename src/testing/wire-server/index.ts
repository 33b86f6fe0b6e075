/** The surface for tests, ours and other people's. */
export { startWireServer, type WireServer, type WireServerOptions } from './server.ts';
export { faults, toEventStream, type Fault, type ModelFault, type ProviderFault, type StreamFault } from './faults.ts';
export type { Reply, ReplyCall, ReplyUsage } from './reply.ts';
export type { RecordedRequest, WireProtocol } from './request.ts';
