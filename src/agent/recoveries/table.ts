import type { Recovery } from '../deps.ts';
import { capOutput, dropParameter, plainSchemas, stripImages, stripSignatures, unstream } from './adjust.ts';
import { continueTruncated, reaskDroppedCall, reaskRepetition, reaskTruncatedCall, reaskWrittenCall } from './continue-truncated.ts';
import { fallback, fallbackAtLast } from './fallback.ts';
import { nameModels } from './name-models.ts';
import { nudgeEmpty, prefillThinking, retryEmpty } from './nudge-empty.ts';
import { refresh } from './refresh.ts';
import { rotate, rotateAtLast } from './rotate.ts';
import { shrink } from './shrink.ts';
import { wait } from './wait.ts';

/** Every recovery, in the order they are tried: ask differently, ask for less, another key, another route, wait, and what is left. */
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
  reaskDroppedCall,
  reaskWrittenCall,
  reaskRepetition,
  nudgeEmpty,
  prefillThinking,
  refresh,
  rotate,
  fallback,
  retryEmpty,
  wait,
  rotateAtLast,
  fallbackAtLast,
  nameModels,
];

/**
 * Those that leave the conversation and the model as they are: the request goes out in another form, with fresh credentials, or
 * later. For turns whose words are measured or trained on.
 */
export const UNAIDED_RECOVERIES: readonly Recovery[] = [unstream, dropParameter, plainSchemas, refresh, rotate, wait, rotateAtLast];
