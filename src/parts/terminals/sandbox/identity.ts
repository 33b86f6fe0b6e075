import { userInfo } from 'node:os';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownFolder } from './mounts.ts';

/** Stands in place of the machine's own users, groups and hosts: who runs the command, and what every program expects. */
export function writeIdentity(folder: string): readonly ShownFolder[] {
  const { username, uid, gid } = userInfo();
  const own = uid === 0 || uid === NOBODY;
  const files = {
    passwd: [
      'root:x:0:0:root:/root:/bin/sh',
      ...(own ? [] : [`${username}:x:${uid}:${gid}::/:/bin/sh`]),
      `nobody:x:${NOBODY}:${NOBODY}:nobody:/:/bin/false`,
    ],
    group: ['root:x:0:', ...(own ? [] : [`${username}:x:${gid}:`]), `nogroup:x:${NOBODY}:`],
    hosts: ['127.0.0.1 localhost sandbox', '::1 localhost'],
  };
  return Object.entries(files).map(([name, lines]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    return { at: `/etc/${name}`, from: join(folder, name) };
  });
}
const NOBODY = 65_534;
