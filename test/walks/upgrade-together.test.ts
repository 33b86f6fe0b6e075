import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { NEWEST_VERSION } from '../../src/parts/store/sqlite/migrations/all.ts';
import { tempHome } from './hermes.ts';
import { unpackHome } from './old-home.ts';

test('ten commands on an old home right after an upgrade all succeed, also when earlier ones were killed', async () => {
  const place = unpackHome(join(tempHome(), 'old'));
  const count = Object.keys(place.lengths).length;
  const list = (killAfter?: number) =>
    place.run(['sessions', 'list', '--limit', '100', '--json'], {
      started: (child) => killAfter !== undefined && setTimeout(() => child.kill('SIGKILL'), killAfter),
    });
  for (const wait of [150, 250, 350]) await Promise.all([1, 2, 3].map((each) => list(wait + each * 20)));
  const runs = await Promise.all(Array.from({ length: 10 }, () => list()));
  deepEqual(
    runs.filter(({ code }) => code !== 0).map(({ err }) => err),
    [],
  );
  for (const { out } of runs) equal((JSON.parse(out) as unknown[]).length, count);
  const names = readdirSync(place.home);
  const copies = names.filter((name) => name.includes('.version-') && !name.includes('.part-'));
  ok(copies.length > 0, names.join(' '));
  for (const name of [...copies, 'sessions.db']) {
    const file = new DatabaseSync(join(place.home, name));
    const version = file.prepare('PRAGMA user_version').get()?.['user_version'];
    deepEqual(
      [version, file.prepare('PRAGMA integrity_check').get()?.['integrity_check']],
      [name === 'sessions.db' ? NEWEST_VERSION : 2, 'ok'],
      name,
    );
    file.close();
  }
});
