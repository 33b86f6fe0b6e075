import { answered, type Attempt } from '../row.ts';

/** In the declared run too, `exec` is not declared. */
const NOTHING_OF_USE = 'capabilities: { prompt: true }';

/** Ways to start a program or native code that do not say `child_process`. */
export const RUNTIME_ATTEMPTS: readonly Attempt[] = [
  {
    name: 'starts a program in a worker thread',
    allowed: 'never',
    declares: NOTHING_OF_USE,
    code: `const { Worker } = await import('node:worker_threads');
      const worker = new Worker("require('node:worker_threads').parentPort.postMessage(require('node:child_process').execFileSync('/bin/echo', ['started it']).toString())", { eval: true, execArgv: ['--no-warnings'] });
      return new Promise((done, fail) => { worker.once('message', done); worker.once('error', fail); });`,
    cameOff: answered(/^started it/),
  },
  {
    name: 'starts a program by the bindings of the runtime',
    allowed: 'never',
    declares: NOTHING_OF_USE,
    code: `const { spawnSync } = await import('node:child_process'); const { createRequire } = await import('node:module');
      const binding = (() => { try { return process.binding('spawn_sync'); } catch { return undefined; } })();
      if (binding !== undefined) return binding.spawn({ file: '/bin/echo', args: ['echo', 'started it'], stdio: [{ type: 'pipe', readable: true }, { type: 'pipe', writable: true }] }).output[1].toString();
      const { ChildProcess } = createRequire(import.meta.url)('node:child_process');
      const child = new ChildProcess(); child.spawn({ file: '/bin/echo', args: ['echo', 'started it'], stdio: ['ignore', 'pipe', 'ignore'], envPairs: [] });
      return new Promise((done, fail) => { child.stdout.on('data', (bytes) => done(String(bytes))); child.on('error', fail); });`,
    cameOff: answered(/^started it/),
  },
  {
    name: 'starts a program with cluster',
    allowed: 'never',
    declares: NOTHING_OF_USE,
    code: `const { default: cluster } = await import('node:cluster');
      cluster.setupPrimary({ exec: '/dev/null', silent: true });
      const worker = cluster.fork();
      return new Promise((done, fail) => { worker.on('online', () => { worker.process.kill('SIGKILL'); done('started it'); }); worker.on('error', fail); });`,
    cameOff: answered(/^started it/),
  },
  {
    name: 'replaces its process with a program',
    allowed: 'never',
    declares: NOTHING_OF_USE,
    code: `process.execve('/bin/sh', ['sh', '-c', 'echo started it > ' + host.dataFolder + '/started'], {});`,
    noControl: 'the control would be replaced too',
    cameOff: (evidence) => evidence.now('{{home}}/plugin-data/{{plugin}}/started') !== undefined,
    process: 'own',
  },
  {
    name: 'loads native code',
    allowed: 'never',
    declares: NOTHING_OF_USE,
    code: `const library = /[/][^ ]*libc\\.so\\.6|[/][^ ]*libc[-.0-9]*\\.so|[/][^ ]*ld-musl[^ ]*/.exec((await import('node:fs')).readFileSync('/proc/self/maps', 'utf8'))[0].trim();
      try { process.dlopen({ exports: {} }, library); return 'LOADED'; } catch (error) { return error.message.includes('self-register') ? 'LOADED' : error.message; }`,
    cameOff: answered(/^LOADED/),
    process: 'own',
  },
  {
    name: 'loads native code as an extension of SQLite',
    allowed: 'never',
    declares: NOTHING_OF_USE,
    code: `const { DatabaseSync } = await import('node:sqlite');
      const library = /[/][^ ]*libc\\.so\\.6|[/][^ ]*libc[-.0-9]*\\.so|[/][^ ]*ld-musl[^ ]*/.exec((await import('node:fs')).readFileSync('/proc/self/maps', 'utf8'))[0].trim();
      try { new DatabaseSync(':memory:', { allowExtension: true }).loadExtension(library); return 'LOADED'; } catch (error) { return error.message.includes('undefined symbol') ? 'LOADED' : error.message; }`,
    cameOff: answered(/^LOADED/),
    process: 'own',
  },
  {
    name: 'starts a program with flags that it put into NODE_OPTIONS',
    allowed: 'never',
    declares: NOTHING_OF_USE,
    code: `process.env.NODE_OPTIONS = '--no-permission --allow-child-process'; process.execArgv.length = 0; process.noDeprecation = true;
      try { process.permission.has = () => true; } catch {}
      const { execFileSync } = await import('node:child_process');
      return execFileSync('/bin/echo', ['started it'], { execArgv: [], shell: false }).toString();`,
    cameOff: answered(/^started it/),
    process: 'own',
  },
  {
    name: 'opens the debugger of its process to others',
    allowed: 'never',
    declares: NOTHING_OF_USE,
    code: `const inspector = await import('node:inspector'); inspector.open(0, '127.0.0.1');
      const url = inspector.url(); inspector.close();
      return (await import('node:fs')).existsSync('/proc/{{bystanderPid}}') ? 'DEBUGGED ' + url : 'alone';`,
    cameOff: answered(/^DEBUGGED/),
    process: 'own',
  },
];
