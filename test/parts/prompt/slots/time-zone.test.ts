import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLocalZone, readZoneName, type ZoneView } from '../../../../src/parts/prompt/slots/time-zone.ts';

const view = (tz?: string, link?: string, file?: string): ZoneView => ({
  env: { TZ: tz },
  link: (path) => (path === '/etc/localtime' ? link : undefined),
  read: (path) => (path === '/etc/timezone' ? file : undefined),
});

const CASES: readonly { readonly given: ZoneView; readonly name: string | undefined }[] = [
  { given: view('Europe/Berlin', '/usr/share/zoneinfo/Asia/Tokyo'), name: 'Europe/Berlin' },
  { given: view(':America/Argentina/Buenos_Aires'), name: 'America/Argentina/Buenos_Aires' },
  { given: view('UTC'), name: 'UTC' },
  { given: view('Etc/GMT+5'), name: 'Etc/GMT+5' },
  { given: view(':/usr/share/zoneinfo/Asia/Tokyo'), name: 'Asia/Tokyo' },
  // A rule or a path is no name, and the files do not say what is in force then.
  { given: view('CET-1CEST', '/usr/share/zoneinfo/Asia/Tokyo', 'Asia/Tokyo\n'), name: undefined },
  { given: view('/etc/localtime', '/usr/share/zoneinfo/Asia/Tokyo'), name: undefined },
  { given: view('', '/usr/share/zoneinfo/Asia/Tokyo'), name: undefined },
  { given: view(undefined, '/usr/share/zoneinfo/Asia/Tokyo', 'Europe/Paris\n'), name: 'Asia/Tokyo' },
  { given: view(undefined, '../usr/share/zoneinfo/posix/Asia/Tokyo'), name: 'Asia/Tokyo' },
  { given: view(undefined, '/var/db/timezone/zoneinfo/Europe/Berlin'), name: 'Europe/Berlin' },
  { given: view(undefined, undefined, 'Europe/Paris\n'), name: 'Europe/Paris' },
  { given: view(undefined, '/opt/my-clock', 'Europe/Paris'), name: 'Europe/Paris' },
  { given: view(undefined, undefined, '# set by hand\nEurope/Paris'), name: undefined },
  { given: view(), name: undefined },
];

for (const { given, name } of CASES) {
  const seen = JSON.stringify([given.env['TZ'], given.link('/etc/localtime'), given.read('/etc/timezone')]);
  test(`${seen} is ${name ?? 'no name'}`, () => assert.equal(readZoneName(given), name));
}

test('the offset is that of the moment, east of UTC', () => {
  const at = Date.UTC(2026, 6, 1);
  assert.deepEqual(readLocalZone(at, view('Europe/Berlin')), { name: 'Europe/Berlin', offset: -new Date(at).getTimezoneOffset() });
  assert.deepEqual(readLocalZone(at, view('')), { offset: -new Date(at).getTimezoneOffset() });
});
