import type { Recovery } from '../recover.ts';
import { capOutput, dropParameter, plainSchemas, stripImages, stripSignatures, unstream } from './adjust.ts';
import { continueTruncated, reaskArguments, reaskTruncatedCall } from './continue-truncated.ts';
import { fallback } from './fallback.ts';
import { nudgeEmpty, prefillThinking, retryEmpty } from './nudge-empty.ts';
import { refresh } from './refresh.ts';
import { rotate } from './rotate.ts';
import { shrink } from './shrink.ts';
import { wait } from './wait.ts';

/** Every recovery, in the order they are tried: ask differently, ask for less, use another key, another route, wait. */
export const RECOVERIES: readonly Recovery[] = [
  unstream,
  dropParameter,
  plainSchemas,
  stripSignatures,
  capOutput,
  shrink,
  stripImages,
  continueTruncated,
  reaskTruncatedCall,
  reaskArguments,
  nudgeEmpty,
  prefillThinking,
  refresh,
  rotate,
  fallback,
  retryEmpty,
  wait,
];
