/** One way in which programs write a value down. */
export interface SecretForm {
  /** Part of the placeholder; empty for the value itself. */
  readonly code: string;
  readonly text: string;
}

/** The value and its encodings, each only once: most keys look the same in JSON and in an address. */
export function listSecretForms(value: string): readonly SecretForm[] {
  const written = UNCHANGED.test(value) ? [] : [...escaped(value), ...inAddresses(value)];
  const forms = [{ code: '', text: value }, ...written, ...inBytes(value)];
  const seen = new Set<string>();
  return forms.filter(({ text }) => !seen.has(text) && seen.add(text));
}

/** What JSON and addresses leave as it is: most keys. */
const UNCHANGED = /^[A-Za-z0-9_.~-]+$/;

function escaped(value: string): SecretForm[] {
  const json = JSON.stringify(value).slice(1, -1);
  return [
    { code: 'j', text: json },
    { code: 'js', text: json.replaceAll('/', '\\/') },
    // oxlint-disable-next-line no-control-regex -- what is not ASCII is what this is about
    { code: 'ja', text: json.replace(/[^\u0000-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) },
    // A result that is JSON inside a string of JSON.
    { code: 'jj', text: JSON.stringify(json).slice(1, -1) },
  ];
}

function inAddresses(value: string): SecretForm[] {
  const strict = encodeURIComponent(value.toWellFormed());
  const lower = strict.replace(/%../g, (code) => code.toLowerCase());
  return [
    { code: 'u', text: strict },
    { code: 'ul', text: lower },
    { code: 'us', text: strict.replaceAll('%2F', '/') },
    { code: 'up', text: strict.replaceAll('%20', '+') },
    // What `encodeURIComponent` leaves alone and others do not.
    { code: 'ux', text: strict.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`) },
  ];
}

function inBytes(value: string): SecretForm[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const shifted = [0, 1, 2].flatMap((offset) => {
    const text = inBase64(bytes, offset);
    return [
      { code: `b${offset}`, text },
      { code: `w${offset}`, text: text.replaceAll('+', '-').replaceAll('/', '_') },
    ];
  });
  return [...shifted, { code: 'x', text: hex }, { code: 'xu', text: hex.toUpperCase() }];
}

/**
 * The characters of base64 that these bytes alone decide when they begin so many bytes after a group of three. Those at the
 * ends share bits with their neighbours and stay.
 */
function inBase64(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}
