import { dice, writeLog, type LogWriter } from './setup.ts';

const AREAS = ['billing', 'search', 'upload', 'login', 'export', 'notification', 'catalog', 'checkout', 'report', 'cache'];
const NOUNS = ['handler', 'service', 'queue', 'worker', 'router', 'schema', 'client', 'migration', 'config', 'test'];
const VERBS = ['refactor', 'check', 'rename', 'extend', 'clean up', 'review', 'move', 'document', 'split', 'benchmark'];

/** Work that looks like work: reads, test runs, logs and talk on the same things the needles are about. */
function hay(log: LogWriter, round: number, roll: (below: number) => number): void {
  const pick = (list: readonly string[]): string => list[roll(list.length)] ?? '';
  const [area, noun, verb] = [pick(AREAS), pick(NOUNS), pick(VERBS)];
  const path = `services/${area}/src/${noun}.ts`;
  switch (round % 5) {
    case 0:
      log.user(`Please ${verb} the ${area} ${noun} next, and run the tests for it.`);
      log.model(`I will ${verb} the ${area} ${noun} and run its tests.`);
      return;
    case 1:
      log.act(
        '',
        'read_file',
        { path },
        Array.from({ length: 60 }, (_, n) => `${n + 1}|export const ${noun}${n} = ${area}.get('${pick(NOUNS)}', ${roll(900)});`).join('\n'),
      );
      return;
    case 2:
      log.act(`Running the ${area} tests.`, 'terminal', { command: `npm test -- ${area}/${noun}` }, testRun(area, noun, roll));
      return;
    case 3:
      log.act(
        '',
        'terminal',
        { command: `tail -n 80 /var/log/${area}.log` },
        Array.from({ length: 80 }, () => logLine(area, roll)).join('\n'),
      );
      return;
    default:
      log.model(
        `The ${area} ${noun} now uses the shared ${pick(NOUNS)}; ${roll(40)} tests pass. The server and the database were not touched.`,
      );
  }
}

const testRun = (area: string, noun: string, roll: (below: number) => number): string =>
  [
    ...Array.from({ length: 25 }, (_, n) => `ok ${n + 1} - ${area} ${noun} case ${roll(1_000)} (${roll(90)} ms)`),
    '# tests 25',
    '# pass 25',
    '# fail 0',
  ].join('\n');

const logLine = (area: string, roll: (below: number) => number): string =>
  `2026-11-1${roll(5)}T0${roll(9)}:${10 + roll(49)}:00Z INFO ${area} request id=${roll(1e6)} status=200 took=${roll(400)}ms port=${40_000 + roll(9_000)} server=web-${roll(9)}`;

const NEEDLES: readonly ((log: LogWriter) => void)[] = [
  (log) => log.user('The invoice templates live in /srv/acme/templates/invoice-v3.hbs, do not touch the old ones.'),
  (log) => log.model('The staging proxy now listens on port 9443 because 8443 was taken by the metrics sidecar.'),
  (log) => {
    log.model('Two ways: keep Redis streams, or move the jobs to Postgres with SKIP LOCKED.');
    log.user('We go with Postgres and SKIP LOCKED for the job queue, Redis is one more thing to run.');
  },
  (log) =>
    log.act(
      'Running the import once more.',
      'terminal',
      { command: 'node scripts/import-customers.mjs --dry-run' },
      [
        'reading customers.csv',
        'row 1 ok',
        "TypeError: Cannot read properties of undefined (reading 'vatNumber')",
        '    at normalise (scripts/import-customers.mjs:118:27)',
        'exit code 1',
      ].join('\n'),
      {},
      true,
    ),
  (log) =>
    log.act(
      '',
      'terminal',
      { command: 'pg_restore --clean --if-exists -d acme_staging backups/2026-11-02.dump', workdir: '/srv/acme' },
      'done',
    ),
  (log) => log.user('The design of the new onboarding is at https://figma.example.com/file/Qx81Zk/onboarding-2027?node-id=42'),
  (log) => log.user('Set the upload size limit to 25 MB for all tenants.'),
  (log) => log.user('Die Kündigungsfrist im Vertragstext soll künftig sechs Wochen betragen, nicht mehr drei Monate.'),
  (log) => log.user('生产环境的数据库密码每九十天轮换一次，由运维负责。'),
  (log) => log.user('Never push to the main branch on Fridays; the release manager is away then.'),
  (log) => log.act('', 'terminal', { command: 'git log -1 --format=%H' }, '7f3c9be41d02aa6c5b1e9d8847f60123456789ab'),
  (log) => log.model('Fixed under ACME-4711: the rounding of discounts now uses half-even, see services/billing/src/discount-rounding.ts.'),
  (log) => log.user('Correction: raise the upload size limit to 40 MB, the customers send videos.'),
  (log) =>
    log.act(
      '',
      'write_file',
      { path: 'deploy/staging.env', content: 'NODE_ENV=staging\nSESSION_TTL_SECONDS=5400\nFEATURE_GIFT_CARDS=on\n' },
      'wrote 3 lines',
    ),
  (log) => log.user('サーバーの再起動は毎週火曜日の午前三時に行ってください。'),
  (log) => log.user('Резервные копии базы хранятся в бакете acme-backups-eu четырнадцать дней.'),
];

/** A session of some 400 rows of which all but the last twenty were summed up. */
export function longLog(seed = 7): LogWriter {
  const log = writeLog();
  const roll = dice(seed);
  log.user('Let us work through the backlog of the shop.');
  let [round, needle] = [0, 0];
  while (log.entries.length < 400) {
    hay(log, round++, roll);
    if (round % 14 === 0) NEEDLES[needle++]?.(log);
  }
  while (needle < NEEDLES.length) NEEDLES[needle++]?.(log);
  for (let more = 0; more < 30; more++) hay(log, round++, roll);
  log.compact(2, log.entries.length - 20);
  return log;
}
