/** A set of words, written as a text. */
export const toWordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** A set of lines, written as a text with commas between them. */
export const toLineSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s*,\s*/));

/** The same row for each of these names. */
export const toRows = <Row>(names: string, row: Row): Readonly<Record<string, Row>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, row]));

/** The row of a name, and never what every object has. */
export const findRow = <Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
