/** Columns that tell one row from another. */
const KEYS = `id uuid guid ulid pk oid rowid _rowid_ key email mail name username user login slug sku code number no nr token hash sha path url uri
  title version isbn handle ref reference ip host hostname domain phone serial file filename`;
const KEY = new RegExp(`^(?:\\w*_)?(?:${KEYS.trim().split(/\s+/).join('|')})$|[a-z]Id$`, 'i');
/** A value that stands there: a text, a number, a hole for one, or one the shell puts in. */
const VALUE = `(?:[exn]?'[^']*'|"[^"]*"|-?\\d[\\w.-]*|\\$\\d+|\\$\\w+|\\?|[:@%]\\(?\\w+\\)?s?|[\\uE000-\\uE006]+)(?:::\\w+)?`;
const COLUMN = '["`[]?(?:\\w+["`\\]]?\\.["`[]?)?(\\w+)["`\\]]?';
const NAMES_ONE = new RegExp(`^[\\s(]*${COLUMN}\\s*(?:==?\\s*${VALUE}|in\\s*\\(\\s*${VALUE}(?:\\s*,\\s*${VALUE})*\\s*\\))[\\s)]*$`, 'i');
const CHANGES =
  /^\s*(?:with\b[^]*?\)\s*)?(?:delete\s+from|update\s+(?:or\s+\w+\s+|only\s+)?["`[\]\w.]+\s+(?:as\s+)?(?:(?!set\b)\w+\s+)?set)\b/i;
const REMARKS = /--[^\n]*|\/\*[^]*?\*\//g;
const BEHIND = /\b(?:returning|limit|order\s+by)\b[^]*$/i;

/** Whether every row a condition can hold for is named by a key. */
function namesRows(condition: string): boolean {
  return condition.split(/\bor\b/i).every((side) => side.split(/\band\b/i).some((part) => KEY.test(NAMES_ONE.exec(part)?.[1] ?? '')));
}

/** Statements that delete or rewrite rows nobody has named one by one. */
export const changesManyRows = (said: string): boolean =>
  said
    .replaceAll(REMARKS, ' ')
    .split(';')
    .some((statement) => {
      if (!CHANGES.test(statement)) return false;
      const at = statement.search(/\bwhere\b/i);
      return at < 0 || !namesRows(statement.slice(at + 'where'.length).replace(BEHIND, ''));
    });
