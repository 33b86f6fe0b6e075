/** The surface for tests of agents, stores, terminals and clients, ours and other people's: `hermes-ts/testing`. */
export { createSeededRandom, forAll, type SeededRandom } from './seeded-random.ts';
export { testSessionStoreConformance } from './conformance/session-store.ts';
export type { OpenStore, StoreConformanceOptions } from './conformance/session-store-samples.ts';
export { testJobStoreConformance } from './conformance/job-store.ts';
export type { StagedStore, StageStore } from './conformance/gateway-store-samples.ts';
export { testMemoryCursorConformance } from './conformance/memory-cursors.ts';
export { testMemoryProviderConformance } from './conformance/memory-provider.ts';
export type { StagedMemoryProvider, StageMemoryProvider } from './conformance/memory-provider-samples.ts';
export { testPluginConformance, type PluginSubject } from './conformance/plugin.ts';
export { testPlatformConformance } from './conformance/platform.ts';
export type { OpenPlatformScene, PlatformFault, PlatformScene } from './conformance/platform-scene.ts';
export { testTerminalConformance } from './conformance/terminal.ts';
export type { OpenTerminal, TerminalFeatures } from './conformance/terminal-commands.ts';
export { scriptedProvider, type ScriptedAnswer, type Script, type ScriptedProvider } from './scripted-provider.ts';
export {
  faults,
  startWireServer,
  type Fault,
  type RecordedRequest,
  type Reply,
  type ReplyCall,
  type ReplyUsage,
  type WireProtocol,
  type WireServer,
  type WireServerOptions,
} from './wire-server/index.ts';
export { scriptedRoute } from './scripted-route.ts';
