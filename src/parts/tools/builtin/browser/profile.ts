import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNumberAt, parseJson, readStringAt } from '../../../../base/json.ts';
import { isAlive, isNear, identifyOwnProcess } from '../../../../base/process-identity.ts';

const PREFIX = 'hermes-browser-';
const OWNER = 'owner.json';

export interface ProfileFolder extends AsyncDisposable {
  readonly root: string;
  /** The browser's own data. */
  readonly data: string;
  /** Where bytes of a download gather before it has a name. */
  readonly arriving: string;
}

/** A folder for one browser, nobody else's to read and gone with it. Those of processes that were killed go first. */
export async function openProfile(parent = tmpdir()): Promise<ProfileFolder> {
  await sweep(parent);
  const root = await mkdtemp(join(parent, PREFIX));
  await writeFile(join(root, OWNER), JSON.stringify(identifyOwnProcess()), { mode: 0o600 });
  const [data, arriving] = [join(root, 'data'), join(root, 'arriving')];
  await Promise.all([mkdir(data, { mode: 0o700 }), mkdir(arriving, { mode: 0o700 })]);
  // A browser that is just ending may still write into it.
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  return { root, data, arriving, [Symbol.asyncDispose]: remove };
}

async function sweep(parent: string): Promise<void> {
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(PREFIX));
  for (const name of names)
    if (await isLeft(join(parent, name))) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
}

/** Whether its process is gone. What cannot be read belongs to somebody else or is just being made. */
async function isLeft(folder: string): Promise<boolean> {
  const owner = parseJson(await readFile(join(folder, OWNER), 'utf8').catch(() => ''));
  const [pid, host, space, started] = [
    readNumberAt(owner, 'pid'),
    readStringAt(owner, 'host'),
    readStringAt(owner, 'space'),
    readStringAt(owner, 'started'),
  ];
  if (pid === undefined || host === undefined || space === undefined || started === undefined) return false;
  return isNear({ pid, host, space, started }) && !isAlive({ pid, started });
}
