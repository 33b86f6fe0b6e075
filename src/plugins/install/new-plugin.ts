import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { PACKAGE_KEYWORD, RESERVED_NAMES } from '../discover.ts';

const NAME = /^[a-z][a-z0-9_-]{0,40}$/;

/** Writes the folder of a plugin that has a tool and a test, below `cwd`. Nothing that is there is written over. */
export function writeNewPlugin(
  name: string,
  cwd: string,
): { readonly name: string; readonly path: string; readonly files: readonly string[] } {
  if (!NAME.test(name) || RESERVED_NAMES.includes(name))
    throw new UsageError(
      `${name} cannot be the name of a plugin. It must begin with a lowercase letter and have only lowercase letters, digits, - and _.`,
    );
  const path = resolve(cwd, name);
  if (existsSync(path)) throw new UsageError(`${path} already exists and was left as it is. Choose another name, or remove it first.`);
  mkdirSync(path, { recursive: true });
  const files = Object.entries(TEMPLATE).map(([file, write]) => [file, write(name, name.replaceAll('-', '_'))] as const);
  for (const [file, text] of files) writeFileSync(join(path, file), text, { flag: 'wx' });
  return { name, path, files: files.map(([file]) => file) };
}

/** Runs TypeScript as it is. */
const LEAST_NODE = 24;
const CHECK_NODE = `parseInt(process.versions.node) >= ${LEAST_NODE} || (console.error('These tests need Node.js ${LEAST_NODE} or later; this is ' + process.version), process.exit(1))`;

/** By file, from the plugin's name and the name its tool has. */
const TEMPLATE: Readonly<Record<string, (name: string, tool: string) => string>> = {
  'plugin.yaml': (
    name,
    tool,
  ) => `# Lists everything the plugin brings. What the code adds and this file does not list is left out, with a warning.
name: ${name}
version: 0.1.0
description: Greets people by name
api: 1
entry: index.ts

tools:
  - name: ${tool}_greet
    description: Greets a person by name.
    effects: read
    replay: safe
    input:
      type: object
      properties:
        who: { type: string, description: the name of the person }
      required: [who]

settings:
  greeting: { kind: string, default: Hello, describe: The first word of every greeting }

# What it may do beyond computing; each line is shown to whoever enables it.
# capabilities:
#   network: [api.example.com]
#   secrets: [EXAMPLE_API_KEY]
#   exec: true
#   prompt: true
`,
  'index.ts': (name, tool) => `import type { Plugin } from 'hermes-ts/plugin';

const settings = { greeting: { kind: 'string', default: 'Hello', describe: 'The first word of every greeting' } } as const;

export default {
  name: '${name}',
  settings,
  setup(host, { greeting }) {
    host.tools.add({
      name: '${tool}_greet',
      run: ({ who }: { readonly who: string }) => \`\${greeting}, \${who}!\`,
    });
  },
} satisfies Plugin<typeof settings>;
`,
  'index.test.ts': (_name, tool) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import plugin from './index.ts';

/** Keeps the tools that setup adds. The conformance suite in hermes-ts/testing proves more. */
function setUp(greeting: string) {
  const tools = new Map<string, { run(input: object, context: object): unknown }>();
  const add = (tool: { readonly name: string }) => {
    tools.set(tool.name, tool as never);
    return { [Symbol.dispose]: () => void tools.delete(tool.name) };
  };
  plugin.setup({ tools: { add } } as never, { greeting });
  return tools;
}

test('it greets by name, with the word of the settings', async () => {
  const tool = setUp('Good morning').get('${tool}_greet');
  assert.equal(await tool?.run({ who: 'Ada' }, {}), 'Good morning, Ada!');
});
`,
  'package.json': (name) =>
    `${JSON.stringify(
      {
        name: `hermes-plugin-${name}`,
        version: '0.1.0',
        type: 'module',
        keywords: [PACKAGE_KEYWORD],
        engines: { node: `>=${LEAST_NODE}` },
        // An older one finds no test in TypeScript and says that all is well.
        scripts: { pretest: `node -e "${CHECK_NODE}"`, test: 'node --test' },
      },
      undefined,
      2,
    )}\n`,
  'README.md': (name, tool) => `# ${name}

A plugin for Hermes. It adds the tool \`${tool}_greet\`.

| To | Type |
|---|---|
| run its test | \`npm test\` (Node.js ${LEAST_NODE} or later) |
| install it | \`hermes plugins install ./${name}\` |
| let it run | \`hermes plugins enable ${name}\` |
| bring a change in | \`hermes plugins update ${name}\`, then enable it again |
| see what is wrong | \`hermes plugins doctor ${name}\` |

Setting: \`plugins.entries.${name}.settings.greeting\`, the first word of every greeting.

A package for npm must bring JavaScript: compile \`index.ts\` and name the result in \`plugin.yaml\`.
`,
};
