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
