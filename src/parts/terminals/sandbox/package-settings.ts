import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSIDE } from './mounts.ts';

/** Settings of a package manager in a file that holds its tokens as well. */
interface PackageSettings {
  readonly paths: readonly string[];
  /** The variable that leads the program to another file. */
  readonly variable: string;
  readonly name: string;
  /** Lines that hold no secret: where packages come from, and how to get there. */
  readonly keeps: RegExp;
}
const ROWS: readonly PackageSettings[] = [
  {
    paths: ['.npmrc'],
    variable: 'npm_config_userconfig',
    name: 'npmrc',
    keeps: /^\s*(?:@[\w.-]+:)?(?:registry|cafile|strict-ssl|noproxy|fund|audit|engine-strict|legacy-peer-deps|save-exact|save-prefix)\s*=/,
  },
  {
    paths: ['.config/pip/pip.conf', '.pip/pip.conf'],
    variable: 'PIP_CONFIG_FILE',
    name: 'pip.conf',
    keeps: /^\s*(?:\[[\w-]+\]\s*$|(?:index-url|extra-index-url|trusted-host|find-links|cert|timeout|retries|require-virtualenv)\s*=)/,
  },
];

/** Such files are not shown. What of them is no secret stands in a copy in the folder of ours, and these variables lead there. */
export function writePackageSettings(home: string, folder: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const found = ROWS.flatMap(({ paths, variable, name, keeps }) => {
    if (env[variable] !== undefined) return [];
    const kept = paths.flatMap((path) => readLines(join(home, path)).filter((line) => keeps.test(line)));
    if (!kept.some((line) => line.includes('='))) return [];
    writeFileSync(join(folder, name), `${kept.map(withoutPassword).join('\n')}\n`);
    return [[variable, `${INSIDE.bin}/${name}`] as const];
  });
  return Object.fromEntries(found);
}

const withoutPassword = (line: string): string => line.replaceAll(/(:\/\/)[^/@\s]*@/g, '$1');

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}
