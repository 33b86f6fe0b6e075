/** A chapter of docs/proofs/benchmarks.md, and what did not hold. */
export interface ProofSection {
  readonly title: string;
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}
export const tableOf = (rows: readonly (readonly (string | number)[])[]): readonly string[] => {
  const [head = []] = rows;
  return [head, head.map(() => '---'), ...rows.slice(1)].map((row) => `| ${row.join(' | ')} |`);
};
