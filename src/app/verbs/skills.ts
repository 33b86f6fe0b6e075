import { UsageError } from '../../base/errors.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ScanText } from '../../contracts/scan.ts';
import { allowedHashes } from '../../parts/safety/scan/allow-list.ts';
import { homeAt } from '../../base/home.ts';
import { printable } from '../../base/printable.ts';
import type { SkillScene } from '../../contracts/skills.ts';
import {
  renderSkillChecks,
  renderInstallPlan,
  renderSkills,
  renderSkill,
  skillChecksJson,
  skillsJson,
  type SkillInstallView,
} from '../../faces/cli/skills.ts';
import type { JsonFlag, SkillInstallFlags } from '../../faces/cli/verbs.ts';
import { checkSkills } from '../../parts/skills/check.ts';
import { systemName } from '../../parts/skills/conditions.ts';
import { installSkills, removeSkill } from '../../parts/skills/install/install.ts';
import { platformDisabled } from '../../parts/skills/settings.ts';
import { openFile } from '../../parts/skills/view/open.ts';
import { openForOwner, surveyForOwner } from '../../parts/skills/view/survey-for-owner.ts';
import { loadConfig } from '../config.ts';
import { openMcpTools } from '../host/mcp.ts';
import { allowListPath, openSafety } from '../../parts/safety/scan/open.ts';
import { processScreen } from '../screen.ts';
import { environment } from '../../parts/config/environment.ts';
import { openSkills, userSkills } from '../../parts/skills/open.ts';
import { makeHome, storeNotice } from '../host/store.ts';
import { personPorts } from '../streams.ts';
import { chooseTools } from '../../parts/tools/choose-tools.ts';

export async function list(flags: JsonFlag): Promise<number> {
  const here = await open();
  const { catalog, userDir } = here;
  const { settings } = here.config;
  const standing = {
    os: systemName(process.platform),
    disabled: settings['skills.disabled'],
    platformDisabled: platformDisabled(settings['skills.platform_disabled']),
  };
  const survey = await surveyForOwner({ catalog, userDir, scene: await sceneOf(here), standing });
  const screen = processScreen();
  if (flags.json === true) screen.json(skillsJson(survey));
  else screen.out(renderSkills(survey, screen));
  return 0;
}

export async function view(name: string, file: string | undefined): Promise<number> {
  const { catalog, reading } = await open();
  const found = await openForOwner(name, catalog, reading);
  if (!found.ok) throw new UsageError(found.words);
  const screen = processScreen();
  if (file === undefined) {
    screen.out(renderSkill(found.opened, screen));
    return 0;
  }
  const read = openFile(found.opened.skill, file, reading.admit);
  if (!read.ok) throw new UsageError(read.words);
  screen.out(screen.watched ? printable(read.opened.text) : read.opened.text);
  return 0;
}

/** Exit code 1 when any of them was refused. */
export async function install(source: string, flags: SkillInstallFlags): Promise<number> {
  const { catalog, userDir, scan } = await open();
  if (flags.yes !== true && personPorts().clarify === undefined)
    throw new UsageError('nobody is there to confirm what would be installed: look at it and add --yes.');
  const screen = processScreen();
  const rows = await installSkills(source, {
    catalog,
    userDir,
    scan,
    confirm: (plan) => confirm(plan, flags),
    cwd: process.cwd(),
    force: flags.force === true,
    category: flags.category,
    name: flags.name,
  });
  for (const row of rows) {
    if (row.did === 'installed') screen.out(`Installed ${printable(row.plan.name)} in ${printable(row.plan.target)}.\n`);
    else process.stderr.write(`hermes: ${printable(row.name)}: ${printable(row.words)}\n`);
  }
  return rows.every(({ did }) => did === 'installed') ? 0 : 1;
}

/** What would be installed is shown before anybody says yes; without somebody to ask, only --yes is one. */
async function confirm(plan: SkillInstallView, flags: SkillInstallFlags): Promise<boolean> {
  const screen = processScreen();
  process.stderr.write(`${renderInstallPlan(plan, screen)}\n`);
  if (flags.yes === true) return true;
  const question = { question: `Install the skill ${plan.name}?`, choices: ['Yes', 'No'] };
  const answer = await personPorts().clarify?.(question, new AbortController().signal);
  return /^y(?:es)?$/i.test(answer ?? '');
}

export async function remove(name: string): Promise<number> {
  const { catalog, userDir } = await open();
  const removed = await removeSkill(name, { userDir, catalog });
  if (!removed.ok) throw new UsageError(removed.words);
  processScreen().out(`Moved ${printable(name)} to ${printable(removed.trash)}.\n`);
  return 0;
}

/** Exit code 1 when the owner has something to do. */
export async function check(flags: JsonFlag): Promise<number> {
  const { home, catalog, userDir, scan, reading } = await open();
  const allowed = allowedHashes(allowListPath(home));
  const unlessAllowed: ScanText = (text, kind) => (allowed.has(sha256(text)) ? [] : scan(text, kind));
  const rows = await checkSkills({ catalog, userDir, scan: unlessAllowed, setup: reading.setup, cwd: process.cwd() });
  const screen = processScreen();
  if (flags.json === true) screen.json(skillChecksJson(rows));
  else screen.out(renderSkillChecks(rows, screen));
  return rows.some(({ issues }) => issues.some(({ severe }) => severe)) ? 1 : 0;
}

async function open() {
  const home = homeAt(process.env);
  makeHome(home);
  const env = environment(home.env, process.env);
  const config = await loadConfig(home.config, env);
  const safety = openSafety(home, storeNotice);
  const setup = { home: home.root, isSet: (name: string) => (env[name] ?? '') !== '' };
  return {
    home,
    env,
    config,
    catalog: openSkills(home, config, env),
    userDir: userSkills(home),
    scan: await safety.scan(),
    reading: { admit: await safety.admit(), setup },
  };
}

/** The scene of a plain terminal session. What servers offer is known from when they were last asked: none is started. */
async function sceneOf({ home, env, config: { settings } }: Awaited<ReturnType<typeof open>>): Promise<SkillScene> {
  const question = {
    home,
    env,
    cwd: process.cwd(),
    settings,
    discoverySeconds: 0,
    notice: storeNotice,
    safety: openSafety(home, storeNotice),
  };
  await using mcp = await openMcpTools(question);
  return { ...chooseTools({ platform: 'cli', settings, more: mcp.toolsets }), platform: 'cli' };
}
