/** What can be dropped. */
const THINGS = `table database schema index view materialized keyspace collection user role tablespace owned type function trigger
  sequence column extension policy measurement bucket series constraint publication subscription server login partition cluster graph`;
const TABLE = '[\\w"`.[\\]]+';
/** Statements that lose rows, tables or the guards around them, or reach programs and files of the machine. */
const LOSING: readonly RegExp[] = [
  new RegExp(`\\bdrop\\s+(?:${THINGS.split(/\s+/).join('|')})\\b`, 'i'),
  /\bdrop\s+(?:if\s+exists\s+)?all\b|\bdrop[A-Z]\w*\s*\(|\bdetach\s+delete\b|\bpurge\s+(?:recyclebin|binary|table)\b/i,
  /\btruncate\s+(?:table\s+)?[\w"`[$.]/i,
  /\balter\s+(?:database|schema)\s+\S+\s+(?:rename|owner|set)|\balter\s+table\s+\S+\s+(?:drop|rename\s+to|detach|truncate|delete)\b/i,
  new RegExp(`\\bupdate\\s+${TABLE}\\s+set\\s+(?:(?!\\bwhere\\b)[^;])*(?:;|$)`, 'i'),
  /\breplace\s+into\s+\S+\s+select\b|\bvacuum\s+full\b|\bvacuum\b[^;]*\binto\b/i,
  // The server itself and who may do what on it.
  /\bshutdown\s*(?:;|$)|\breset\s+(?:master|slave|replica)\b|\bset\s+(?:global|persist)\b|\bset\s+foreign_key_checks\s*=\s*0/i,
  /\bgrant\s+(?:all|\w+\s+option|superuser)\b|\bgrant\b[^;]*\bto\s+(?:public|'[^']*'@'%'|anonymous)|\brevoke\s+all\b/i,
  /\balter\s+(?:user|role|system|login)\b|\bcreate\s+(?:user|role|login)\b[^;]*\b(?:superuser|sysadmin|identified|password)\b/i,
  /\bpg_(?:terminate_backend|reload_conf|switch_wal|drop_replication_slot)\b|\bdisable\s+(?:trigger|row\s+level\s+security|constraint)\b/i,
  /\bcopy\s+.*\b(?:to|from)\s+program\b|\binto\s+(?:out|dump)file\b|\bload_extension\b|\bwritable_schema\b|\bxp_cmdshell\b/i,
  /\blo_(?:import|export|unlink)\b|\bpg_read_file\b|\bsys_exec\b|\bwritefile\s*\(|^\s*\.(?:restore|save|load)\b/im,
];
const DELETES = /\bdelete\s+from\b/i;
/** Conditions that hold for every row. */
const ALWAYS = /\bwhere\s+(?:1\s*=\s*1|true|1|\w+\s*(?:>=?|<>|!=)\s*(?:0|-1|'')|\w+\s+is\s+not\s+null|\w+\s+like\s+'%')/i;

/** A text in quotes is no statement, unless something prepares or runs it. */
const statements = (said: string): string =>
  /\b(?:execute|prepare|do\s+\$)/i.test(said)
    ? said
    : said.replaceAll(/'([^']*)'/g, (whole, text: string) => (/\s/.test(text) ? "'t'" : whole));
/** Longer statements are not searched but asked about. */
const LONGEST_SQL = 20_000;

export function losesData(said: string): boolean {
  if (said.length > LONGEST_SQL) return true;
  const bare = statements(said);
  return (
    LOSING.some((each) => each.test(bare)) ||
    (DELETES.test(bare) && (!/\bwhere\b/i.test(said) || ALWAYS.test(said))) ||
    changesManyRows(said)
  );
}

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
const namesRows = (condition: string): boolean =>
  condition.split(/\bor\b/i).every((side) => side.split(/\band\b/i).some((part) => KEY.test(NAMES_ONE.exec(part)?.[1] ?? '')));

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
