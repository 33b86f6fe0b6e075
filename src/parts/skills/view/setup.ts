import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readPath, readStringAt } from '../../../base/json.ts';
import { toOneLine } from '../../../base/printable.ts';
import { takeStart } from '../../../base/text.ts';
import { isWithin } from '../../../base/within.ts';

/** Where a skill's set-up would be. Values of variables are nobody's business here. */
export interface SetupOptions {
  /** The profile's folder. */
  readonly home: string;
  isSet(variable: string): boolean;
}
/** Something a skill needs and does not find. */
export interface MissingSetup {
  readonly kind: 'variable' | 'file';
  readonly name: string;
  /** What it is for, in the skill's own words. */
  readonly purpose?: string;
}

export const listMissingSetup = (fields: unknown, place: SetupOptions): readonly MissingSetup[] => [
  ...unique(variablesOf(fields)).filter(({ name }) => !place.isSet(name)),
  ...unique(credentialFilesOf(fields)).filter(({ name }) => !isThere(place.home, name)),
];

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

function variablesOf(fields: unknown): readonly MissingSetup[] {
  const rows = [...list(readPath(fields, 'required_environment_variables')), ...list(readPath(fields, 'prerequisites', 'env_vars'))];
  return rows.flatMap((row) => {
    const name = nameIn(row, 'name');
    const optional = readStringAt(row, 'optional')?.toLowerCase() === 'true';
    return name === undefined || optional || !VARIABLE.test(name)
      ? []
      : [missing('variable', name, readStringAt(row, 'required_for') ?? readStringAt(row, 'help') ?? readStringAt(row, 'prompt'))];
  });
}

const credentialFilesOf = (fields: unknown): readonly MissingSetup[] =>
  list(readPath(fields, 'required_credential_files')).flatMap((row) => {
    const path = nameIn(row, 'path');
    return path === undefined ? [] : [missing('file', path, readStringAt(row, 'description'))];
  });

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []);
const nameIn = (row: unknown, key: string): string | undefined => {
  const name = (typeof row === 'string' ? row : readStringAt(row, key))?.trim();
  return name === '' ? undefined : name;
};

const missing = (kind: MissingSetup['kind'], name: string, purpose: string | undefined): MissingSetup => {
  const words = takeStart(toOneLine(purpose ?? ''), 160);
  return { kind, name: takeStart(toOneLine(name), 200), ...(words !== '' && { purpose: words }) };
};
const unique = (rows: readonly MissingSetup[]): readonly MissingSetup[] => [...new Map(rows.map((row) => [row.name, row])).values()];

/** Only whether it is there; never outside the profile. */
function isThere(home: string, name: string): boolean {
  const path = resolve(home, name);
  return isWithin(resolve(home), path) && existsSync(path);
}

export const describeMissingSetup = ({ kind, name, purpose }: MissingSetup): string =>
  `${kind === 'variable' ? 'environment variable' : 'file'} ${name}${purpose === undefined ? '' : ` (${purpose})`}`;
