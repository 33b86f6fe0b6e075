export type { Rule } from './command/run/call.ts';
