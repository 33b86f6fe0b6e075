import type { RedactText } from './deep.ts';
import type { KnownSecrets } from './known.ts';

/**
 * A text that begins as the one before it, which held nothing, can hold something only where it goes on: or a little before
 * that, when the old one ended in the middle of a secret.
 */
export function redactFollowing({ wanted }: Pick<KnownSecrets, 'wanted'>, redact: RedactText): RedactText {
  let before = { text: '', wanted: wanted() };
  return (text) => {
    const now = wanted();
    const same = before.wanted === now ? countSharedPrefix(before.text, text) : 0;
    const rest = text.slice(Math.max(0, same - now.longest));
    const clean = redact(rest) === rest ? text : redact(text);
    before = { text: clean === text ? text : '', wanted: now };
    return clean;
  };
}

/** How many characters two texts share from their beginning on, by halves: comparing is cheap, looking at each letter is not. */
export function countSharedPrefix(one: string, other: string): number {
  let [least, most] = [0, Math.min(one.length, other.length)];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (one.slice(least, middle) === other.slice(least, middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}
