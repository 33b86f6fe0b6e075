import { ownersAlone, type SettingsSlice } from '../../contracts/settings.ts';

/** How voice messages become text. A command and an address are the owner's alone. */
export const sttSettings = ownersAlone({
  'stt.enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Transcribe voice messages, if `stt.command` or `stt.endpoint` is set.',
  },
  'stt.command': {
    kind: 'string',
    default: '',
    describe:
      'A command on this machine that prints the text of a sound file. The path of the file replaces `{file}`, or is added at the end. It is used before `stt.endpoint`.',
  },
  'stt.endpoint': {
    kind: 'string',
    default: '',
    describe:
      'The address of a server that transcribes as OpenAI does, such as http://localhost:8000/v1. Its key is read from the variable STT_API_KEY.',
  },
  'stt.model': { kind: 'string', default: 'whisper-1', describe: 'The model that `stt.endpoint` is asked for.' },
} as const satisfies SettingsSlice);
