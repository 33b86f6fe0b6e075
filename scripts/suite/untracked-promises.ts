/**
 * Preloaded into every test process. The test runner follows every promise, to say which test an error without a catch belongs
 * to; in files that await a lot this takes a third of the processor time. Timers, sockets and processes are followed as before;
 * a promise that nobody catches still fails its file, only not by the name of a test.
 */
import { createRequire } from 'node:module';

type CreateHook = (callbacks: object) => unknown;

const load = createRequire(import.meta.url);
const hooks: { createHook: CreateHook } = load('node:async_hooks');
const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
load('node:test'); // takes what stands there now
hooks.createHook = createHook;
