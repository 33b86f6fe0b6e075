/**
 * Marks around text that somebody else wrote, so that the reader knows where it begins, where it ends and where it is from.
 * In the system prompt they are fixed, because other bytes would cost the provider's cache; no content can close or open one.
 */
export const fenceText = (mark: FenceMark, attributes: Readonly<Record<string, string>>, text: string): string =>
  `<${mark}${attributesOf(attributes)}>\n${escapeFences(text)}\n</${mark}>`;

/** The same in a tool result, where any page may write marks: only those with the session's key are ours, and no text inside holds it. */
export const fenceTextWithKey = (mark: FenceMark, key: string, attributes: Readonly<Record<string, string>>, text: string): string =>
  `<${mark} key="${key}"${attributesOf(attributes)}>\n${breakMarkKey(text, key)}\n</${mark} ${key}>`;

/** Whether a text that we fenced ourselves begins with this mark. */
export const isFencedBy = (mark: FenceMark, text: string): boolean => text.startsWith(`<${mark}>`);

/** A text that such marks enclose as a whole, without them; any other as it stands. */
export const unwrapKeyedFence = (text: string): string =>
  text.replace(/^(\s*)<(outside|hint) key="([\da-f]{8})"(?: [\w-]+="[^"]*")*>\n([\s\S]*)\n<\/\2 \3>$/, '$1$4');

/** What our marks are called. */
export const FENCE_MARKS = ['project-file', 'memory', 'user-profile', 'memory-context', 'available_skills', 'hint', 'outside'] as const;
export type FenceMark = (typeof FENCE_MARKS)[number];

/** Every mark of ours in a text of others, or each of these, loses its bracket, whichever way it is written. */
export const escapeFences = (text: string, marks: readonly FenceMark[] = FENCE_MARKS): string =>
  text.replaceAll(new RegExp(`[<\\uFF1C\\uFE64](?=[\\s/\\uFF0F]*(?:${marks.join('|')})\\b)`, 'giu'), '&lt;');

const attributesOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value.replaceAll(/[\s"<>]+/g, ' ').trim()}"`)
    .join('');

/** What marks of a session carry: known to its prompt, to no page and no file. */
export const createMarkKey = (): string => process.getBuiltinModule('node:crypto').randomBytes(4).toString('hex');

/** A text of others in which the key of our marks is parted: a script may have found the key, its words still carry no mark of ours. */
export const breakMarkKey = (text: string, key: string): string =>
  text.replaceAll(new RegExp(`(${key.slice(0, 4)})(${key.slice(4)})`, 'gi'), '$1-$2');
