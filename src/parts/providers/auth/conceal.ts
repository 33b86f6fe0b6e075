/** A shorter secret is a word that stands in many sentences ("ollama", "none"), and no key. */
const SHORTEST = 8;

/** A key as it goes into a header: a pasted one often carries a line end or other characters no header can hold. */
export const headerForm = (secret: string): string => secret.replace(/[^\x21-\x7e]/g, '');

/** The text without the secret, in whichever way a server may have written it: plain, in an address, in JSON. */
export function withoutSecret(text: string, secret: string): string {
  const key = headerForm(secret);
  const encoded = encodeURIComponent(key);
  const lower = encoded.replace(/%../g, (code) => code.toLowerCase());
  const forms = [secret.trim(), key, encoded, lower, JSON.stringify(key).slice(1, -1), key.replaceAll('/', '\\/')];
  const telling = [...new Set(forms)].filter((form) => form.length >= SHORTEST);
  return telling.toSorted((a, b) => b.length - a.length).reduce((rest, form) => rest.replaceAll(form, '***'), text);
}
