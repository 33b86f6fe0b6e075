import type { SettingField } from '../../contracts/settings.ts';
import { listSections, type Fields } from './config.ts';
import type { DeclaredSetting } from '../../contracts/services/configuration.ts';
import { listDeclaredSettings } from './setting-rows.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The settings file as JSON Schema 2020-12, for editors and checkers. */
export function createSettingsSchema(fields: Fields): Schema {
  const settings = listDeclaredSettings(fields);
  const sections = listSections(fields);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'hermes config.yaml',
    description: 'Settings of Hermes. Texts can contain ${VAR}. Secrets belong in .env.',
    type: 'object',
    properties: Object.fromEntries([...sections].map((name) => [name, sectionOf(name, settings)])),
    additionalProperties: false,
  };
}

function sectionOf(name: string, settings: readonly DeclaredSetting[]): Schema {
  const alone = settings.find(({ key }) => key === name);
  if (alone !== undefined) return schemaOf(alone);
  const below = settings.filter(({ key }) => key.startsWith(`${name}.`));
  const names = [...new Set(below.map(({ key }) => key.split('.', name.split('.').length + 1).join('.')))];
  const members = names.map((member) => [member.slice(name.length + 1), sectionOf(member, below)] as const);
  const section: Schema = {
    type: 'object',
    properties: Object.fromEntries(members),
    additionalProperties: false,
  };
  return name === 'model' ? { anyOf: [{ type: 'string', description: 'Short form of model.default.' }, section] } : section;
}

const schemaOf = ({ field, describe, env, default: standard }: DeclaredSetting): Schema => ({
  description: describe,
  ...shapeOf(field),
  default: standard,
  ...(env !== undefined && { 'x-env': env }),
});

function shapeOf(field: SettingField): Schema {
  switch (field.kind) {
    case 'integer':
    case 'number':
      return {
        type: field.kind,
        ...(field.min !== undefined && { minimum: field.min }),
        ...(field.max !== undefined && { maximum: field.max }),
      };
    case 'boolean':
    case 'string':
      return { type: field.kind };
    case 'choice':
      return { type: 'string', enum: field.choices };
    case 'list':
      return { type: 'array', items: { type: 'string' } };
    case 'table':
      return Array.isArray(field.default) ? { type: 'array', items: { type: 'object' } } : { type: 'object' };
  }
}
