import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../../../base/peek.ts';

/** Settings of a package manager in a file that holds its tokens as well. */
interface PackageSettings {
  readonly paths: readonly string[];
  /** The variable that leads the program to another file. */
  readonly variable: string;
  readonly name: string;
  /** Lines that hold no secret: where packages come from, and how to get there. */
  readonly keeps: RegExp;
  /** An indented line belongs to the setting above it. */
  readonly continues?: true;
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
    continues: true,
  },
];

export interface PackageSettingsOptions {
  readonly home: string;
  /** Our folder of programs and settings, and where commands find it. */
  readonly folder: string;
  readonly inside: string;
  readonly env: Readonly<Record<string, string>>;
  /** Also for nothing: the file itself is there, and a program that may not read it would fail. */
  readonly always: boolean;
}

/** Such files are not shown. What of them is no secret stands in a copy in the folder of ours, and these variables lead there. */
export function writePackageSettings({ home, folder, inside, env, always }: PackageSettingsOptions): Record<string, string> {
  const found = ROWS.flatMap((row) => {
    const { paths, variable, name } = row;
    if (env[variable] !== undefined) return [];
    const kept = paths.flatMap((path) => keepLines(readIfThere(join(home, path)).split(/\r?\n/), row));
    if (!always && !kept.some((line) => line.includes('='))) return [];
    writeFileSync(join(folder, name), `${kept.join('\n')}\n`);
    return [[variable, `${inside}/${name}`] as const];
  });
  return Object.fromEntries(found);
}

/** A setting of which nothing is left goes as a whole: an empty one would mean something else. */
function keepLines(lines: readonly string[], { keeps, continues }: PackageSettings): readonly string[] {
  const settings: string[][] = [];
  for (const line of lines.filter((each) => each.trim() !== '' && !/^\s*[#;]/.test(each))) {
    if (continues === true && /^\s/.test(line) && settings.length > 0) settings.at(-1)?.push(line);
    else settings.push([line]);
  }
  return settings.flatMap(([first = '', ...more]) => {
    if (!keeps.test(first)) return [];
    if (/^\s*\[/.test(first)) return [first];
    const rest = more.map(withoutPassword).filter((line) => !hasSecret(line));
    const [, head = '', value = ''] = /^([^=]*=)(.*)$/.exec(withoutPassword(first)) ?? [];
    const own = hasSecret(value) ? '' : value;
    return own.trim() === '' && rest.length === 0 ? [] : [`${head}${own}`, ...rest];
  });
}

const withoutPassword = (line: string): string => line.replaceAll(/(:\/\/)[^/\s]*@/g, '$1');

/** Some registries take a token as a part of the path: `https://pypi.example/3f9aK2.../simple`. Such an address is none without it. */
const hasSecret = (line: string): boolean =>
  [...line.matchAll(/:\/\/(\S*)/g)].some(([, address = '']) => /[@?#]/.test(address) || address.split('/').slice(1).some(isLikeToken));
const isLikeToken = (segment: string): boolean =>
  /^(?:gh[a-z]_|github_pat_|glpat-|npm_|pypi-|dckr_pat_)\w{8}/.test(segment) ||
  segment
    .split(/[-._~:%]/)
    .some(
      (word) =>
        (word.length >= 12 && /\d/.test(word) && /[a-z]/i.test(word)) ||
        (word.length >= 16 && [...word.matchAll(/[a-z][A-Z]/g)].length > 2),
    );
