import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';

/** Who may import whom. A band with rooms (`parts`, `faces`, `platforms`) never imports a neighbouring room. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contracts: ['base'],
  agent: ['base', 'contracts'],
  parts: ['base', 'contracts'],
  platforms: ['base', 'contracts'],
  commands: ['base', 'contracts'],
  plugins: ['base', 'contracts'],
  testing: ['base', 'contracts'],
  faces: ['base', 'contracts', 'agent', 'commands'],
  app: ['base', 'contracts', 'agent', 'parts', 'platforms', 'commands', 'plugins', 'faces', 'testing'],
  'main.ts': ['base', 'app'],
  'cli.ts': ['contracts', 'app'],
  'index.ts': ['base', 'contracts', 'agent', 'parts', 'testing', 'app'],
  'plugin.ts': ['base', 'contracts'],
};
const ROOMED = new Set(['parts', 'faces', 'platforms']);
const IMPORT = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

const FILES = globSync('src/**/*.ts');
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path));
const place = (path: string) => {
  const [band = '', room = ''] = relative('src', path).split(sep);
  return { band, room: ROOMED.has(band) ? room : '' };
};

test('imports only point down', () => {
  const wrong = FILES.flatMap((file) => {
    const from = place(file);
    const allowed = (target: string) => {
      const to = place(target);
      return to.band === from.band ? to.room === from.room : (MAY_IMPORT[from.band]?.includes(to.band) ?? false);
    };
    return importsOf(file)
      .filter((target) => !allowed(target))
      .map((target) => `${file} -> ${target}`);
  });
  assert.deepEqual(wrong, []);
});

test('no file imports itself by a detour', () => {
  const graph = new Map(FILES.map((file) => [file, runtimeImports(file)]));
  const cycles: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of FILES) visit(file, []);
  assert.deepEqual(cycles, []);
});

/** Imports that load code: types vanish, and a dynamic import waits until it is asked for. */
function runtimeImports(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/^(?:import|export)\s+type\s[^;]*;/gm, '');
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from\s+['"](\.[^'"]+)['"]/gm)].map(([, path = '']) => join(dirname(file), path));
}

test('only main.ts, index.ts and cli.ts import the app', () => {
  const wrong = FILES.filter(
    (file) =>
      !['app', 'main.ts', 'index.ts', 'cli.ts'].includes(place(file).band) &&
      importsOf(file).some((target) => place(target).band === 'app'),
  );
  assert.deepEqual(wrong, []);
});

test('nothing in the core knows a global event emitter or writes the environment', () => {
  const wrong = FILES.filter((file) => ['agent', 'parts', 'contracts', 'base'].includes(place(file).band)).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const bad = [/process\.env\[[^\]]+\]\s*=[^=]/, /process\.env\.\w+\s*=[^=]/, /new EventEmitter/].filter((pattern) => pattern.test(text));
    return bad.map((pattern) => `${file}: ${pattern}`);
  });
  assert.deepEqual(wrong, []);
});

/** Code that another process runs: the script side of `execute_code` is read as text and speaks over its own streams. */
const FOR_OTHER_PROCESSES: ReadonlySet<string> = new Set([join('src', 'parts', 'tools', 'builtin', 'execute-code', 'javascript.ts')]);
const STREAM = /\bprocess\.(?:stdout|stderr|stdin)\b|\bconsole\.(?:log|error|warn|info|debug)\(/;

test('nothing below a face touches the streams of the process', () => {
  const wrong = FILES.filter((file) => !['faces', 'main.ts'].includes(place(file).band) && !FOR_OTHER_PROCESSES.has(file)).filter((file) =>
    STREAM.test(withoutTexts(readFileSync(file, 'utf8'))),
  );
  assert.deepEqual(wrong, []);
});

/** Without comments and template texts, in which such words may be spoken of. */
const withoutTexts = (code: string): string =>
  code
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/`(?:[^`\\]|\\.)*`/g, '``');

/** A room is what `app` joins. `base` and `contracts` are everybody's, and what tests use is no room. */
const roomOf = (path: string): string | undefined => {
  const { band, room } = place(path);
  if (['base', 'contracts', 'app', 'testing'].includes(band)) return undefined;
  return room === '' ? band : `${band}/${room}`;
};

test('every file of app joins at least two rooms', () => {
  const lonely = FILES.filter((file) => place(file).band === 'app').flatMap((file) => {
    const rooms = new Set(importsOf(file).flatMap((target) => roomOf(target) ?? []));
    return rooms.size < 2 ? [`${file}: ${[...rooms].join(', ')}`] : [];
  });
  assert.deepEqual(lonely, []);
});
