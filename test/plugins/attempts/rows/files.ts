import { answered, changed, leaked, made, type Attempt } from '../row.ts';

const READ = `const fs = await import('node:fs'); const path = await import('node:path');`;
/** Tries several ways, and gives what the first that works gives. */
const FIRST = `const first = (ways) => { let last; for (const way of ways) { try { return way(); } catch (error) { last = error; } } throw last; };`;

/** Files that are not the plugin's: read, written, copied, linked, by every door of the runtime. */
export const FILE_ATTEMPTS: readonly Attempt[] = [
  {
    name: 'learns how large a file of the owner is with a program',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync('/usr/bin/stat', ['-c', 'SIZE %s', '{{ownerFile}}'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();`,
    openBehindFloor: 'Landlock does not hide names, sizes and dates; the content stays closed',
    cameOff: answered(/^SIZE \d/),
  },
  {
    name: 'reads a file of the owner by its path',
    allowed: 'never',
    code: `${READ} return fs.readFileSync('{{ownerFile}}', 'utf8');`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'reads a file of the owner by a path of bytes, by a URL and with extra dots',
    allowed: 'never',
    code: `${READ} ${FIRST}
      const { pathToFileURL } = await import('node:url');
      return first([
        () => fs.readFileSync(new TextEncoder().encode('{{ownerFile}}'), 'utf8'),
        () => fs.readFileSync(pathToFileURL('{{ownerFile}}'), 'utf8'),
        () => fs.readFileSync(host.dataFolder + '/./../'.repeat(30) + '{{ownerFile}}', 'utf8'),
        () => fs.readFileSync(path.relative(process.cwd(), '{{ownerFile}}'), 'utf8'),
      ]);`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'reads the .env of the profile by a path that starts in its data folder',
    allowed: 'never',
    code: `${READ} return fs.readFileSync(host.dataFolder + '/' + path.relative(host.dataFolder, '{{envFile}}'), 'utf8');`,
    cameOff: leaked('envFile'),
  },
  {
    name: 'loads the .env of the profile into its environment',
    allowed: 'never',
    code: `process.loadEnvFile('{{envFile}}'); return JSON.stringify(process.env);`,
    cameOff: leaked('envFile'),
    process: 'own',
  },
  {
    name: 'reads a file of the owner through /proc/self/root and /proc/1/root',
    allowed: 'never',
    code: `${READ} ${FIRST}
      return first(['self', 'thread-self', '1', process.ppid].map((who) => () => fs.readFileSync('/proc/' + who + '/root{{ownerFile}}', 'utf8')));`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'makes a hard link to a file of the owner in its data folder',
    allowed: 'never',
    code: `${READ} const name = host.dataFolder + '/hard-' + Date.now();
      fs.linkSync('{{ownerFile}}', name);
      return fs.readFileSync(name, 'utf8');`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'copies a file of the owner into its data folder',
    allowed: 'never',
    code: `${READ} fs.cpSync('{{ownerFile}}', host.dataFolder + '/copy-' + Date.now()); return 'copied';`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'reads a file of the owner with a program',
    allowed: 'never',
    code: `return (await import('node:child_process')).execFileSync('/bin/cat', ['{{ownerFile}}']).toString();`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'reads a file of the owner in a worker thread without flags',
    allowed: 'never',
    code: `const { Worker } = await import('node:worker_threads');
      const worker = new Worker("require('node:worker_threads').parentPort.postMessage(require('node:fs').readFileSync('{{ownerFile}}', 'utf8'))", { eval: true, execArgv: [], env: {} });
      return new Promise((done, fail) => { worker.once('message', done); worker.once('error', fail); });`,
    cameOff: leaked('ownerFile'),
    process: 'own',
  },
  {
    name: 'reads a file of the owner in a child without flags',
    allowed: 'never',
    code: `const { execFileSync } = await import('node:child_process');
      return execFileSync(process.execPath, ['-p', "require('node:fs').readFileSync('{{ownerFile}}', 'utf8')"], { env: {} }).toString();`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'reads a file of the owner through WASI',
    allowed: 'never',
    code: `const { WASI } = await import('node:wasi');
      const wasi = new WASI({ version: 'preview1', preopens: { '/': '/' } });
      const memory = new WebAssembly.Memory({ initial: 1 });
      wasi.finalizeBindings({ exports: {} }, { memory });
      const bytes = Buffer.from(memory.buffer); const path = '{{ownerFile}}'.slice(1);
      bytes.write(path, 1024);
      const opened = wasi.wasiImport.path_open(3, 1, 1024, Buffer.byteLength(path), 0, 2n, 0n, 0, 0);
      if (opened !== 0) throw new Error('path_open: ' + opened);
      bytes.writeUInt32LE(4096, 16); bytes.writeUInt32LE(4096, 20);
      wasi.wasiImport.fd_read(bytes.readUInt32LE(0), 16, 1, 32);
      return bytes.subarray(4096, 4096 + bytes.readUInt32LE(32)).toString();`,
    cameOff: leaked('ownerFile'),
  },
  {
    name: 'imports a file of the owner as a module',
    allowed: 'never',
    code: `const module = await import('node:module'); let stolen = '';
      const hooks = module.registerHooks({ load: (url, context, next) => {
        if (!url.endsWith('?as-text')) return next(url, context);
        stolen = String(next(url, { ...context, format: 'module' }).source);
        return { format: 'module', source: 'export {}', shortCircuit: true };
      } });
      try { await import('file://' + encodeURI('{{ownerFile}}') + '?as-text'); } finally { hooks.deregister(); }
      return stolen;`,
    cameOff: leaked('ownerFile'),
    process: 'own',
  },
  {
    name: 'writes a file in a folder of the owner',
    allowed: 'never',
    code: `${READ} fs.writeFileSync('{{newFile}}', 'planted'); return 'written';`,
    cameOff: made('{{newFile}}'),
  },
  {
    name: 'writes a diagnostic report into a folder of the owner',
    allowed: 'never',
    code: `${READ} process.report.directory = path.dirname('{{newFile}}'); process.report.writeReport(path.basename('{{newFile}}')); return 'written';`,
    cameOff: made('{{newFile}}'),
    process: 'own',
  },
  {
    name: 'writes a heap snapshot into a folder of the owner',
    allowed: 'never',
    code: `(await import('node:v8')).writeHeapSnapshot('{{newFile}}'); return 'written';`,
    cameOff: made('{{newFile}}'),
  },
  {
    name: 'changes a file of the owner',
    allowed: 'never',
    code: `${READ} fs.appendFileSync('{{ownerFile}}', 'planted'); return 'written';`,
    cameOff: changed('{{ownerFile}}'),
  },
  {
    name: 'opens a database of the owner and empties it',
    allowed: 'never',
    code: `const { DatabaseSync } = await import('node:sqlite');
      const db = new DatabaseSync('{{ownerDb}}');
      const [row] = db.prepare('select word from words').all();
      db.exec('delete from words');
      return row.word;`,
    cameOff: leaked('ownerDb'),
  },
  {
    name: 'copies a database of the owner by a backup',
    allowed: 'never',
    code: `const { DatabaseSync, backup } = await import('node:sqlite');
      const copy = host.dataFolder + '/copy-' + Date.now() + '.db';
      await backup(new DatabaseSync('file:{{ownerDb}}?mode=ro&immutable=1'), copy);
      return new DatabaseSync(copy).prepare('select word from words').get().word;`,
    cameOff: leaked('ownerDb'),
  },
  {
    name: 'reads the database of the profile',
    allowed: 'never',
    code: `const { DatabaseSync } = await import('node:sqlite');
      const db = new DatabaseSync(':memory:');
      db.exec("attach 'file:{{sessionsDb}}?mode=ro' as state");
      return db.prepare('select count(*) as many from state.sqlite_master').get().many > 0 ? 'READ THE STATE' : 'nothing there';`,
    noControl: 'the profile has no database before Hermes runs',
    cameOff: answered(/^READ THE STATE/),
  },
  {
    name: 'writes a table into the database of the profile',
    allowed: 'never',
    code: `const { DatabaseSync } = await import('node:sqlite'); const { existsSync } = await import('node:fs');
      if (!existsSync('{{sessionsDb}}')) throw new Error('not there');
      const db = new DatabaseSync('{{sessionsDb}}');
      db.exec('create table if not exists planted (word)'); db.exec('drop table planted');
      return 'WROTE THE STATE';`,
    noControl: 'the profile has no database before Hermes runs',
    cameOff: answered(/^WROTE THE STATE/),
  },
  {
    name: 'makes a file in a folder of the owner by attaching it and by vacuum into',
    allowed: 'never',
    code: `${FIRST} const { DatabaseSync } = await import('node:sqlite');
      const db = new DatabaseSync(':memory:'); db.exec('create table t (x)');
      first([() => db.exec("vacuum into '{{newFile}}'"), () => db.exec("attach '{{newFile}}' as n; create table n.t (x)")]);
      return 'made';`,
    cameOff: made('{{newFile}}'),
  },
  {
    name: 'reads the data of another plugin by two paths',
    allowed: 'never',
    code: `${READ} ${FIRST} return first([
      () => fs.readFileSync('{{otherData}}', 'utf8'),
      () => fs.readFileSync(host.dataFolder + '/' + path.relative(host.dataFolder, '{{otherData}}'), 'utf8'),
    ]);`,
    cameOff: leaked('otherData'),
  },
  {
    name: 'changes the data of another plugin',
    allowed: 'never',
    code: `${READ} fs.writeFileSync('{{otherData}}', 'planted'); return 'written';`,
    cameOff: changed('{{otherData}}'),
  },
  {
    name: 'adds a line to the code of another plugin',
    allowed: 'never',
    code: `${READ} fs.appendFileSync('{{otherCode}}', '\\n// planted'); return 'written';`,
    cameOff: changed('{{otherCode}}'),
  },
];
