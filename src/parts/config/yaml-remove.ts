import * as source from './yaml-text.ts';
import type { TextEdit } from './yaml-text.ts';
import {
  changeValue,
  detachAliases,
  findItemIndex,
  findKeyPath,
  findSection,
  openYaml,
  verifyChange,
  type OpenYaml,
  type Section,
  type SettingPair,
} from './yaml-file.ts';

/** A settings file without one setting, and without sections that are empty then; comments of others stay. Nothing when it was not there. */
export function withoutSetting(text: string, key: string): string | undefined {
  const file = openYaml(text);
  const path = findKeyPath(file.document, key);
  return withoutPath(file, key, path);
}

/** The same by path, for names that may hold a dot. */
export const withoutEntry = (text: string, path: readonly string[]): string | undefined =>
  withoutPath(openYaml(text), path.join('.'), path);

function withoutPath(file: OpenYaml, key: string, wanted: readonly string[]): string | undefined {
  const { text, document } = file;
  if (!document.hasIn(wanted)) return undefined;
  const sections = wanted.map((_, depth) => findSection(document, wanted.slice(0, depth)));
  // Sections that hold nothing else go too.
  const first = Math.max(
    sections.findLastIndex((section) => section?.items.length !== 1),
    0,
  );
  const rows = wanted.map((name, depth) => itemIn(sections[depth], name));
  const [outer, inner, above] = [rows[first], rows.at(-1), rows.at(-2)];
  // Of sections in a block only the lines of their names go: comments below them stay.
  const names = inner?.section?.flow === true ? [] : rows.slice(first, -1).map(({ pair }) => lineOf(text, pair));
  const gone = names.length > 0 ? inner : outer;
  const path = wanted.slice(0, first + 1);
  return verifyChange(
    file,
    key,
    { edits: [...names, ...remove(text, gone), ...detachAliases(file, path, true)], expected: changeValue(file.values, path) },
    // A comment that stays may be indented so that it would belong to the text above it: then the section stays, empty.
    {
      edits: [...remove(text, inner), ...emptied(above?.pair), ...detachAliases(file, wanted, true)],
      expected: changeValue(file.values, wanted),
    },
  );
}
const remove = (text: string, item: ReturnType<typeof itemIn> | undefined): readonly TextEdit[] =>
  source.removeItem(text, item?.section?.srcToken, item?.index ?? -1, item?.pair);
function emptied(section: SettingPair | undefined): readonly TextEdit[] {
  if (section === undefined) return [];
  const from = source.endOfKey(section);
  return [{ from, to: from, text: ' {}' }];
}
function itemIn(section: Section | undefined, name: string) {
  const index = findItemIndex(section, name);
  return { section, index, pair: section?.items[index] };
}
function lineOf(text: string, pair: SettingPair | undefined): TextEdit {
  const [from, to] = pair?.key.range ?? [0, 0];
  return { from: source.startOfLine(text, from), to: source.startOfNextLine(text, to), text: '' };
}
