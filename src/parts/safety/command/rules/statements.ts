/** What can be dropped. */
const THINGS = `
  table database schema index view materialized keyspace collection user role tablespace owned type function trigger sequence column
  extension policy measurement bucket series constraint publication subscription server login partition stage warehouse stream task
  replication cluster dictionary graph space
`
  .trim()
  .split(/\s+/);
const TABLE = '[\\w"`.[\\]]+';
/** Conditions that hold for every row. */
const ALWAYS = [
  '1\\s*=\\s*1',
  'true',
  '1',
  "\\w+\\s*(?:>=?|<>|!=)\\s*(?:0|-1|'')",
  '\\w+\\s+is\\s+not\\s+null',
  "\\w+\\s+like\\s+'%'",
  // What is older than now is all of it; what has run out is not.
  '(?!\\w*(?:expir|until|valid|deadline|end))\\w+\\s*<=?\\s*(?:now\\s*\\(\\)|current_(?:timestamp|date))(?!\\s*[-+])',
];
/** Statements that lose rows, tables or the guards around them. A condition that always holds is none. */
const LOSING: readonly RegExp[] = [
  // Things dropped as a whole.
  new RegExp(`\\bdrop\\s+(?:${THINGS.join('|')})\\b`, 'i'),
  /\bdrop\s+(?:if\s+exists\s+)?all\b/i,
  /\bdrop[A-Z]\w*\s*\(/,
  /\btruncate\s+(?:table\s+)?[\w"`[$.]/i,
  /\balter\s+(?:database|schema)\s+\S+\s+(?:rename|owner|set\s+tablespace)/i,
  /\balter\s+table\s+\S+\s+(?:drop|rename\s+to|detach|truncate|delete)\b/i,
  /\bdetach\s+delete\b/i,
  /\bpurge\s+(?:recyclebin|binary|table)\b/i,
  // Rows, all of them.
  new RegExp(`\\bdelete\\s+from\\s+${TABLE}\\s*(?:;|$|"|'|\\)|where\\s+(?:${ALWAYS.join('|')}))`, 'i'),
  /\bupdate\s+[\w"`.[\]]+\s+set\s+(?:(?!\bwhere\b)[^;])*(?:;|$)/i,
  /\breplace\s+into\s+\S+\s+select\b/i,
  // The server itself and who may do what on it.
  /\bshutdown\s*(?:;|$)/i,
  /\breset\s+(?:master|slave|replica)\b/i,
  /\bvacuum\s+full\b/i,
  // A copy of all of it, wherever it is told.
  /\bvacuum\b[^;]*\binto\b/i,
  /\bgrant\s+(?:all|\w+\s+option|superuser)\b/i,
  /\bgrant\b[^;]*\bto\s+(?:public|'[^']*'@'%'|anonymous)/i,
  /\balter\s+(?:user|role|system|login|database\s+\S+\s+set\s+(?:offline|single_user))\b/i,
  /\bcreate\s+(?:user|role|login)\b[^;]*\b(?:superuser|sysadmin|identified|password)\b/i,
  /\brevoke\s+all\b/i,
  /\bset\s+(?:global|persist)\b|\bset\s+foreign_key_checks\s*=\s*0/i,
  /\bpg_(?:terminate_backend|reload_conf|switch_wal|drop_replication_slot)\b/i,
  /\bkill\s+(?:query\s+|connection\s+)?\d+\s*(?:;|$)/i,
  /\bdisable\s+(?:trigger|row\s+level\s+security|constraint)\b/i,
  // Programs and files of the machine.
  /\bcopy\s+.*\b(?:to|from)\s+program\b/i,
  /\binto\s+(?:out|dump)file\b/i,
  /\bload_extension\b|\bwritable_schema\b|\bxp_cmdshell\b|\blo_(?:import|export|unlink)\b|\bpg_read_file\b|\bsys_exec\b/i,
  /\battach\b[^;]*\bas\b[^;]*;\s*(?:drop|delete)/i,
];
const DELETES = /\bdelete\s+from\b/i;

/** A text in quotes is no statement, unless something prepares or runs it. */
const statements = (said: string): string =>
  /\b(?:execute|prepare|do\s+\$)/i.test(said)
    ? said
    : said.replaceAll(/'([^']*)'/g, (whole, text: string) => (/\s/.test(text) ? "'t'" : whole));
/** Longer statements are not searched but asked about. */
const LONGEST_SQL = 20_000;

export const losesRows = (said: string): boolean => LOSING.some((each) => each.test(said));
export function losesData(said: string): boolean {
  if (said.length > LONGEST_SQL) return true;
  const bare = statements(said);
  return losesRows(bare) || (DELETES.test(bare) && !/\bwhere\b/i.test(said));
}
