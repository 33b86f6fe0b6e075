import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { program } from '../../../program.ts';
import type { XtermScreen } from '../screen/xterm.ts';

/** A place where `bin/hermes` starts another program than hermes: the launcher as it is, with a small program behind it. */
export function stageLauncher(source: string): { readonly folder: string; readonly launcher: string; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), 'launcher-'));
  for (const name of ['bin', 'dist', 'node_modules/.bin']) mkdirSync(join(folder, name), { recursive: true });
  const launcher = join(folder, 'bin/hermes');
  copyFileSync('bin/hermes', launcher);
  chmodSync(launcher, 0o755);
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'));
  writeFileSync(join(folder, 'dist/main.cjs'), `import(${JSON.stringify(program(resolve(source)))});\n`);
  return { folder, launcher, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A shell with jobs on a terminal, driven as a person would drive it. With a screen, what programs ask the terminal is answered. */
export async function openShell(cwd: string, env: Readonly<Record<string, string>> = {}, screen?: XtermScreen) {
  const { spawn } = await import('@lydell/node-pty');
  const rc = join(cwd, 'inputrc');
  writeFileSync(rc, 'set enable-bracketed-paste off\n');
  const shell = spawn('bash', ['--norc', '--noprofile', '-i'], {
    cwd,
    cols: 80,
    rows: 24,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, INPUTRC: rc, TERM: 'xterm-256color', PS1: '§ ', ...env },
  });
  let output = '';
  let wake = (): void => undefined;
  shell.onData((data) => {
    output += data;
    screen?.write(data);
    wake();
  });
  screen?.terminal.onData((answer) => shell.write(answer));
  return {
    pid: shell.pid,
    type: (text: string) => shell.write(text),
    resize: (columns: number, rows: number) => {
      screen?.resize({ columns, rows });
      shell.resize(columns, rows);
    },
    get output() {
      return output;
    },
    /** What came since a place in the output, once it matches. */
    async until(form: RegExp, from = 0, ms = 20_000): Promise<string> {
      const deadline = Date.now() + ms;
      while (!form.test(output.slice(from))) {
        if (Date.now() > deadline) throw new Error(`${String(form)} did not come: ${JSON.stringify(output.slice(from).slice(-600))}`);
        await Promise.race([new Promise<void>((done) => (wake = done)), new Promise((done) => setTimeout(done, 100))]);
      }
      return output.slice(from);
    },
    /** Runs a line in the shell and gives the file it wrote. */
    async settings(name: string): Promise<string> {
      const from = output.length;
      // What was typed for the program and came too late is thrown away.
      shell.write(`\u0015stty -a > ${name}; echo "do"ne ${name}\r`);
      await this.until(new RegExp(`done ${name}`), from);
      return readFileSync(join(cwd, name), 'utf8');
    },
    close: () => shell.kill('SIGKILL'),
  };
}
export type Shell = Awaited<ReturnType<typeof openShell>>;

/** Modes that are still on after so many bytes, by their names. */
export function modesLeftOn(output: string): string[] {
  const on = new Set<string>();
  let pushed = 0;
  // oxlint-disable-next-line no-control-regex -- sequences are what this is about
  for (const [, mode, set, keys] of output.matchAll(/\u001b\[(?:\?(\d+)([hl])|(>5u|<u|>4;[02]m|2[23];0t))/g)) {
    // Either way leads back to the main screen; the second leaves the cursor where it is.
    if (mode !== undefined) on[set === 'h' ? 'add' : 'delete'](mode === '1047' ? '1049' : mode);
    if (keys === '22;0t') on.add('title');
    if (keys === '23;0t') on.delete('title');
    if (keys === '>5u') pushed += 1;
    if (keys === '<u') pushed = Math.max(0, pushed - 1);
    if (keys === '>4;2m') on.add('other keys');
    if (keys === '>4;0m') on.delete('other keys');
  }
  // A shown cursor and wrapping are on in any terminal.
  for (const usual of ['25', '7']) if (!on.delete(usual) && output.includes(`\u001b[?${usual}l`)) on.add(`${usual} off`);
  return pushed > 0 ? [...on, 'kitty keys'] : [...on];
}
