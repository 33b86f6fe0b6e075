import type { CompressReason } from '../../../contracts/context-engine.ts';
import type { WindowBudgets } from './budgets.ts';
import { SHAPE, type PlanLimits } from './plan.ts';
import { sumTokens, type ViewRow } from './rows/rows.ts';

/** One way to cut: what changes against the usual shape. */
type PlanVariant = (usual: PlanLimits, rows: readonly ViewRow[]) => PlanLimits;

const usual: PlanVariant = (shape) => shape;
/** Somebody asked although there is room: then most of what is not protected by count goes. */
const onRequest: PlanVariant = (shape, rows) => withTail(shape, Math.min(shape.tail, sumTokens(rows) / 4));
const shorter: PlanVariant = (shape) => ({ ...withTail(shape, shape.tail / 4), protectLast: 0 });
const lastStep: PlanVariant = (shape) => ({ ...withTail(shape, 0), protectLast: 0, fewest: 1, protectFirst: 0 });
/** Even the last step is too large for the window: its words live on in the notes, its rows in the log. */
const nothing: PlanVariant = (shape) => ({ ...lastStep(shape, []), fewest: 0 });

const withTail = (shape: PlanLimits, tail: number): PlanLimits => ({ ...shape, tail, softTail: tail * 1.5 });

/** What is tried in turn. Only a request that cannot be sent as it is gives up what is protected. */
const LADDERS: Readonly<Record<CompressReason, readonly PlanVariant[]>> = {
  threshold: [usual, shorter],
  hygiene: [usual, shorter],
  asked: [usual, onRequest, shorter],
  overflow: [usual, shorter, lastStep, nothing],
};

export const listPlanLimits = (
  reason: CompressReason,
  { tail, softTail }: WindowBudgets,
  given: Pick<PlanLimits, 'room' | 'request' | 'protectLast'>,
  rows: readonly ViewRow[],
): readonly PlanLimits[] => LADDERS[reason].map((rung) => rung({ ...SHAPE, ...given, tail, softTail }, rows));
