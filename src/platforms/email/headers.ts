/** The header of a mail as it lies on the server: every field, in its order. */
export interface MailHeader {
  readonly fields: readonly HeaderField[];
  /** The values of all fields of this name, topmost first. */
  all(name: string): readonly string[];
  /** The topmost one. */
  first(name: string): string | undefined;
}
export interface HeaderField {
  /** In lower case. */
  readonly name: string;
  /** Unfolded; encoded words are as they were sent. */
  readonly value: string;
}

/** More fields than this are read by nobody. */
const MAX_FIELDS = 1_000;

/** Reads a header. A line that is no field ends nothing: what follows is read all the same. */
export function parseHeader(bytes: Uint8Array): MailHeader {
  const [block = ''] = decodeHeader(bytes).split(/\r?\n\r?\n/, 1);
  const fields = block
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .slice(0, MAX_FIELDS)
    .flatMap((line) => {
      const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [{ name: name.toLowerCase(), value: value.trim() }];
    });
  const all = (name: string): readonly string[] => fields.flatMap((field) => (field.name === name ? [field.value] : []));
  return { fields, all, first: (name) => all(name)[0] };
}

/** UTF-8 where it is that; otherwise each byte for itself, so that nothing is lost. */
export function decodeHeader(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

/** A value without comments; `undefined` when one of them, or a quoted string, does not end. */
export function dropComments(value: string): string | undefined {
  const { bare, isEnded } = separateComments(value);
  return isEnded ? bare : undefined;
}

/** A value without comments, which may be nested, and with quoted strings as they are; and whether the last of these ends. */
export function separateComments(value: string): { readonly bare: string; readonly isEnded: boolean } {
  let [bare, depth, isQuoted] = ['', 0, false];
  for (let at = 0; at < value.length; at++) {
    const sign = value[at] ?? '';
    const pair = sign === '\\' ? value.slice(at, at + 2) : sign;
    if (isQuoted || depth === 0) bare += sign === '(' && !isQuoted ? ' ' : pair;
    if (pair.length > 1) at++;
    else if (sign === '"' && depth === 0) isQuoted = !isQuoted;
    else if (sign === '(' && !isQuoted) depth++;
    else if (sign === ')' && !isQuoted && depth > 0) depth--;
  }
  return { bare, isEnded: depth === 0 && !isQuoted };
}
