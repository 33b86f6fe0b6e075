/** One setting of a git config file, and where it stands in the text. */
export interface GitConfigEntry {
  /** `remote.origin.url`: section and name in lower case, the part between as written. */
  readonly key: string;
  /** `undefined` for a name without `=`, which means true. */
  readonly value: string | undefined;
  readonly section: string;
  readonly subsection: string | undefined;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a config file as git does, a character for each byte. Nothing for a text git would refuse or that is written in a way this does not know: whoever
 * reads it otherwise than git can be misled.
 */
export function parseGitConfig(text: string): readonly GitConfigEntry[] | undefined {
  if (/\0|\r(?!\n)/.test(text)) return undefined;
  const found: GitConfigEntry[] = [];
  let at = text.startsWith(MARK) ? MARK.length : 0;
  let section: SectionHead | undefined;
  while (at < text.length) {
    const blank = BLANK.exec(text.slice(at, at + MAX_SKIP))?.[0].length ?? 0;
    if (blank > 0) at += blank;
    else if (text[at] === '#' || text[at] === ';') at = lineEnd(text, at);
    else if (text[at] === '[') {
      section = readHead(text, at);
      if (section === undefined) return undefined;
      at = section.to;
    } else {
      const setting = section === undefined ? undefined : readSetting(text, at, section);
      if (setting === undefined) return undefined;
      found.push(setting);
      at = setting.to;
    }
  }
  return found;
}

/** The mark at the beginning of some files, one character for each byte. */
const MARK = '\xef\xbb\xbf';
const BLANK = /^[ \t\r\n]+/;
const MAX_SKIP = 4_096;
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
};

interface SectionHead {
  readonly section: string;
  readonly subsection: string | undefined;
  readonly to: number;
}
const HEAD = /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;

function readHead(text: string, at: number): SectionHead | undefined {
  HEAD.lastIndex = at;
  const [whole, named = '', quoted] = HEAD.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const [section = '', ...rest] = named.toLowerCase().split('.');
  // The old way, `[section.sub]`; git joins both to one name.
  const dotted = rest.length > 0 ? rest.join('.') : undefined;
  const plain = quoted?.replaceAll(/\\(.)/g, '$1');
  const subsection = dotted !== undefined && plain !== undefined ? `${dotted}.${plain}` : (plain ?? dotted);
  return { section, subsection, to: at + whole.length };
}

const NAME = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)/y;

function readSetting(text: string, at: number, { section, subsection }: SectionHead): GitConfigEntry | undefined {
  NAME.lastIndex = at;
  const [whole, named, equals] = NAME.exec(text) ?? [];
  if (whole === undefined || named === undefined) return undefined;
  const name = named.toLowerCase();
  const key = [section, ...(subsection === undefined ? [] : [subsection]), name].join('.');
  const about = { key, section, subsection, name, from: at };
  if (equals === '') {
    // Only blanks may follow: git takes nothing else after a name that has no value.
    const end = lineEnd(text, at);
    return text.slice(at + whole.length, end).trim() === '' ? { ...about, value: undefined, to: end } : undefined;
  }
  const read = readValue(text, at + whole.length);
  return read === undefined ? undefined : { ...about, ...read };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

/** Quotes, comments, escapes and lines that go on, as git has them. */
function readValue(text: string, start: number): Pick<GitConfigEntry, 'value' | 'to'> | undefined {
  let [value, kept, quoted, comment] = ['', 0, false, false];
  let at = start;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\n') {
      if (quoted) return undefined;
      at += 1;
      break;
    }
    if (char === '\r' && text[at + 1] === '\n') continue;
    if (comment) continue;
    if ((char === ' ' || char === '\t') && !quoted) {
      if (value !== '') value += char;
      continue;
    }
    if (!quoted && (char === '#' || char === ';')) comment = true;
    else if (char === '\\') {
      const next = text[at + 1] === '\r' ? '\n' : (text[at + 1] ?? '\n');
      at += text[at + 1] === '\r' ? 2 : 1;
      // Blanks before a line that goes on belong to the value.
      if (next === '\n') {
        kept = value.length;
        continue;
      }
      const meant = ESCAPES[next];
      if (meant === undefined) return undefined;
      value += meant;
    } else if (char === '"') quoted = !quoted;
    else value += char;
    if (!comment) kept = value.length;
  }
  return quoted ? undefined : { value: value.slice(0, kept), to: at };
}

/** Lists each key with all its values, in order: git lets later ones win or add up. */
export function groupConfigEntries(settings: readonly GitConfigEntry[]): ReadonlyMap<string, readonly GitConfigEntry[]> {
  return Map.groupBy(settings, ({ key }) => key);
}

/** A text in which these keys are as in the donor: taken out where they stand, and written at the end. Nothing when either cannot be read. */
export function graftConfigEntries(text: string, donor: string, keys: ReadonlySet<string>): string | undefined {
  const [own, given] = [parseGitConfig(text), parseGitConfig(donor)];
  if (own === undefined || given === undefined) return undefined;
  let [rest, at] = ['', 0];
  for (const { key, from, to } of own) {
    if (!keys.has(key)) continue;
    rest += text.slice(at, from).replace(/[ \t]+$/, '');
    at = to;
  }
  rest += text.slice(at);
  const added = given
    .filter(({ key }) => keys.has(key))
    .map((setting) => `${headOf(setting)}\n\t${donor.slice(setting.from, setting.to).trimEnd()}\n`);
  return withoutEmptySections(rest + (rest === '' || rest.endsWith('\n') || added.length === 0 ? '' : '\n')) + added.join('');
}

const headOf = ({ section, subsection }: GitConfigEntry): string =>
  subsection === undefined ? `[${section}]` : `[${section} "${subsection.replaceAll(/["\\]/g, String.raw`\$&`)}"]`;

/** A head with nothing below it is left over from what was taken out. */
const withoutEmptySections = (text: string): string => text.replaceAll(/^\[[^\n]*\]\n(?=\[|$(?![^]))/gm, '');
