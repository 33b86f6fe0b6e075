import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of this machine that speaks into a WAV file. */
export interface LocalVoice {
  readonly name: string;
  readonly program: string;
  /** Characters at once. */
  readonly cap: number;
  /** It cannot speak without one named by the owner. */
  readonly needsVoice: boolean;
  arguments(voice: string, file: string): readonly string[];
}

export const LOCAL_VOICES: readonly LocalVoice[] = [
  { name: 'piper', program: 'piper', cap: 2_000, needsVoice: true, arguments: (voice, file) => ['--model', voice, '--output_file', file] },
  {
    name: 'espeak',
    program: 'espeak-ng',
    cap: 2_000,
    needsVoice: false,
    arguments: (voice, file) => [...(voice === '' ? [] : ['-v', voice]), '-w', file, '--stdin'],
  },
];

export function findProgramOnPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((each) => {
      try {
        accessSync(each, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
