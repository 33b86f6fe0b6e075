import type { ImageBackend } from './backend.ts';
import { fal } from './fal.ts';
import { gemini, imagen } from './gemini.ts';
import { openai } from './openai.ts';
import { openrouter } from './openrouter.ts';
import { xai } from './xai.ts';

/** In the order in which they are taken when the owner names none. */
export const IMAGE_BACKENDS: readonly ImageBackend[] = [fal, openai, gemini, imagen, xai, openrouter];
