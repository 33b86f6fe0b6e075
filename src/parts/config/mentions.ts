import { existsSync, readFileSync } from 'node:fs';

/** Whether a file of settings may say something about this: most say nothing, and need not be read as settings to know that. */
export const mentionsWord = (file: string, word: string): boolean => existsSync(file) && readFileSync(file, 'utf8').includes(word);
