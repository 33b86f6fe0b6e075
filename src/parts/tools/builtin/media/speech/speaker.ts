import { askService } from '../ask.ts';
import { listReadyServices, type MediaOptions, type ReadyService } from '../options.ts';
import { SPEECH_BACKENDS } from './all.ts';
import type { Format, SpeechBackend } from './backend.ts';
import { LOCAL_VOICES, findProgramOnPath, type LocalVoice } from './voices.ts';

/** Who speaks, with all choices made. */
export interface Speaker {
  readonly name: string;
  readonly label: string;
  readonly format: Format;
  readonly cap: number;
  /** The sound of one part, or why there is none. */
  speak(text: string, signal: AbortSignal): Promise<Buffer | string>;
}

export const SPEECH_NEEDS =
  'One of ELEVENLABS_API_KEY, OPENAI_API_KEY, MINIMAX_API_KEY, MISTRAL_API_KEY, GEMINI_API_KEY, XAI_API_KEY, or piper (with tts.voice) or espeak-ng on this machine.';

/** The one the owner named, else the first that can. */
export function chooseSpeaker(options: MediaOptions): Speaker | undefined {
  const wanted = options.settings['tts.provider'];
  const fits = (name: string): boolean => wanted === 'auto' || wanted === name;
  const remote = listReadyServices(SPEECH_BACKENDS, options).find(({ service }) => fits(service.name));
  if (remote !== undefined) return overNetwork(remote, options);
  return LOCAL_VOICES.filter(({ name }) => fits(name)).flatMap((voice) => locally(voice, options) ?? [])[0];
}

function overNetwork(ready: ReadyService<SpeechBackend>, options: MediaOptions): Speaker {
  const { service, key } = ready;
  const { settings } = options;
  const model = settings['tts.model'] || service.model;
  const voice = settings['tts.voice'] || service.voice;
  const format = service.formats.find((each) => each === settings['tts.format']) ?? service.formats[0] ?? 'mp3';
  return {
    name: service.name,
    label: `${service.label} (${voice})`,
    format,
    cap: service.cap(model),
    speak: async (text, signal) => {
      const answer = await askService(service.request({ text, voice, model, format }, key()), ready, options, signal);
      if (!answer.ok) return answer.reason;
      const sound = service.read(answer);
      return typeof sound !== 'string' && sound.length === 0 ? 'its answer is empty' : sound;
    },
  };
}

function locally(voice: LocalVoice, { settings, variable }: MediaOptions): Speaker | undefined {
  const program = findProgramOnPath(voice.program, variable('PATH') ?? '');
  const named = settings['tts.voice'];
  if (program === undefined || (voice.needsVoice && named === '')) return undefined;
  return {
    name: voice.name,
    label: voice.program,
    format: 'wav',
    cap: voice.cap,
    speak: async (text, signal) => (await import('./local.ts')).speakLocally(voice, program, named, text, signal),
  };
}
