/**
 * Makes a fixture of a home that another program has just written, without what names this machine:
 *   node scripts/proofs/pack-other-home.ts FOLDER NAME
 * FOLDER holds `.hermes` or `.openclaw`; the fixture is test/fixtures/homes-of-others/NAME.tar.gz.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const [from = '', name = ''] = process.argv.slice(2);
const folder = name.startsWith('openclaw') ? '.openclaw' : '.hermes';
const stage = mkdtempSync(join(tmpdir(), 'other-home-'));

/** What only helps the program itself: logs, caches, locks, repositories. */
const NOISE =
  /(?:^|\/)(?:logs|cache|tmp|media|migration|plugin-skills|\.git)(?:\/|$)|memory-reindex|reindex-lock|quarantine|fingerprint|\.bak|generation-|\.update_check/;
/** Texts of the program's own are not ours to hand on. */
const TEMPLATES = /workspace(?:-\w+)?\/(?:AGENTS|BOOTSTRAP|IDENTITY|USER)\.md$|workspace-\w+\/SOUL\.md$/;
cpSync(join(from, folder), join(stage, folder), {
  recursive: true,
  preserveTimestamps: true,
  filter: (path) => !NOISE.test(relative(from, path)) && !TEMPLATES.test(path),
});
if (folder === '.openclaw') scrub(join(stage, folder));
const tar = execFileSync('tar', ['-C', stage, '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-cf', '-', folder], {
  maxBuffer: 1 << 28,
});
const packed = execFileSync('gzip', ['-9n'], { input: tar, maxBuffer: 1 << 28 });
writeFileSync(resolve('test/fixtures/homes-of-others', `${name}.tar.gz`), packed);
rmSync(stage, { recursive: true });

/** Paths of the installation, a random token and what the program recorded about itself. */
function scrub(home: string): void {
  const config = join(home, 'openclaw.json');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/("token": ")\w+/, '$1fixture'));
  clean(
    join(home, 'state', 'openclaw.sqlite'),
    "DELETE FROM config_machine_state WHERE state_key LIKE 'plugins.%'; DELETE FROM diagnostic_events; DELETE FROM cron_jobs WHERE declaration_key IS NOT NULL",
  );
  for (const agent of readdirSync(join(home, 'agents')))
    clean(
      join(home, 'agents', agent, 'agent', 'openclaw-agent.sqlite'),
      "UPDATE session_nodes SET entry_json = json_remove(entry_json, '$.skillsSnapshot', '$.systemPromptReport'); DELETE FROM trajectory_runtime_events",
    );
}

function clean(path: string, sql: string): void {
  if (!existsSync(path)) return;
  const database = new DatabaseSync(path);
  database.exec(`${sql}; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}
