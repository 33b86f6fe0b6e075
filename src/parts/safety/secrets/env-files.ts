import { readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { isSkippedFolder } from '../checkpoints/scan.ts';

/** Folders below the one asked for: the packages of a project, and their own. */
const MAX_DEPTH = 2;
/** A look costs a few milliseconds at most, wherever the work lies. */
const MAX_FOLDERS = 100;
const MAX_FILES = 40;
const MAX_BYTES = 256 * 1024;

const ENV_FILE = /^\.env(?:rc|[._-].+)?$/;
/** Files that show which variables there are, for everybody to read. */
const EXAMPLE = /(?:^|[._-])(?:example|sample|template|tmpl|dist|defaults?|schema)(?:[._-]|$)/;

const isEnvFile = (name: string): boolean => ENV_FILE.test(name) && !EXAMPLE.test(name);

export interface EnvFileVariable {
  /** The file's name and the variable's: `.env.API_KEY`. */
  readonly name: string;
  readonly variable: string;
  readonly value: string;
}

/** The variables in the `.env` files of a working folder, near its top. What cannot be read holds nothing we know. */
export const readEnvFiles = (folder: string): readonly EnvFileVariable[] => listEnvFiles(folder).flatMap(readEnvFile);

/** Those of one file; none where its name is not that of such a file. */
export const readEnvFile = (path: string): readonly EnvFileVariable[] =>
  isEnvFile(basename(path))
    ? valuesIn(textOf(path)).map(([variable, value]) => ({ name: `${basename(path)}.${variable}`, variable, value }))
    : [];

/** What a program would read, and what stands there besides: a value that a later line replaces, or that is commented out. */
function valuesIn(text: string): readonly (readonly [variable: string, value: string])[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^[\s#;]+/, ''));
  const comments = text.split(/\r?\n/).flatMap((line) => /(?:^|\s)#(.*)$/.exec(line)?.[1] ?? []);
  const loose = comments
    .flatMap((comment) => comment.match(/[^\s"'`,;=]{12,}/g) ?? [])
    .filter((word) => /\d/.test(word) && /[a-z]/i.test(word));
  const found = [...[text, ...lines].flatMap((part) => Object.entries(parseEnv(part))), ...loose.map((word) => ['comment', word] as const)];
  return [...new Map(found.map(([variable, value = '']) => [`${variable}=${value}`, [variable, value] as const])).values()];
}

/** Folder by folder, those nearest to the top first. */
function listEnvFiles(root: string): readonly string[] {
  const found: string[] = [];
  let level = [root];
  let looked = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level.slice(0, MAX_FOLDERS - looked)) {
      looked++;
      for (const item of itemsIn(folder)) {
        if (item.isDirectory()) {
          if (!item.name.startsWith('.') && !isSkippedFolder(item.name)) next.push(join(folder, item.name));
        } else if (isEnvFile(item.name)) found.push(join(folder, item.name));
      }
    }
    level = next;
  }
  return found.slice(0, MAX_FILES);
}

function itemsIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A pipe by that name, as some stores of passwords make it, would never end. */
function textOf(path: string): string {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
