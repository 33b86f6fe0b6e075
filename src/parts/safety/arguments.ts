export { operands } from './command/rules/rows.ts';
