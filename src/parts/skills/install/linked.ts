import { SUPPORT } from '../view/inside.ts';

/** A mention of a file below one of the folders for further files, not as the end of a longer path or address. */
const MENTION = new RegExp(`(?<![\\w/.:~-])(?:\\./)?((?:${SUPPORT.join('|')})/[\\w./-]*)`, 'g');

/** The files a page speaks of, in the order it does: links, code and plain words alike. */
export function linkedPaths(text: string): readonly string[] {
  const found = [...text.replaceAll('${HERMES_SKILL_DIR}/', '').matchAll(MENTION)].map(([, path = '']) => path.replace(/[.\-/]+$/, ''));
  // Names without an ending are folders or figures of speech; hidden files are no part of a skill.
  return [...new Set(found)].filter((path) => /\/[^/]*[^/.]\.\w+$/.test(path) && !/\/\.(?!\.?(?:\/|$))/.test(path));
}
