import type { SpeechBackend } from './backend.ts';
import { elevenlabs } from './elevenlabs.ts';
import { gemini } from './gemini.ts';
import { minimax } from './minimax.ts';
import { mistral } from './mistral.ts';
import { openai } from './openai.ts';
import { xai } from './xai.ts';

/** In the order in which they are taken when the owner names none. */
export const SPEECH_BACKENDS: readonly SpeechBackend[] = [elevenlabs, openai, minimax, mistral, gemini, xai];
