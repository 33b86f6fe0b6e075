import type { ServerConfig } from './servers.ts';
import { isSecretName } from '../../base/secret-names.ts';

/** A piece of an address or an argument. One that has a field is a secret, and is called by it. */
export interface ValuePart {
  readonly text: string;
  readonly field?: string;
}
/** Hands over whatever in a text looks like a key by its shape, with the kind of key; gives the text back without it. */
export type FindKeys = (text: string, found: (kind: string, value: string) => string) => string;
type NamedValue = readonly [name: string, value: string];

/** What an entry holds that must not be seen; of a header only what follows the word for its kind. */
export function collectEntrySecrets(server: ServerConfig, findKeys: FindKeys): NamedValue[] {
  const fields = Object.entries(server.kind === 'stdio' ? server.env : server.headers).filter(([name]) => isSecretField(name));
  const places = server.kind === 'stdio' ? splitArgumentSecrets(server.args, findKeys).flat() : splitUrlSecrets(server.url, findKeys);
  const named = [
    ...fields.map(([name, value]): NamedValue => [name, splitScheme(value).secret]),
    ...fields.flatMap(([name, value]) => passwordIn(name, splitScheme(value))),
    ...places.flatMap(({ text, field }): NamedValue[] => (field === undefined ? [] : [[field, text]])),
  ];
  return named.map(([name, value]) => [`mcp_servers.${server.name}.${name}`, value]);
}

/** A variable or header whose value is a secret, by its name. */
export const isSecretField = (name: string): boolean =>
  isSecretName(name.replaceAll('-', '_')) || /^(?:proxy-)?authorization$|cookie$/i.test(name);

/** `Bearer abc` is a word and a secret. */
export function splitScheme(value: string): { readonly scheme: string; readonly secret: string } {
  const [, scheme = '', secret = value] = /^((?:Bearer|Basic|Token)\s+)(\S.*)$/i.exec(value) ?? [];
  return { scheme, secret };
}

/** `Basic` carries a name and a password that anybody can read out of it; one without a password carries a token. */
function passwordIn(name: string, { scheme, secret }: ReturnType<typeof splitScheme>): NamedValue[] {
  if (!/^basic\s/i.test(scheme)) return [];
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(secret, 'base64').toString('utf8')) ?? [];
  const value = password === '' ? user : password;
  return value === '' ? [] : [[`${name}.password`, value]];
}

/** Parameters and options, which are spelt in more ways than variables. */
const isSecretOption = (name: string): boolean => {
  const plain = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/[^A-Za-z0-9]+/g, '_');
  return isSecretField(plain) || /(?:^|_)(?:apikey|accesstoken|passphrase|pass|pwd|bearer|jwt|pat)$/i.test(plain);
};
const isSecretParameter = (name: string): boolean => isSecretOption(name) || /^(?:auth|sig|signature|code)$/i.test(name);

const plain = (text: string): ValuePart => ({ text });
/** What names a variable already is no secret. */
const secret = (text: string, field: string): ValuePart => (text === '' || /^\$\{[^}]+\}$/.test(text) ? plain(text) : { text, field });

/** An address: its password, its parameters, and whatever in it looks like a key. */
export function splitUrlSecrets(url: string, findKeys: FindKeys): ValuePart[] {
  const [, before = '', password = '', after = url] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*:)([^/?#]*)(@.*)$/is.exec(url) ?? [];
  const parts = after.split(/(?<=[?&#])|(?=[&#])/).flatMap((part) => {
    const [, name = '', value = ''] = /^([^=&#]+)=(.*)$/s.exec(part) ?? [];
    return isSecretParameter(name) ? [plain(`${name}=`), secret(value, name)] : looksIn(part, findKeys);
  });
  return [plain(before), secret(password, 'password'), ...parts].filter(({ text }) => text !== '');
}

/** Arguments: what an option with a telling name is given, beside it or behind `=` or `:`, and whatever looks like a key. */
export const splitArgumentSecrets = (words: readonly string[], findKeys: FindKeys): ValuePart[][] =>
  words.map((word, index) => {
    const option = /^--?([A-Za-z][\w.-]*)$/.exec(words[index - 1] ?? '')?.[1];
    return option !== undefined && isSecretOption(option) && !NO_VALUE.test(word)
      ? [secret(word, option)]
      : splitWordSecrets(word, findKeys);
  });

/** Another option, or the path of a file that holds the secret. */
const NO_VALUE = /^(?:-|\/|~|\.{1,2}\/)/;

function splitWordSecrets(word: string, findKeys: FindKeys): ValuePart[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return splitUrlSecrets(word, findKeys);
  const [, lead = '', name = '', rest = ''] = /^((?:-{0,2})([A-Za-z][\w.-]*)\s*[=:]\s*)(\S.*)$/s.exec(word) ?? [];
  if (!isSecretOption(name) || NO_VALUE.test(rest)) return looksIn(word, findKeys);
  const { scheme, secret: value } = splitScheme(rest);
  return [plain(lead + scheme), secret(value, name)];
}

/** By its shape alone, as keys of well-known makers have one. */
function looksIn(text: string, findKeys: FindKeys): ValuePart[] {
  const found: ValuePart[] = [];
  findKeys(text, (kind, value) => (found.push({ text: value, field: kind }), value));
  return found.reduce<ValuePart[]>(
    (pieces, key) => pieces.flatMap((piece) => (piece.field === undefined ? cut(piece.text, key) : [piece])),
    [plain(text)],
  );
}

function cut(text: string, key: ValuePart): ValuePart[] {
  const at = text.indexOf(key.text);
  if (at < 0) return [plain(text)];
  return [plain(text.slice(0, at)), key, plain(text.slice(at + key.text.length))].filter((piece) => piece.text !== '');
}
